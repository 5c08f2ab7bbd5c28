// Lists from a window in memory: totals and pages without reading the rows of what is not on the page.
import type { EventQuery, PageOf } from '../queries.ts';
import type { Connection } from './connection.ts';
import { type Found, filterFound, found, type Sql } from './event-filters.ts';
import { CHUNK, type EventSet } from './event-sets.ts';
import type { EventWindow } from './windows.ts';

/** Bit n stands for the id n. */
type Bitmap = Uint8Array;

/** What a list of a window is of: of all in time, or of those that one filter names. */
interface Wanted {
  readonly query: EventQuery;
  /** A SELECT of `id`s; null: all. */
  readonly lead: Sql | null;
  /** A word with more tokens than this is searched for in the texts. */
  readonly maxTokens: number;
}

/** A page of the window, and how many there are in all. */
export function listInWindow(
  connection: Connection,
  window: EventWindow,
  { query, lead, maxTokens }: Wanted,
): PageOf<number> {
  const finds = query.search ? found(connection, query.search, maxTokens) : null;
  const within = [lead && ofLead(connection, window, lead), finds?.within && flat(window, finds.within)];
  const outside = finds && finds.outside.size > 0 ? flat(window, finds.outside) : null;
  let places = placesIn(
    window,
    within.filter((bitmap) => bitmap instanceof Uint8Array),
    outside,
  );
  if (finds?.tests) places = tested(connection, window, finds, places);
  if (query.collapse) places = firstOfEach(window, places);
  const { offset, limit } = query.page;
  const items = Array.from(places.subarray(offset, offset + limit), (at) => window.ids[at] ?? 0);
  return { items, total: places.length };
}

function ofLead({ column }: Connection, { maxId }: EventWindow, { text, values }: Sql): Bitmap {
  const bitmap = new Uint8Array((maxId >> 3) + 1);
  for (const value of column(text).iterate(...values)) {
    const id = Number(value);
    if (id <= maxId) bitmap[id >> 3] = (bitmap[id >> 3] ?? 0) | (1 << (id & 7));
  }
  return bitmap;
}

function flat({ maxId }: EventWindow, set: EventSet): Bitmap {
  const bitmap = new Uint8Array((Math.floor(maxId / CHUNK) + 1) * (CHUNK / 8));
  for (const [chunk, members] of set) if (chunk * CHUNK <= maxId) bitmap.set(members, (chunk * CHUNK) / 8);
  return bitmap;
}

/** Places of the events that are in all of some bitmaps, and not in another, in the order of the window. */
function placesIn({ ids }: EventWindow, within: readonly Bitmap[], outside: Bitmap | null): Uint32Array {
  const places = new Uint32Array(ids.length);
  let count = 0;
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] ?? 0;
    if (outside && isIn(outside, id)) continue;
    let isWanted = true;
    for (const bitmap of within) isWanted &&= isIn(bitmap, id);
    if (isWanted) places[count++] = at;
  }
  return places.subarray(0, count);
}

const isIn = (bitmap: Bitmap, id: number): boolean => (((bitmap[id >> 3] ?? 0) >> (id & 7)) & 1) === 1;

function tested(connection: Connection, { ids }: EventWindow, { tests }: Found, places: Uint32Array): Uint32Array {
  const untested = Array.from(places, (at) => ids[at] ?? 0);
  const passed = new Set(filterFound(connection, { within: null, outside: new Map(), tests }, untested));
  return places.filter((at) => passed.has(ids[at] ?? 0));
}

/** Without the later dates of each series. */
function firstOfEach({ series, numbers }: EventWindow, places: Uint32Array): Uint32Array {
  const seen = new Uint8Array(numbers.size + 1);
  return places.filter((at) => {
    const number = series[at] ?? 0;
    if (number === 0) return true;
    const isFirst = seen[number] === 0;
    seen[number] = 1;
    return isFirst;
  });
}
