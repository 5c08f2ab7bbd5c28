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

/** What a service takes before its first event, with what requests need for a while. */
const EMPTY_BYTES = 140 * MEBIBYTE;
/** What an event takes: in the index of lists, and in what is counted for reads of the past. Measured with 100,000 of them. */
const EVENT_BYTES = 900;
/** Above this part of the limit requests are refused. */
const USABLE_PART = 0.9;
/** What it takes more while the index of another instant is made of which little has changed since; later it takes 170. */
const PAST_BYTES = 250;
/** Above this part of the limit the public's are not gone on with. */
const PART_FOR_PAST = 0.8;

const roomFor = (bytes: number, part: number, limit: number | null): number | null =>
  limit === null ? null : Math.max(0, Math.floor((part * limit - EMPTY_BYTES) / bytes));

/** About how many events the limit has room for, while no list of another instant is asked for; null without a limit. */
export const roomForEvents = (limit = memoryLimit()): number | null => roomFor(EVENT_BYTES, USABLE_PART, limit);

/** About how many events the limit has room for while lists of other instants are asked for; null without a limit. */
export const roomForPast = (limit = memoryLimit()): number | null =>
  roomFor(EVENT_BYTES + PAST_BYTES, PART_FOR_PAST, limit);

/**
 * Of pages, for each connection to a file of SQLite, as its pragma `cache_size` has it. What it does not hold is in the cache of
 * the system, which gives way. With four times as much a process took 38 MiB more after filling 100,000 events, and no less
 * processor time. Five connections took 18 MiB of 256 with a sixty-fourth each, and what they give back stays in pieces.
 */
export const PAGE_CACHE_SIZE = -Math.floor(shareOf(16 * MEBIBYTE, 1 / 128) / 1_024);

/**
 * The rest is for native memory: columns of the index, caches of SQLite, bodies, threads, Node itself. In 256 MiB with 100,000
 * events (`test/drills/memory.ts`, two minutes) an editor had 2 answers of the past with 0.54 of them, and most of the memory was
 * garbage of the heap; with 0.45 there were 22, and 99 % of the readers were answered within a second; with 0.4 the heap was full,
 * and all were refused.
 */
const HEAP_PART = 0.45;
/**
 * Without a limit. From 2 GiB on V8 lets garbage grow to several times what is in use: after reading 100,000 events a process
 * took 577 MiB then, and 405 with this.
 */
const USUAL_HEAP = 1_024 * MEBIBYTE;
/**
 * How much garbage may grow beside what is in use before all of it is marked. By itself V8 lets it grow by a third: it weighs
 * how long that holds the event loop, and not that other threads mark for a quarter of the processor time of lists.
 */
const GROWING = '--heap-growing-percent=100';
/**
 * V8 has three of them. By default they grow to 64 MiB each, and stay. With 8 MiB a process takes 25 to 40 MiB less.
 */
const YOUNG_PART = 1 / 64;
const MAX_YOUNG = 16 * MEBIBYTE;

/** What V8 may use for what is young, of a process that was started with `heapOptions`. */
export const youngBytes = (limit = memoryLimit()): number => 3 * shareOf(MAX_YOUNG, YOUNG_PART, limit);

/**
 * Options of Node that keep its heap within the limit, or without one within what a calendar needs. By itself Node allows as
 * much as the machine has, and can be told otherwise only before it starts. `machine`: bytes that the machine has.
 */
export function heapOptions(limit = memoryLimit(), machine = totalmem()): string[] {
  const heap = limit === null ? shareOf(USUAL_HEAP, HEAP_PART, machine) : limit * HEAP_PART;
  const megabytes = (bytes: number): number => Math.floor(bytes / MEBIBYTE);
  return [
    `--max-old-space-size=${megabytes(heap)}`,
    `--max-semi-space-size=${megabytes(youngBytes(limit) / 3)}`,
    ...(limit === null ? [GROWING] : []),
  ];
}

/**
 * Each thread of glibc keeps a heap of its own, and what is freed there is not given back, unless it was large. By itself
 * glibc takes larger and larger pieces for small ones; giving them back costs processor time (a suite of services
 * took 43 s with both, 39 to 43 without), so it is asked for only within a limit.
 */
export const allocatorSettings = (limit = memoryLimit()): { readonly [variable: string]: string } => ({
  MALLOC_ARENA_MAX: '2',
  ...(limit !== null && { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }),
});
