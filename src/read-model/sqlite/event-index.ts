// Index rows of events: updated row by row, so that a change of one member writes as little as possible.
import { parseStored } from '../damage.ts';
import { EVENT_FLAGS, type EventDocument, endOf, searchedText, statusCode } from '../documents.ts';
import type { Connection, Row, Value } from './connection.ts';
import { type EdgeCountChanges, edgeCountChanges, magnitudeOf } from './edge-counts.ts';
import { eventStatusCode, FREE_LINKS, kindCode, type LinkKind, ONLINE_LINKS, STATUS_LINKS } from './schema.ts';
import { searchIndex } from './search-index.ts';

/** Links as stored with the event, to know what to remove when they change: kind, target, life. */
type StoredLink = readonly [kind: number, target: number, life: number];

/** The index entries of an event; null: nothing. */
interface Indexed {
  readonly columns: Row;
  /** `StoredLink`s as JSON. */
  readonly links: string;
  readonly text: string;
}

const PUBLISHED = statusCode('publish');
const CATEGORY = kindCode('category');
const TAG = kindCode('tag');
const COLUMNS = [
  'id',
  'starts_at',
  'ends_at',
  'date',
  'status',
  'author',
  'hidden',
  ...EVENT_FLAGS,
  'protected',
  'parent',
  'magnitude',
] as const;

const column = ({ columns }: Indexed, name: (typeof COLUMNS)[number]): number =>
  Number(columns[COLUMNS.indexOf(name)] ?? 0);

/** Throws `ReadModelDamaged`. */
const linksOf = (event: Indexed): StoredLink[] =>
  parseStored(event.links, `the row of event ${column(event, 'id')} in its table event_detail`);

const distinctIds = (ids: readonly number[], kind: LinkKind): StoredLink[] =>
  [...new Set(ids)].map((id) => [kindCode(kind), id, 0]);

export function storedLinks({
  categories,
  tags,
  venues,
  organizers,
  eventStatus,
  isVirtual,
  isFree,
}: EventDocument): StoredLink[] {
  return [
    ...distinctIds(categories, 'category'),
    ...distinctIds(tags, 'tag'),
    ...venues.map(({ id, life }): StoredLink => [kindCode('venue'), id, life]),
    ...organizers.map(({ id, life }): StoredLink => [kindCode('organizer'), id, life]),
    ...(eventStatus ? [[STATUS_LINKS, eventStatusCode(eventStatus), 0] as const] : []),
    ...(isVirtual ? [[ONLINE_LINKS, 0, 0] as const] : []),
    ...(isFree ? [[FREE_LINKS, 0, 0] as const] : []),
  ];
}

export function indexedOf(event: EventDocument, links: readonly StoredLink[]): Indexed {
  const { id, startsAt, date, author, parent } = event;
  const endsAt = endOf(event);
  const flags = [event.hidden, ...EVENT_FLAGS.map((flag) => event[flag]), event.protected].map(Number);
  return {
    columns: [
      id,
      startsAt,
      endsAt,
      date,
      statusCode(event.status),
      author,
      ...flags,
      parent,
      magnitudeOf(endsAt - startsAt),
    ],
    links: JSON.stringify(links),
    text: searchedText(event),
  };
}

const DELETE_LINK =
  'DELETE FROM event_link WHERE kind = ? AND target = ? AND starts_at = ? AND event_id = ? AND life = ?';
const INSERT_LINK = 'INSERT OR IGNORE INTO event_link (kind, target, starts_at, event_id, life) VALUES (?, ?, ?, ?, ?)';

/** Keeps the index rows of events consistent with their documents. Use it inside one transaction. */
export interface EventIndex {
  /** `null` removes the event. */
  replace(id: number, event: EventDocument | null): void;
  /** Writes the collected sums; returns whether any term's count has changed. */
  finish(): { readonly termCounts: 'changed' | 'unchanged' };
}

