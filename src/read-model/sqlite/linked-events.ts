// The events of a category, tag, venue or organizer in memory, in the order of lists: a list by such filters then looks at
// numbers instead of rows. Each is read when it is asked for, and follows the changes of the file from then on.
import { LRUCache } from 'lru-cache';
import { parseStored } from '../damage.ts';
import type { Connection, Row, Value } from './connection.ts';
import { changesSince, versionOf } from './recent-event-changes.ts';

/** Members of an entry, which are adjacent numbers. */
export const START = 0;
export const DATE = 1;
export const ID = 2;
export const END = 3;
/** The number of its status; with `HIDDEN` added, it is in no list. */
export const STATUS = 4;
export const AUTHOR = 5;
/** Of the link. */
export const LIFE = 6;
/** Numbers of an entry. */
export const ENTRY = 7;

export const HIDDEN = 1_000;

/** Entries by start, date and id. */
export type LinkedEvents = Float64Array;

const COLUMNS = `e.starts_at, e.date, e.id, e.ends_at, e.status + ${HIDDEN} * e.hidden, e.author`;

/** Entries of all that are cached, 56 bytes each. */
const MAX_ENTRIES = 250_000;
/** What a list takes beside its entries, in entries. */
const LIST_ENTRIES = 6;
/** A longer list is read when it is asked for again: that takes as long as two answers from the file. */
const SHORT = 500;
/** Lists that were too long. */
const MAX_LONG = 1_000;
/** With more changes than this at once, or altogether, lists are read again. */
const MAX_CHANGED = 50;
const MAX_FOLLOWED = 2_000;

/** An event as it is since a change; no row: it is gone. */
interface Changed {
  readonly id: number;
  readonly row: Row | null;
  /** Kind, target and life of each. */
  readonly links: readonly (readonly [kind: number, target: number, life: number])[];
}

interface Cached {
  entries: LinkedEvents;
  /** How many changes it has followed. */
  followed: number;
}

interface Lists {
  epoch: Value;
  change: number;
  readonly cached: LRUCache<string, Cached>;
  /** How many events were too many when a list was asked for. */
  readonly long: LRUCache<string, number>;
  /** Since the oldest list was read. */
  changes: Changed[];
}

const listsOf = new WeakMap<Connection, Lists>();

/** The lists as of the last change. */
function upToDate(connection: Connection): Lists {
  const { epoch, change } = versionOf(connection);
  const before = listsOf.get(connection);
  const lists = before ?? {
    ...{ epoch, change, long: new LRUCache<string, number>({ max: MAX_LONG }), changes: [] },
    cached: new LRUCache<string, Cached>({
      maxSize: MAX_ENTRIES,
      sizeCalculation: ({ entries }) => entries.length / ENTRY + LIST_ENTRIES,
    }),
  };
  if (before === undefined) listsOf.set(connection, lists);
  if (lists.epoch === epoch && lists.change === change) return lists;
  const changed = lists.epoch === epoch ? changesSince(connection, lists.change)?.events : undefined;
  Object.assign(lists, { epoch, change });
  if (changed === undefined || changed.size > MAX_CHANGED || lists.changes.length + changed.size > MAX_FOLLOWED) {
    lists.cached.clear();
    lists.long.clear();
    lists.changes = [];
  } else lists.changes.push(...Array.from(changed, (id) => changedEvent(connection, id)));
  return lists;
}

function changedEvent({ rows, column }: Connection, id: number): Changed {
  const row = rows(`SELECT ${COLUMNS} FROM event e WHERE e.id = ?`).get(id) ?? null;
  const stored = column('SELECT links FROM event_detail WHERE event_id = ?').get(id) ?? '[]';
  const links = parseStored<Changed['links']>(stored, `the row of event ${id} in its table event_detail`);
  // An event may name one twice; the table has one row of it.
  return { id, row, links: [...new Map(links.map((link) => [link.join(), link])).values()] };
}

