// Events as a table that spreadsheets open and `daybook import` reads back: one event per row, references by name.
import { stringify } from 'csv-stringify/sync';
import {
  type CalendarEvent,
  EVENT_ROWS,
  type EventFact,
  evolveEvent,
  type Link,
} from '../../calendar/event/domain/calendar-event.ts';
import { eventStatusOf } from '../../calendar/event/domain/event-status.ts';
import {
  CONTACT_ROWS,
  evolveOrganizer,
  type Organizer,
  type OrganizerFact,
} from '../../calendar/linked-post/domain/organizer.ts';
import { evolveVenue, PLACE_ROWS, type Venue, type VenueFact } from '../../calendar/linked-post/domain/venue.ts';
import { imageAt } from '../../calendar/picture/domain/picture.ts';
import { byWire } from '../../calendar/resource/domain/fields.ts';
import type { Post, PostStatus } from '../../calendar/resource/domain/post.ts';
import { evolveTerm, type Term, type TermFact } from '../../calendar/term/domain/term.ts';
import { formatCivil } from '../../kernel/time/civil-time.ts';
import { resolveZone, toInstant } from '../../kernel/time/zone.ts';
import type { RecordedEvent } from '../../log/envelope.ts';
import { membersAdded, type ResourceCounts } from './resource-lines.ts';
import { foldedOf, originOf, type ResourceExportOptions, statesOf, streamsOf } from './resources.ts';
import type { Sink } from './sink.ts';

const FLAGS = EVENT_ROWS.filter(({ kind }) => kind === 'flag');
/** Texts that came after the first tables. */
const ADDED = EVENT_ROWS.filter(({ kind, addition }) => kind !== 'flag' && addition !== undefined);

const COLUMNS = [
  'uid',
  'title',
  'start',
  'end',
  'timezone',
  'all_day',
  'status',
  'slug',
  'venue',
  'address',
  'city',
  'province',
  'zip',
  'country',
  'lat',
  'lng',
  'organizer',
  'category',
  'tags',
  'url',
  'cost',
  'image',
  'description',
  'excerpt',
  ...FLAGS.map(({ wire }) => wire),
  ...ADDED.map(({ wire }) => wire),
  'event_status',
  'daybook_event',
  // Which state of the event the row is about, for those who bring the table back.
  'revision',
];

/** The first line of a table, without its end. */
export const TABLE_HEAD = COLUMNS.join(',');

/** What the rows of a table need beside their events. */
export interface TableContext {
  /** Identifies the log. */
  readonly origin: string;
  /** The base of the addresses of pictures. */
  readonly site: string;
  /** Names by stream: `category-7`. */
  readonly terms: ReadonlyMap<string, string>;
  readonly venues: ReadonlyMap<number, Venue>;
  readonly organizers: ReadonlyMap<number, Organizer>;
}

type Cells = { readonly [column: string]: string };

/** Without events in the trash. Returns their number. Throws `Unusable`, and `Interrupted`. */
export async function exportEventTable(options: ResourceExportOptions, sink: Sink): Promise<ResourceCounts> {
  const { store, site, begin, reach } = options;
  const scope = { ...options, upTo: await store.head() };
  const origin = (await originOf(store)) ?? 'empty';
  begin('Writing', null);
  const terms = new Map<string, string>();
  for (const kind of ['category', 'tag'] as const)
    for await (const { id, name, deleted } of statesOf<Term, TermFact>(scope, kind, evolveTerm))
      if (!deleted) terms.set(`${kind}-${id}`, name);
  const venues = new Map<number, Venue>();
  for await (const venue of statesOf<Venue, VenueFact>(scope, 'venue', evolveVenue)) venues.set(venue.id, venue);
  const organizers = new Map<number, Organizer>();
  for await (const one of statesOf<Organizer, OrganizerFact>(scope, 'organizer', evolveOrganizer))
    organizers.set(one.id, one);
  await sink.write(TABLE_HEAD);
  let count = 0;
  for await (const events of streamsOf(scope, 'event')) {
    const event = foldedOf<CalendarEvent, EventFact>(events, evolveEvent, scope.skips);
    if (!event || event.status === 'trash') continue;
    await sink.write(eventLine(event, events, { origin, site, terms, venues, organizers }));
    reach(++count);
  }
  return { event: count };
}

/** A row, without its end, of an event and of the stream that it was folded from. */
export function eventLine(
  event: CalendarEvent,
  stream: readonly RecordedEvent[],
  { origin, site, terms, venues, organizers }: TableContext,
): string {
  const places = linked(event.venues, venues);
  const hosts = linked(event.organizers, organizers);
  const row: Cells = {
    uid: `event-${event.id}@${origin}`,
    ...cellsOf({ ...event, image: imageAt(site, event.image) }),
    daybook_event: restOf(event, places, hosts),
    revision: String(stream.at(-1)?.revision ?? 0),
    ...placeOf(places),
    organizer: list(hosts.map(({ name }) => name)),
    category: list(event.categories.flatMap((id) => terms.get(`category-${id}`) ?? [])),
    tags: list(event.tags.flatMap((id) => terms.get(`tag-${id}`) ?? [])),
  };
  return stringify([COLUMNS.map((column) => row[column] ?? '')], { quoted_match: /[\r\n]/ }).slice(0, -1);
}

