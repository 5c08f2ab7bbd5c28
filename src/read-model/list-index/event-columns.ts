// A column for each member of the rows of events. An event has the same slot in all of them.

/** By slot. */
export const COLUMNS = {
  id: Float64Array,
  revision: Int32Array,
  recordedAt: Float64Array,
  startsAt: Float64Array,
  endsAt: Float64Array,
  date: Float64Array,
  author: Float64Array,
  /** 0: none. */
  parent: Float64Array,
  /** See traits.ts. */
  traits: Uint16Array,
  /** Numbers of targets: `linkCount` of `links` from `linkFrom` on. */
  linkFrom: Int32Array,
  linkCount: Int32Array,
  /** The number of its text. */
  text: Int32Array,
  textDigest: Float64Array,
} as const;

export type Columns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof Columns)[]; // Its own names.

/** Columns with room for so many events. */
export const emptyColumns = (size: number): Columns =>
  Object.fromEntries(COLUMN_NAMES.map((name) => [name, new COLUMNS[name](size)])) as Columns; // One for each.

/** What these slots have, in this order, with room for some more; a column in each step. Empty ones stay empty. */
export function* gathered(columns: Columns, places: Int32Array, spare: number): Generator<undefined, Columns> {
  const size = places.length + spare;
  const into = emptyColumns(0);
  for (const name of COLUMN_NAMES) {
    const from = columns[name];
    const column = new COLUMNS[name](from.length === 0 ? 0 : size);
    for (let at = 0; at < places.length; at++) column[at] = from[places[at] ?? 0] ?? 0;
    Object.assign(into, { [name]: column });
    yield;
  }
  return into;
}

/** Makes room for so many events. */
export function grow(columns: Columns, size: number): void {
  const larger = emptyColumns(size);
  for (const name of COLUMN_NAMES) {
    const column = larger[name];
    column.set(columns[name]);
    Object.assign(columns, { [name]: column });
  }
}