export function eventIndex(connection: Connection): EventIndex {
  const { change, rows } = connection;
  const edges = edgeCountChanges(connection);
  const search = searchIndex(connection);
  const terms = termCountChanges(connection);

  const stored = (id: number): Indexed | null => {
    const row = rows(
      `SELECT ${COLUMNS.join(', ')}, links, text FROM event JOIN event_detail ON event_id = id WHERE id = ?`,
    ).get(id);
    if (!row) return null;
    return { columns: row.slice(0, COLUMNS.length), links: String(row.at(-2)), text: String(row.at(-1)) };
  };

  const writeLinks = (event: Indexed, sql: string) => {
    const values: Value[] = [column(event, 'starts_at'), column(event, 'id')];
    for (const [kind, target, life] of linksOf(event)) change(sql).run(kind, target, ...values, life);
  };

  const count = (event: Indexed, by: 1 | -1) => {
    countEdges(edges, event, by);
    terms.add(event, linksOf(event), by);
  };

  const takeOutLinks = (event: Indexed) => writeLinks(event, DELETE_LINK);
  const enterLinks = (event: Indexed) => writeLinks(event, INSERT_LINK);

  const takeOut = (id: number, before: Indexed) => {
    count(before, -1);
    takeOutLinks(before);
    search.replace(id, before.text, null);
    change('DELETE FROM event WHERE id = ?').run(id);
    change('DELETE FROM event_detail WHERE event_id = ?').run(id);
  };

  const enter = (id: number, now: Indexed) => {
    count(now, 1);
    enterLinks(now);
    change(INSERT).run(...now.columns);
    change('INSERT INTO event_detail VALUES (?, ?, ?)').run(id, now.links, now.text);
    search.replace(id, null, now.text);
  };

  const update = (id: number, before: Indexed, now: Indexed) => {
    count(before, -1);
    count(now, 1);
    if (before.links !== now.links || column(before, 'starts_at') !== column(now, 'starts_at')) {
      takeOutLinks(before);
      enterLinks(now);
    }
    if (before.columns.join() !== now.columns.join()) change(UPDATE).run(...now.columns.slice(1), id);
    if (before.links !== now.links || before.text !== now.text)
      change('UPDATE event_detail SET links = ?, text = ? WHERE event_id = ?').run(now.links, now.text, id);
    if (before.text !== now.text) search.replace(id, before.text, now.text);
  };

  return {
    replace(id, event) {
      const before = stored(id);
      if (!event) return before ? takeOut(id, before) : undefined;
      const now = indexedOf(event, storedLinks(event));
      if (before) update(id, before, now);
      else enter(id, now);
    },
    finish() {
      edges.write();
      search.write();
      return { termCounts: terms.write() };
    },
  };
}

/** Collects how many public events a term gains or loses. */
interface TermCountChanges {
  add(event: Indexed, links: readonly StoredLink[], by: 1 | -1): void;
  write(): 'changed' | 'unchanged';
}

export function termCountChanges({ change }: Connection): TermCountChanges {
  const counts = new Map<string, number>();
  return {
    add(event, links, by) {
      if (column(event, 'status') !== PUBLISHED || column(event, 'protected') === 1) return;
      for (const [kind, target] of links) {
        if (kind !== CATEGORY && kind !== TAG) continue;
        const key = `${kind} ${target}`;
        counts.set(key, (counts.get(key) ?? 0) + by);
      }
    },
    write() {
      const changed = [...counts].filter(([, by]) => by !== 0);
      const upsert = change(
        'INSERT INTO term_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events',
      );
      for (const [key, by] of changed) upsert.run(...key.split(' ').map(Number), by);
      counts.clear();
      return changed.length > 0 ? 'changed' : 'unchanged';
    },
  };
}

