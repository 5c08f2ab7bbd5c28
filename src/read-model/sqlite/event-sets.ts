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
