// Sets of ids as ranges: an import of ten thousand neighbouring ids is one range, not ten thousand numbers.

export interface IdRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Each id once, smallest first. */
export function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((left, right) => left - right);
}

/** The fewest ranges that hold exactly these ids, which come ascending. */
export function rangesOf(ids: readonly number[]): IdRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids) {
    const current = ranges.at(-1);
    if (current !== undefined && current.last + 1 === id) current.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

export function isInRanges(id: number, ranges: readonly IdRange[]): boolean {
  return ranges.some((range) => range.first <= id && id <= range.last);
}

export function chunksOf(ids: readonly number[], size: number): number[][] {
  const chunks: number[][] = [];
  for (let start = 0; start < ids.length; start += size) chunks.push(ids.slice(start, start + size));
  return chunks;
}
