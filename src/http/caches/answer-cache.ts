// The one cache of finished answers of a process, in every role: lists, single reads, pages and feeds, also of other moments. It is bounded
// by bytes, and what was not asked for the longest goes first. `npm run bench -- reading` measures with it a repeated list of 48 kB at 40 to
// 65 us of processor time, and the same list made anew at 1,200 to 1,500 us.
//
// An answer is used for one version of the read model: nothing expires, but in the next version it counts only if it is known
// to be the same. A key contains all that an answer is made from beside the read model.
// decision 13

import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import { shareOf } from '../../kernel/memory/limit.ts';
import { openRepeated } from '../../kernel/memory/repeated.ts';
import type { CountedCache } from '../../observability/metrics.ts';
import { inOneState } from '../../queries/one-state.ts';

export type AnswerCache = ReturnType<typeof openAnswerCache>;

/** Answers of one kind. */
interface CachedAnswers<Value> extends CountedCache {
  /**
   * What `make` answers for this key, or answered before; several that ask at once share one answer. `version` was asked
   * before anything was looked up; if it is another one afterwards, it is made again. Null is not cached.
   */
  find<Made extends Value | null>(key: string, version: string, make: () => Promise<Made>): Promise<Value | Made>;
  /** Weighs a value again that has grown. */
  weigh(key: string, value: Value): void;
  /** How to find what is cached for this key, if it is known to be of a version; null: nothing is cached. */
  holding(key: string): ((version: string) => Value | null) | null;
}

interface AnswerKind<Value> {
  /** No other kind has it. */
  readonly name: string;
  /** The version of what the answers are made from. */
  readonly version: () => string | Promise<string>;
  readonly bytesOf: (value: Value) => number;
  /** See `inOneState`. */
  readonly content: (value: Value) => string;
  /** See `inOneState`. */
  readonly parts?: 'of one state each';
  /** Whether a value of one version is that of another one, too; absent: none is. */
  readonly isSameIn?: (value: Value, since: string, now: string) => Promise<boolean>;
  /**
   * `repeated`: only what is asked for again lately. Most lists and single reads are asked for once. First-time lists that were kept
   * were a fifth of the processor time of the next ones: they were moved twice, and the old generation was collected for them.
   */
  readonly keeps?: 'all' | 'repeated';
}

interface Entry {
  readonly value: object;
  readonly bytes: () => number;
  /** The last version of which it is known. */
  version: string;
}

/** What an entry takes beside its key and value, roughly. */
const ENTRY_BYTES = 1_024;

/** A thousand lists of twelve events and more. With twice as much a process that had read 6,000 different ones took 70 MiB more. */
const MAX_BYTES = shareOf(48 * 1_048_576, 1 / 16);

/** `maxBytes`: of all answers together; 0: none is cached. */
export function openAnswerCache(maxBytes = MAX_BYTES) {
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ bytes }, key) => bytes() + 2 * key.length + ENTRY_BYTES,
  });
  return {
    /** The answers of one kind. */
    kind: <Value extends object>(kind: AnswerKind<Value>) => answersOf(entries, kind),
    /** Bytes of everything cached. */
    size: () => entries.calculatedSize,
    /** Forgets everything: its memory is needed. */
    empty: () => entries.clear(),
  };
}

function answersOf<Value extends object>(
  entries: LRUCache<string, Entry>,
  { name, version, bytesOf, content, parts, isSameIn, keeps = 'all' }: AnswerKind<Value>,
): CachedAnswers<Value> {
  const counts = { hits: 0, misses: 0 };
  const isRepeated = openRepeated();
  /** The version that was asked for last. */
  let newest = '';
  /** Values that are being made, by version and key. */
  const making = singleFlight<Value | null>();

  const placeOf = (key: string): string => `${name} ${key}`;

  async function make<Made extends Value | null>(key: string, at: string, work: () => Promise<Made>): Promise<Made> {
    const value = await inOneState({
      version,
      startVersion: at,
      read: work,
      content: (answer) => (answer === null ? '' : content(answer)),
      ...(parts && { parts }),
    });
    // Made of what is there now, it may be of a later version already; never of an earlier one.
    if (value !== null && at === newest && (keeps === 'all' || isRepeated(crc32(placeOf(key)))))
      entries.set(placeOf(key), { value, bytes: () => bytesOf(value), version: at });
    return value;
  }

  // Makers of one key make the same.
  const makeOnce = <Made extends Value | null>(key: string, at: string, work: () => Promise<Made>) =>
    making(`${at} ${key}`, () => make(key, at, work)) as Promise<Made>;

  /** The value of a key in this version; null if there is none. */
  async function cachedAt(key: string, at: string): Promise<Value | null> {
    const entry = entries.get(placeOf(key));
    if (entry === undefined) return null;
    const value = entry.value as Value; // Of this kind, as its place says.
    if (entry.version === at) return value;
    if (!(await isSameIn?.(value, entry.version, at))) return null;
    entry.version = at;
    return value;
  }

  return {
    async find(key, at, work) {
      newest = at;
      const cached = await cachedAt(key, at);
      counts[cached ? 'hits' : 'misses'] += 1;
      return cached ?? makeOnce(key, at, work);
    },
    weigh(key, value) {
      const place = placeOf(key);
      const entry = entries.peek(place);
      if (entry?.value !== value) return;
      entries.delete(place);
      entries.set(place, entry);
    },
    holding(key) {
      // One text: that of a list is long, and a new one is read through each time.
      const place = placeOf(key);
      if (!entries.has(place)) return null;
      return (at) => {
        const entry = entries.get(place);
        if (entry?.version !== at) return null;
        counts.hits += 1;
        return entry.value as Value; // As above.
      };
    },
    counts: () => ({ ...counts }),
  };
}
