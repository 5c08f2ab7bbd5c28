// How much memory this process may have, and how much of it its parts are given: what a container allows, shared out
// between its processes. Without a limit each part has what it usually has.
// decision 18
import { totalmem } from 'node:os';

/** How many processes of Daybook share the container; set by the one that starts them. */
export const PROCESSES = 'DAYBOOK_PROCESSES_OF_ALL';

const MEBIBYTE = 1_048_576;

/** Bytes that the container allows all its processes together; null: there is no limit. */
export function containerLimit(): number | null {
  const limit = process.constrainedMemory();
  return limit === 0 || limit >= totalmem() ? null : limit;
}

/** Bytes that this process may have of them. */
export function memoryLimit(): number | null {
  const limit = containerLimit();
  return limit === null ? null : Math.floor(limit / Number(process.env[PROCESSES] ?? 1));
}

/** Bytes for one part: as many as usual, or its share of the limit if those are fewer. */
export function shareOf(usual: number, part: number, limit = memoryLimit()): number {
  return limit === null ? usual : Math.min(usual, Math.floor(limit * part));
}

/** The rest is for native memory: caches of SQLite, bodies, threads, Node itself. */
const HEAP_PART = 0.5;
/** V8 has three of them. By default they grow to 64 MiB each, and stay. */
const YOUNG_PART = 1 / 64;
const MAX_YOUNG = 16 * MEBIBYTE;

/**
 * Options of Node that keep its heap within the limit; none without one. By itself Node allows a heap that is larger than
 * a small container, and can be told otherwise only before it starts.
 */
export function heapOptions(limit = memoryLimit()): string[] {
  if (limit === null) return [];
  const megabytes = (bytes: number): number => Math.max(1, Math.floor(bytes / MEBIBYTE));
  return [
    `--max-old-space-size=${megabytes(limit * HEAP_PART)}`,
    `--max-semi-space-size=${megabytes(shareOf(MAX_YOUNG, YOUNG_PART, limit))}`,
  ];
}

/** Each thread of glibc keeps a heap of its own, and what is freed there is not given back. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };
