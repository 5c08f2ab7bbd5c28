// What cannot be given back of the memory in use: not the pages of files, which the system drops when it needs room.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { youngBytes } from './limit.ts';

const GROUPS = '/sys/fs/cgroup';
/** The part of the old heap that may be used. When measured, processes ended at 86 % of it. */
const OLD_PART = 0.85;
/** Of the old heap: what is in use beyond what a collection left may be garbage, up to this. More is not waited for. */
const GARBAGE_PART = 0.2;
const PAGE_BYTES = 4_096;

/**
 * How much of what it may have is in use, from 0 to 1: of the container's `limit`, or of the heap of this thread where
 * that is nearer to its end.
 */
export function openUsage(limit: number | null): () => number {
  const bytes = limit === null ? null : openBytesInUse();
  const old = getHeapStatistics().heap_size_limit - youngBytes();
  const heap = openHeapInUse({
    used: () => getHeapStatistics().used_heap_size,
    garbage: GARBAGE_PART * old,
    onCollected: tellCollections,
  });
  return () => {
    // V8 ends a process when it collects again and again and finds little, which is some way before what is old is full.
    return Math.max(heap() / (OLD_PART * old), bytes === null || limit === null ? 0 : bytes() / limit);
  };
}

interface Heap {
  /** Bytes, with what is garbage. */
  readonly used: () => number;
  /** Bytes that may be garbage. */
  readonly garbage: number;
  /** Has it called behind each collection of the whole heap. */
  readonly onCollected: (collected: () => void) => void;
}

/**
 * Bytes of the heap that cannot be given back: what the last collection of the whole heap left. V8 lets garbage pile up
 * until the heap is nearly full: counted as in use, it had most readers refused in 256 MB while a fifth of the heap was free.
 */
export function openHeapInUse({ used, garbage, onCollected }: Heap): () => number {
  let left = 0;
  onCollected(() => {
    left = used();
  });
  return () => {
    const now = used();
    left = Math.min(left, now);
    return Math.max(left, now - garbage);
  };
}

/** An entry of type `gc`, as Node makes it. */
interface Collection {
  readonly detail: { readonly kind: number };
}

function tellCollections(collected: () => void): void {
  const watching = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map((entry) => (entry as unknown as Collection).detail.kind);
    if (kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) collected();
  });
  watching.observe({ entryTypes: ['gc'] });
}

/**
 * How to measure the bytes: of the whole container, because it is the container whose memory ends; of this process where the
 * system does not tell. What the kernel holds for it counts as well: without that 6 MiB were missing, and a kill came at 95 %.
 */
export function openBytesInUse(read = (file: string): string => readFileSync(file, 'utf8')): () => number {
  for (const group of groupsIn(readOrNull(read, '/proc/self/cgroup') ?? ''))
    if (inGroup(read, group) !== null) return () => inGroup(read, group) ?? process.memoryUsage.rss();
  return () => ofProcess(readOrNull(read, '/proc/self/statm')) ?? process.memoryUsage.rss();
}

/** Where the memory of a container is told. */
interface Group {
  readonly folder: string;
  /** All of it. */
  readonly usage: string;
  /** What `memory.stat` puts before the names of its parts. */
  readonly prefix: string;
}

/** By what a process says of its groups: under its path, or at the root of what a container sees. */
function groupsIn(text: string): Group[] {
  return text.split('\n').flatMap((line): Group[] => {
    const [, controllers, group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers !== '' && controllers !== 'memory') return [];
    const [root, usage, prefix] =
      controllers === ''
        ? [GROUPS, 'memory.current', '']
        : [path.join(GROUPS, 'memory'), 'memory.usage_in_bytes', 'total_'];
    return [group, ''].map((place) => ({ folder: path.join(root, place), usage, prefix }));
  });
}

/** Without the pages of files. Null: it is not told here. */
function inGroup(read: (file: string) => string, { folder, usage, prefix }: Group): number | null {
  const [all, parts] = [usage, 'memory.stat'].map((name) => readOrNull(read, path.join(folder, name)));
  if (all === null || all === undefined || parts === null || parts === undefined) return null;
  const part = (name: string): number => Number(new RegExp(`^${prefix}${name} (\\d+)$`, 'm').exec(parts)?.[1] ?? 0);
  return Number(all) - part('active_file') - part('inactive_file');
}

function ofProcess(text: string | null): number | null {
  const [, resident, shared] = (text ?? '').split(' ').map(Number);
  return resident === undefined || shared === undefined ? null : (resident - shared) * PAGE_BYTES;
}

function readOrNull(read: (file: string) => string, file: string): string | null {
  try {
    return read(file);
  } catch {
    return null;
  }
}
