// Lists by categories, tags, venues and organizers from what is in memory of them: pages and totals without reading rows.
import { statusCode } from '../documents.ts';
import { type EventQuery, type PageOf, type TimeRanges, timeRanges, type Visibility } from '../queries.ts';
import type { Connection } from './connection.ts';
import {
  AUTHOR,
  compared,
  END,
  ENTRY,
  ID,
  LIFE,
  type LinkedEvents,
  linkedEvents,
  START,
  STATUS,
} from './linked-events.ts';
import { kindCode, type LinkKind } from './schema.ts';

/** What such a list may be asked with; a query with anything else is not one. */
const MEMBERS: ReadonlySet<string> = new Set([
  ...['visibility', 'unmasked', 'linked', 'page', 'bounds', 'order'],
  ...['categories', 'tags', 'venues', 'organizers'],
]);
/** Targets of one filter; for more the events of all of them are found at once. */
const MAX_TARGETS = 8;

/** The events of one target. */
interface Source {
  readonly events: LinkedEvents;
  /** Links of other lives are void. */
  readonly life: number;
}

/** Sources of each filter; events are in one of them at least. */
type Filters = readonly (readonly Source[])[];

/** The page of a list by such filters alone; null if it is another list, or more than `most` events are linked to one. */
export function listLinked(connection: Connection, query: EventQuery, most: number): PageOf<number> | null {
  if (most === 0 || query.order !== 'start') return null;
  const filters = filtersOf(connection, query, most);
  if (filters === null) return null;
  const { offset, limit } = query.page;
  const ids = idsOf(filters, timeRanges(query.bounds), isShown(query.visibility));
  return { items: ids.slice(offset, offset + limit), total: ids.length };
}

/** Null: it has other filters, none at all, or is not in memory. */
function filtersOf(connection: Connection, query: EventQuery, most: number): Filters | null {
  for (const name in query) if (query[name as keyof EventQuery] !== undefined && !MEMBERS.has(name)) return null;
  const filters: Source[][] = [];
  for (const [kind, ids] of [
    ['venue', query.venues],
    ['organizer', query.organizers],
    ['tag', query.tags],
    ['category', query.categories],
  ] as const) {
    if (ids === undefined) continue;
    const sources = sourcesOf(connection, query, kind, ids, most);
    if (sources === null) return null;
    filters.push(sources);
  }
  return filters.length === 0 ? null : filters;
}

function sourcesOf(
  connection: Connection,
  { linked }: EventQuery,
  kind: LinkKind,
  ids: readonly number[],
  most: number,
): Source[] | null {
  const targets = new Set(ids);
  if (targets.size > MAX_TARGETS) return null;
  const sources: Source[] = [];
  for (const id of targets) {
    const life = kind === 'venue' || kind === 'organizer' ? lifeOf(connection, kind, id, linked[kind]) : 0;
    if (life === null) continue;
    const events = linkedEvents(connection, kindCode(kind), id, most);
    if (events === null) return null;
    if (events.length > 0) sources.push({ events, life });
  }
  return sources;
}

/** The life of a venue or organizer; null if there is none that the reader may see. */
function lifeOf({ rows }: Connection, kind: 'venue' | 'organizer', id: number, visibility: Visibility): number | null {
  const row = rows('SELECT life, status, author FROM linked_post WHERE kind = ? AND id = ?').get(kindCode(kind), id);
  if (row === undefined) return null;
  const [life = 0, status = 0, author = 0] = row.map(Number);
  return isShown(visibility)(status, author) ? life : null;
}

/** Whether posts of a status and an author are visible. */
function isShown({ statuses, own }: Visibility): (status: number, author: number) => boolean {
  const open = statuses.map(statusCode);
  const ownStatuses = own?.statuses.map(statusCode) ?? [];
  return (status, author) => open.includes(status) || (author === own?.author && ownStatuses.includes(status));
}

const sizeOf = (sources: readonly Source[]): number => sources.reduce((sum, { events }) => sum + events.length, 0);

function idsOf(filters: Filters, ranges: TimeRanges, shown: (status: number, author: number) => boolean): number[] {
  const [leader = [], ...others] = [...filters].sort((one, other) => sizeOf(one) - sizeOf(other));
  const ids: number[] = [];
  /** With several targets: where each is. */
  const places: { readonly events: LinkedEvents; readonly at: number }[] = [];
  for (const { events, life } of leader) {
    for (let at = firstFrom(events, ranges.startFrom); at < events.length; at += ENTRY) {
      if ((events[at + START] ?? 0) > ranges.startTo) break;
      const end = events[at + END] ?? 0;
      if (end < ranges.endFrom || end > ranges.endTo || events[at + LIFE] !== life) continue;
      if (!shown(events[at + STATUS] ?? 0, events[at + AUTHOR] ?? 0)) continue;
      if (!others.every((sources) => sources.some((source) => hasEntry(source, events, at)))) continue;
      if (leader.length > 1) places.push({ events, at });
      else ids.push(events[at + ID] ?? 0);
    }
  }
  if (leader.length <= 1) return ids;
  places.sort((one, other) => compared(one.events, one.at, other.events, other.at));
  return [...new Set(places.map(({ events, at }) => events[at + ID] ?? 0))];
}

/** Where the first entry is that does not start before an instant. */
function firstFrom(events: LinkedEvents, instant: number): number {
  let [from, to] = [0, events.length / ENTRY];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((events[middle * ENTRY + START] ?? 0) < instant) from = middle + 1;
    else to = middle;
  }
  return from * ENTRY;
}

/** Whether an event is among those of a target. */
function hasEntry({ events, life }: Source, of: LinkedEvents, there: number): boolean {
  const start = of[there + START] ?? 0;
  const id = of[there + ID] ?? 0;
  for (let at = firstFrom(events, start); at < events.length && events[at + START] === start; at += ENTRY)
    if (events[at + ID] === id && events[at + LIFE] === life) return true;
  return false;
}
