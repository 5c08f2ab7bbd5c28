// Windows of time in memory: the visible events of a window in the order of lists, so that a list that has to look at most of
// them, as a search for a common word does, reads numbers instead of rows. A window is read when it is asked for again, and
// follows the changes of the file from then on.
import { LRUCache } from 'lru-cache';
import { ALL } from '../documents.ts';
import type { Connection, Row, Value } from './connection.ts';
import type { Sql } from './event-filters.ts';
import { changesSince, versionOf } from './recent-event-changes.ts';
import { kindCode } from './schema.ts';

/** By start, date and id. */
export interface EventWindow {
  readonly ids: Float64Array;
  readonly starts: Float64Array;
  readonly dates: Float64Array;
  /** Numbers of the series, from 1; 0: of none. */
  readonly series: Int32Array;
  readonly numbers: ReadonlyMap<number, number>;
  readonly maxId: number;
}

interface CachedWindow {
  readonly window: EventWindow;
  readonly epoch: Value;
  readonly change: number;
}

/** Windows of one file: 28 MB each for a million events. */
const MAX_WINDOWS = 3;
/** Events of a window; larger ones are not cached. */
export const MAX_WINDOW = 2_000_000;
/** Bitmaps of ids reach up to here. */
const MAX_ID = 2 ** 27;
/** With more changes than this it is read again. */
const MAX_CHANGES = 2_000;

interface Windows {
  readonly cached: LRUCache<string, CachedWindow>;
  /** Asked for once. */
  readonly asked: LRUCache<string, true>;
}

const windows = new WeakMap<Connection, Windows>();

function windowsOf(connection: Connection): Windows {
  const opened = windows.get(connection);
  if (opened) return opened;
  const none: Windows = { cached: new LRUCache({ max: MAX_WINDOWS }), asked: new LRUCache({ max: MAX_WINDOWS }) };
  windows.set(connection, none);
  return none;
}

/** The events of which `base` is true of `e`; null the first time, and if there are ids beyond all measure. */
export function windowOf(connection: Connection, base: Sql): EventWindow | null {
  const { cached, asked } = windowsOf(connection);
  const key = JSON.stringify([base.text, base.values]);
  const { epoch, change } = versionOf(connection);
  const before = cached.get(key);
  if (!before && !asked.has(key)) {
    asked.set(key, true);
    return null;
  }
  const window = (before?.epoch === epoch && followed(connection, base, before)) || read(connection, base);
  cached.set(key, { window, epoch, change });
  return window.maxId < MAX_ID ? window : null;
}

const COLUMNS = 'e.id, e.starts_at, e.date, e.parent';

function read(connection: Connection, base: Sql): EventWindow {
  const rows = connection.rows(
    `SELECT ${COLUMNS} FROM event e INDEXED BY event_by_start WHERE ${base.text} ORDER BY e.starts_at, e.date, e.id`,
  );
  const all = new Set(
    connection.column('SELECT id FROM name WHERE kind = ? AND name = ?').all(kindCode('series'), ALL).map(Number),
  );
  const size = Number(connection.column('SELECT count(*) FROM event').get());
  const into = blank(size);
  const numbers = new Map<number, number>();
  let count = 0;
  for (const row of rows.iterate(...base.values))
    put(
      into,
      count++,
      row,
      numberIn(numbers, row, (id) => all.has(id)),
    );
  return cut(into, count, numbers);
}

type Columns = Pick<EventWindow, 'ids' | 'starts' | 'dates' | 'series'>;

const blank = (size: number): Columns => ({
  ids: new Float64Array(size),
  starts: new Float64Array(size),
  dates: new Float64Array(size),
  series: new Int32Array(size),
});

function put({ ids, starts, dates, series }: Columns, at: number, [id, start, date]: Row, number: number): void {
  ids[at] = Number(id);
  starts[at] = Number(start);
  dates[at] = Number(date);
  series[at] = number;
}

/** The number of the series of an event. */
function numberIn(numbers: Map<number, number>, row: Row, isSeries: (id: number) => boolean): number {
  const parent = row[3];
  if (parent === null || parent === undefined) return 0;
  const number = numbers.get(Number(parent));
  if (number !== undefined) return number;
  if (!isSeries(Number(parent))) return 0;
  numbers.set(Number(parent), numbers.size + 1);
  return numbers.size;
}

