// What a cache tells of itself.

/** How often something was found, and how often it had to be made, since the start. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

export interface CountedCache {
  counts(): CacheCounts;
}
