// Ordered lists of slots: a slot is the number of an event in the columns of the index, and stays with it.

/** In ascending order by some comparison; the first `length` items count. */
export interface Slots {
  items: Int32Array;
  length: number;
}

/** Below zero: the first one comes first. Never zero for two different slots. */
export type Compare = (one: number, other: number) => number;

const FIRST_ITEMS = 4;

export const noSlots = (): Slots => ({ items: new Int32Array(FIRST_ITEMS), length: 0 });

function reserve(slots: Slots, length: number): void {
  if (length <= slots.items.length) return;
  const larger = new Int32Array(Math.max(length, Math.ceil(slots.items.length * 1.5)));
  larger.set(slots.items.subarray(0, slots.length));
  slots.items = larger;
}

/** How many of the slots, from the first on, pass a test that all after the first failing one fail, too. */
export function countWhile({ items, length }: Slots, passes: (slot: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(items[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const placeOf = (slots: Slots, slot: number, compare: Compare): number =>
  countWhile(slots, (other) => compare(other, slot) < 0);

export function insert(slots: Slots, slot: number, compare: Compare): void {
  const at = placeOf(slots, slot, compare);
  reserve(slots, slots.length + 1);
  slots.items.copyWithin(at + 1, at, slots.length);
  slots.items[at] = slot;
  slots.length += 1;
}

/** Adds one that comes after all others. */
export function append(slots: Slots, slot: number): void {
  reserve(slots, slots.length + 1);
  slots.items[slots.length++] = slot;
}

/** Takes out a slot whose columns are still those that it was inserted with. */
export function remove(slots: Slots, slot: number, compare: Compare): void {
  const at = placeOf(slots, slot, compare);
  if (slots.items[at] !== slot) return;
  slots.items.copyWithin(at, at + 1, slots.length);
  slots.length -= 1;
}

/** Takes out those that are gone, and merges others in: for many at once. */
export function merge(slots: Slots, isGone: (slot: number) => boolean, added: Int32Array, compare: Compare): void {
  const { items, length } = slots;
  const merged = new Int32Array(Math.max(FIRST_ITEMS, Math.ceil((length + added.length) * 1.25)));
  added.sort(compare);
  let into = 0;
  let next = 0;
  for (let at = 0; at < length; at++) {
    const slot = items[at] ?? 0;
    if (isGone(slot)) continue;
    for (; next < added.length && compare(added[next] ?? 0, slot) < 0; next++) merged[into++] = added[next] ?? 0;
    merged[into++] = slot;
  }
  for (; next < added.length; next++) merged[into++] = added[next] ?? 0;
  slots.items = merged;
  slots.length = into;
}
