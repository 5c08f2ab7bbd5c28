// The results of tools: what the API answers, without members for machines, and short in lists.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { Json } from './calendar-api.ts';

/** The result of a tool, as data and as text for clients that read no data. */
export const result = (answer: Json): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
});

const FOR_MACHINES = /^(?:json_ld|custom_fields|global_id(?:_lineage)?|(?:utc_)?(?:start|end)_date_details)$/;

/** A resource without members that repeat others. */
function withoutRepeats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRepeats);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !FOR_MACHINES.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRepeats(member)]));
}

export const objectWithoutRepeats = (answer: Json): Json =>
  Object.fromEntries(Object.entries(answer).map(([name, member]) => [name, withoutRepeats(member)]));

const membersIn = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]).filter(isObject);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const line = (value: unknown): string => (typeof value === 'string' ? lineOfHtml(value) : '');

/** An event in a list. */
export const shortEvent = (event: Json) => ({
  id: event.id,
  title: line(event.title),
  status: event.status,
  ...(event.event_status !== undefined && { event_status: event.event_status }),
  start_date: event.start_date,
  end_date: event.end_date,
  timezone: event.timezone,
  all_day: event.all_day,
  venues: membersIn(event.venue).map((venue) => ({ id: venue.id, name: line(venue.venue), city: venue.city ?? '' })),
  organizers: membersIn(event.organizer).map(({ id, organizer }) => ({ id, name: line(organizer) })),
  categories: membersIn(event.categories).map(({ name }) => line(name)),
  tags: membersIn(event.tags).map(({ name }) => line(name)),
  cost: event.cost,
  url: event.url,
});

/** A venue, organizer, category or tag in a list. */
export const shortResource = (resource: Json) => ({
  id: resource.id,
  name: line(resource.venue ?? resource.organizer ?? resource.name),
  ...(resource.city !== undefined && { city: resource.city }),
  ...(resource.parent !== undefined && { parent: resource.parent }),
  ...(resource.count !== undefined && { events: resource.count }),
  url: resource.url,
});

/** The items of a list in short, with its totals. */
export const shortList = (answer: Json, collection: string, short: (item: Json) => Json): Json => ({
  total: answer.total,
  total_pages: answer.total_pages,
  [collection]: membersIn(answer[collection]).map(short),
});