export const insertInto = (table: string): string =>
  `INSERT INTO ${table} (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;
const INSERT = insertInto('event');
const UPDATE = `UPDATE event SET ${COLUMNS.slice(1)
  .map((name) => `${name} = ?`)
  .join(', ')} WHERE id = ?`;

/** Hidden events are in no list, so no total counts them. */
export function countEdges(edges: EdgeCountChanges, event: Indexed, by: 1 | -1): void {
  if (column(event, 'hidden') === 1) return;
  edges.add(column(event, 'status'), column(event, 'starts_at'), column(event, 'ends_at'), by);
}

// Sets of event ids, by chunks of adjacent ids: compact in the file, and fast to merge and test in memory.

/** Ids per chunk. A power of two, large enough for few rows, small enough that one change rewrites little. */
export const CHUNK = 4096;
const BITMAP_BYTES = CHUNK / 8;

/** Up to this many members are stored as a list of their offsets (two bytes each), which is shorter than any bitmap. */
const LISTED = BITMAP_BYTES / 2 - 1;

/** Bitmaps by number of the chunk; bit n of a bitmap stands for the n-th id of the chunk. */
export type EventSet = Map<number, Uint8Array>;

export const chunkOf = (id: number): number => Math.floor(id / CHUNK);

/** The position of an id within its chunk. */
const offsetOf = (id: number): number => id - chunkOf(id) * CHUNK;

export const emptyBitmap = (): Uint8Array => new Uint8Array(BITMAP_BYTES);

/** Adds an id to the bitmap of its chunk, or removes it. */
export function setMember(bitmap: Uint8Array, id: number, member: 'in' | 'out'): void {
  const offset = offsetOf(id);
  const byte = bitmap[offset >> 3] ?? 0;
  const bit = 1 << (offset & 7);
  bitmap[offset >> 3] = member === 'in' ? byte | bit : byte & ~bit;
}

export function isMember(set: EventSet, id: number): boolean {
  const offset = offsetOf(id);
  return (((set.get(chunkOf(id))?.[offset >> 3] ?? 0) >> (offset & 7)) & 1) === 1;
}

/** The ids of a set. */
export function membersOf(set: EventSet): number[] {
  const ids: number[] = [];
  for (const [chunk, bitmap] of set) for (const offset of offsetsIn(bitmap)) ids.push(chunk * CHUNK + offset);
  return ids;
}

/**
 * Offsets of the members of a chunk, ascending. Most chunks are nearly empty, so empty bytes must cost next to nothing.
 */
function offsetsIn(bitmap: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < BITMAP_BYTES; at++) if (bitmap[at]) offsets.push(...bitsOf(bitmap[at] ?? 0, at * 8));
  return offsets;
}

function bitsOf(byte: number, from: number): number[] {
  const offsets: number[] = [];
  for (let rest = byte, offset = from; rest > 0; rest >>= 1, offset++) if (rest & 1) offsets.push(offset);
  return offsets;
}

function bitCount(byte: number): number {
  let bits = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) bits++;
  return bits;
}

function membersIn(bitmap: Uint8Array): number {
  let members = 0;
  for (let at = 0; at < BITMAP_BYTES; at++) if (bitmap[at]) members += bitCount(bitmap[at] ?? 0);
  return members;
}

/** The number of ids in a set. */
export function sizeOf(set: EventSet): number {
  let size = 0;
  for (const bitmap of set.values()) size += membersIn(bitmap);
  return size;
}

/** The stored form; null: nothing to store. */
export function packed(bitmap: Uint8Array): Uint8Array | null {
  const members = membersIn(bitmap);
  if (members === 0) return null;
  if (members > LISTED) return bitmap;
  const list = Buffer.alloc(members * 2);
  offsetsIn(bitmap).forEach((offset, at) => {
    list.writeUInt16LE(offset, at * 2);
  });
  return list;
}

/** The same for some ids of one chunk, ascending and without duplicates; at least one. */
export function packedIds(ids: readonly number[]): Uint8Array {
  if (ids.length > LISTED) {
    const bitmap = emptyBitmap();
    for (const id of ids) setMember(bitmap, id, 'in');
    return bitmap;
  }
  const list = Buffer.allocUnsafe(ids.length * 2);
  for (let at = 0; at < ids.length; at++) list.writeUInt16LE(offsetOf(ids[at] ?? 0), at * 2);
  return list;
}

/** Adds a stored set to a bitmap. */
export function unpackInto(bitmap: Uint8Array, stored: Uint8Array): void {
  if (stored.length === BITMAP_BYTES) {
    for (let at = 0; at < BITMAP_BYTES; at++) bitmap[at] = (bitmap[at] ?? 0) | (stored[at] ?? 0);
    return;
  }
  for (let at = 0; at < stored.length; at += 2) {
    const offset = (stored[at] ?? 0) + (stored[at + 1] ?? 0) * 256;
    bitmap[offset >> 3] = (bitmap[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
}

/** The intersection of both sets. */
export function intersection(one: EventSet, other: EventSet): EventSet {
  const both: EventSet = new Map();
  for (const [chunk, bitmap] of one) {
    const second = other.get(chunk);
    if (second)
      both.set(
        chunk,
        bitmap.map((byte, at) => byte & (second[at] ?? 0)),
      );
  }
  return both;
}

/** The union of all sets. */
export function union(sets: readonly EventSet[]): EventSet {
  const all: EventSet = new Map();
  for (const [chunk, bitmap] of sets.flatMap((set) => [...set])) {
    const found = all.get(chunk);
    if (found) unpackInto(found, bitmap);
    else all.set(chunk, bitmap);
  }
  return all;
}
