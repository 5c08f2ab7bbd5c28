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

/** Sorted, and then merged, so many at a time: each step takes a few milliseconds. */
const RUN = 4_096;

/** Sorts slots step by step; what is in order already is only looked at. */
export function* sorted(slots: Int32Array, compare: Compare): Generator<undefined, Int32Array> {
  let [from, into] = [slots.slice(), new Int32Array(slots.length)];
  for (let at = 0; at < from.length; at += RUN) {
    const run = from.subarray(at, at + RUN);
    if (!isInOrder(run, compare)) run.sort(compare);
    yield;
  }
  for (let run = RUN; run < from.length; run *= 2) {
    for (let at = 0; at < from.length; at += 2 * run)
      yield* merged(from.subarray(at, at + run), from.subarray(at + run, at + 2 * run), into.subarray(at), compare);
    [from, into] = [into, from];
  }
  return from;
}

function isInOrder(slots: Int32Array, compare: Compare): boolean {
  for (let at = 1; at < slots.length; at++) if (compare(slots[at - 1] ?? 0, slots[at] ?? 0) > 0) return false;
  return true;
}

function* merged(left: Int32Array, right: Int32Array, into: Int32Array, compare: Compare): Generator<undefined, void> {
  const length = left.length + right.length;
  if (right.length === 0 || compare(left[left.length - 1] ?? 0, right[0] ?? 0) < 0) {
    into.set(left);
    into.set(right, left.length);
    return yield;
  }
  for (let at = 0, ofLeft = 0; at < length; at++) {
    const ofRight = at - ofLeft;
    const isLeft =
      ofLeft < left.length && (ofRight === right.length || compare(left[ofLeft] ?? 0, right[ofRight] ?? 0) < 0);
    into[at] = (isLeft ? left[ofLeft++] : right[ofRight]) ?? 0;
    if (at % RUN === 0) yield;
  }
}