/** A resource in the trash, or one that was erased and created anew, is no longer the linked one. */
const linked = <State extends { readonly life: number; readonly status: string }>(
  links: readonly Link[],
  states: ReadonlyMap<number, State>,
): State[] =>
  links.flatMap(({ id, life }) => {
    const state = states.get(id);
    return state && state.life === life && state.status !== 'trash' ? [state] : [];
  });

/** Its password is not in the table: without it a protected post would be public. */
const statusOf = ({ status, passwordHash }: Post): PostStatus =>
  passwordHash !== null && (status === 'publish' || status === 'future') ? 'private' : status;

/** Without its date a scheduled post would be published where the table is read. */
const dateOf = (post: Post): object => (statusOf(post) === 'future' ? { date_utc: formatCivil(post.date) } : {});

/** What keeps a venue or an organizer from the public; null for a public one. */
const withholding = (post: Post): object | null =>
  statusOf(post) === 'publish' ? null : { status: statusOf(post), ...dateOf(post) };

function cellsOf(event: CalendarEvent): Cells {
  const { schedule, image } = event;
  return {
    title: inert(event.title),
    ...timesOf(schedule),
    timezone: schedule.timezone,
    all_day: String(schedule.allDay),
    status: statusOf(event),
    slug: event.slug,
    // A cleared website is a blank; an empty cell means the event's own page.
    url: event.website === '' ? ' ' : inert(event.website ?? ''),
    cost: list(event.cost?.entries ?? []),
    image: image?.url ?? '',
    description: inert(event.description),
    excerpt: inert(event.excerpt),
    ...Object.fromEntries(FLAGS.map(({ wire, member }) => [wire, String(event[member])])),
    ...Object.fromEntries(ADDED.map(({ wire, member }) => [wire, inert(String(event[member]))])),
    event_status: eventStatusOf(event),
  };
}

/** What has no column of its own as JSON, in the words of the API; `''` for nothing. Of what is not public it has no contacts. */
function restOf(event: CalendarEvent, places: readonly Venue[], hosts: readonly Organizer[]): string {
  const venue = places.flatMap(({ coordinates, ...place }) => {
    const members = byWire(
      PLACE_ROWS.filter(({ member, blank }) => place[member] !== blank),
      place,
    );
    return withAny(withholding(place) ?? { ...members, ...(coordinates && { coordinates }) }, { venue: place.name });
  });
  const organizer = hosts.flatMap((host) => {
    const members = byWire(
      CONTACT_ROWS.filter(({ member, blank }) => host[member] !== blank),
      host,
    );
    return withAny(withholding(host) ?? members, { organizer: host.name });
  });
  const rest = {
    ...membersAdded(event),
    ...dateOf(event),
    ...(event.series && { series: event.series.id }),
    ...(event.passwordHash !== null && { password_protected: true }),
    ...(venue.length > 0 && { venue }),
    ...(organizer.length > 0 && { organizer }),
  };
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
}

const withAny = (members: object, name: object): object[] =>
  Object.keys(members).length === 0 ? [] : [{ ...name, ...members }];

/** Wall clock; an instant if one was given, and for the second pass of a repeated hour. */
function timesOf({ start, end, startsAt, endsAt, allDay, given, timezone }: CalendarEvent['schedule']): Cells {
  if (allDay) return { start: start.slice(0, 10), end: end.slice(0, 10) };
  const zone = resolveZone(timezone);
  const written = (wall: string, instant: number, what: unknown): string =>
    what === 'instant' || (zone && toInstant(wall, zone) !== instant) ? `${formatCivil(instant)}Z` : wall;
  return { start: written(start, startsAt, given?.start), end: written(end, endsAt, given?.end) };
}

/** The address only if there is a single venue. */
function placeOf(venues: readonly Venue[]): Cells {
  const [only] = venues;
  const venue = list(venues.map(({ name }) => name));
  if (!only || venues.length > 1) return { venue };
  const { address, city, province, zip, country, coordinates } = only;
  const place = { address, city, province, zip, country };
  return {
    venue,
    ...Object.fromEntries(Object.entries(place).map(([name, value]) => [name, inert(value)])),
    ...(coordinates && { lat: String(coordinates.lat), lng: String(coordinates.lng) }),
  };
}

const list = (values: readonly string[]): string =>
  inert(values.map((value) => value.replace(/[\\|]/g, '\\$&')).join('|'));

/** A text that a spreadsheet would take for a formula gets an apostrophe, which the import removes. */
export const inert = (text: string): string => (/^['=+\-@\t\r]/.test(text) ? `'${text}` : text);