/**
 * All events that are linked to a target (by the number of its kind) in any of its lives; null if they are more than
 * `most`, or many and asked for the first time. Call it in a transaction.
 */
export function linkedEvents(connection: Connection, kind: number, target: number, most: number): LinkedEvents | null {
  const lists = upToDate(connection);
  const key = `${kind} ${target}`;
  const before = lists.cached.get(key);
  if (before === undefined) {
    const limit = lists.long.has(key) ? most : Math.min(most, SHORT);
    const entries = (lists.long.get(key) ?? 0) < limit ? read(connection, kind, target, limit) : null;
    if (entries === null) {
      lists.long.set(key, limit);
      return null;
    }
    lists.cached.set(key, { entries, followed: lists.changes.length });
    return entries;
  }
  if (before.followed < lists.changes.length) {
    const entries = following(before.entries, lists.changes.slice(before.followed), kind, target);
    before.followed = lists.changes.length;
    if (entries !== before.entries) lists.cached.set(key, { ...before, entries });
    return entries.length <= most * ENTRY ? entries : null;
  }
  return before.entries.length <= most * ENTRY ? before.entries : null;
}

function read({ rows }: Connection, kind: number, target: number, most: number): LinkedEvents | null {
  const found = rows(
    `SELECT ${COLUMNS}, l.life FROM event_link l CROSS JOIN event e ON e.id = l.event_id
     WHERE l.kind = ? AND l.target = ? LIMIT ?`,
  ).all(kind, target, most + 1);
  return found.length > most ? null : inOrder(found);
}

/** Rows with their lives as entries. */
function inOrder(found: readonly Row[]): LinkedEvents {
  const entries = entriesOf(found);
  for (let at = ENTRY; at < entries.length; at += ENTRY)
    if (compared(entries, at - ENTRY, entries, at) > 0) return entriesOf(sorted(found));
  return entries;
}

function entriesOf(found: readonly Row[]): LinkedEvents {
  const entries = new Float64Array(found.length * ENTRY);
  let at = 0;
  for (const row of found) for (const member of row) entries[at++] = Number(member);
  return entries;
}

const sorted = (found: readonly Row[]): number[][] =>
  found.map((row) => row.map(Number)).sort((one, other) => compared(one, 0, other, 0));

/** Before, behind or equal: by start, date, id and life. */
export function compared(one: ArrayLike<number>, at: number, other: ArrayLike<number>, there: number): number {
  for (const member of [START, DATE, ID, LIFE]) {
    const difference = (one[at + member] ?? 0) - (other[there + member] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The entries after some changes; the same object if these have nothing to do with them. */
function following(entries: LinkedEvents, changes: readonly Changed[], kind: number, target: number): LinkedEvents {
  // The last state of each counts.
  const last = new Map(changes.map((changed) => [changed.id, changed]));
  const added = [...last.values()].flatMap(({ row, links }) =>
    row === null
      ? []
      : links.flatMap(([linked, id, life]) => (linked === kind && id === target ? [[...row, life]] : [])),
  );
  let gone = 0;
  for (let at = 0; at < entries.length; at += ENTRY) if (last.has(entries[at + ID] ?? 0)) gone += 1;
  if (gone === 0 && added.length === 0) return entries;
  const arrived = inOrder(added);
  const merged = new Float64Array(entries.length - gone * ENTRY + arrived.length);
  let into = 0;
  let from = 0;
  for (let at = 0; at < entries.length; at += ENTRY) {
    if (last.has(entries[at + ID] ?? 0)) continue;
    for (; from < arrived.length && compared(arrived, from, entries, at) < 0; from += ENTRY, into += ENTRY)
      merged.set(arrived.subarray(from, from + ENTRY), into);
    merged.set(entries.subarray(at, at + ENTRY), into);
    into += ENTRY;
  }
  merged.set(arrived.subarray(from), into);
  return merged;
}