function cut({ ids, starts, dates, series }: Columns, count: number, numbers: EventWindow['numbers']): EventWindow {
  let maxId = 0;
  for (let at = 0; at < count; at++) maxId = Math.max(maxId, ids[at] ?? 0);
  return {
    ids: ids.slice(0, count),
    starts: starts.slice(0, count),
    dates: dates.slice(0, count),
    series: series.slice(0, count),
    ...{ numbers, maxId },
  };
}

/** The same after what has changed since; null if that is not known, or too much. */
function followed(connection: Connection, base: Sql, { window, change }: CachedWindow): EventWindow | null {
  const changes = changesSince(connection, change);
  if (changes === null || changes.events.size > MAX_CHANGES) return null;
  const changed = new Set(changes.events);
  for (const id of changes.series) {
    const isSeries = seriesIn(connection)(id);
    // What repeats as it did has the same number. A series that has gone is a rare thing.
    if (isSeries === window.numbers.has(id)) continue;
    if (!isSeries) return null;
    for (const event of connection.column('SELECT id FROM event WHERE parent = ?').all(id)) changed.add(Number(event));
  }
  if (changed.size === 0) return window;
  const found = connection.rows(
    `SELECT ${COLUMNS} FROM event e WHERE e.id IN (SELECT value FROM json_each(?)) AND ${base.text}
     ORDER BY e.starts_at, e.date, e.id`,
  );
  return merged(connection, window, changed, found.all(JSON.stringify([...changed]), ...base.values));
}

const seriesIn =
  ({ column }: Connection) =>
  (id: number): boolean =>
    column('SELECT 1 FROM name WHERE kind = ? AND name = ? AND id = ?').get(kindCode('series'), ALL, id) !== undefined;

/** Without the events that have changed, and with the rows that they have now. What lies between is copied as it is. */
function merged(
  connection: Connection,
  before: EventWindow,
  changed: ReadonlySet<number>,
  rows: readonly Row[],
): EventWindow {
  const gone = placesOf(before, changed);
  const into = blank(before.ids.length - gone.length + rows.length);
  const numbers = new Map(before.numbers);
  let { maxId } = before;
  let from = 0;
  let count = 0;
  let out = 0;
  const copyUpTo = (to: number): void => {
    into.ids.set(before.ids.subarray(from, to), count);
    into.starts.set(before.starts.subarray(from, to), count);
    into.dates.set(before.dates.subarray(from, to), count);
    into.series.set(before.series.subarray(from, to), count);
    count += to - from;
    from = to;
  };
  const leaveOutUpTo = (to: number): void => {
    for (let place = gone[out] ?? Infinity; place < to; place = gone[++out] ?? Infinity) {
      copyUpTo(place);
      from = place + 1;
    }
  };
  for (const row of rows) {
    const place = placeFor(row, before);
    leaveOutUpTo(place);
    copyUpTo(place);
    put(into, count++, row, numberIn(numbers, row, seriesIn(connection)));
    maxId = Math.max(maxId, Number(row[0]));
  }
  leaveOutUpTo(Infinity);
  copyUpTo(before.ids.length);
  return { ...into, numbers, maxId };
}

/** With few changes each is looked for by itself. */
const FEW = 30;

/** Where some events are, ascending. */
function placesOf({ ids }: EventWindow, some: ReadonlySet<number>): number[] {
  if (some.size <= FEW)
    return Array.from(some, (id) => ids.indexOf(id))
      .filter((at) => at >= 0)
      .sort((one, other) => one - other);
  const places: number[] = [];
  for (let at = 0; at < ids.length; at++) if (some.has(ids[at] ?? 0)) places.push(at);
  return places;
}

/** How many events are earlier than one. */
function placeFor(row: Row, window: EventWindow): number {
  let [from, to] = [0, window.ids.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isEarlier(row, window, middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function isEarlier(row: Row, { ids, starts, dates }: EventWindow, at: number): boolean {
  const [id = 0, start = 0, date = 0] = row.map(Number);
  return (start - (starts[at] ?? 0) || date - (dates[at] ?? 0) || id - (ids[at] ?? 0)) < 0;
}
