// Answers of one version of the read model: nothing expires, but with the next version everything is dropped that is not known
// to be the same. A key contains all that an answer is made from beside the read model. Answers to the public are also found by address alone: within one
// version and one second of the clock, the same address has the same answer, so its request need not be read again.
import { LRUCache } from 'lru-cache';
import type { CountedCache } from '../../observability/metrics.ts';
import { inOneState } from '../../queries/one-state.ts';
import type { EpochSeconds } from '../../time/zone.ts';

/** As long as a version of the read model and a second of the clock last. */
export interface Moment {
  readonly version: string;
  readonly now: EpochSeconds;
}

export interface Recalled<Value, Note> {
  readonly version: string;
  readonly value: Value;
  readonly note: Note;
}

export interface VersionedCache<Value, Note> extends CountedCache {
  /**
   * What `make` answers for this key, or answered before; several that ask at once share one answer. `version` was asked
   * before anything was looked up; if it is another one afterwards, it is made again. Null is not cached.
   */
  find<Made extends Value | null>(key: string, version: string, make: () => Promise<Made>): Promise<Value | Made>;
  /** Weighs a value again that has grown. */
  weigh(key: string, value: Value): void;
  /** Notes that a request of the public to this address is answered with the value of a key. `address`: site and URL as sent. */
  remember(address: string, moment: Moment, key: string, note: Note): void;
  /** What was remembered in this very moment; null at once where there can be none. */
  recall(address: string, now: EpochSeconds): Promise<Recalled<Value, Note> | null> | null;
  /** Bytes of everything cached. */
  size(): number;
  /** Forgets everything: its memory is needed. */
  empty(): void;
}

export interface VersionedCacheOptions<Value> {
  /** The read model's version. */
  readonly version: () => Promise<string>;
  /** Of all values together; what was not asked for the longest is evicted first. 0: nothing is cached. */
  readonly maxBytes: number;
  readonly bytesOf: (value: Value) => number;
  /** See `inOneState`. */
  readonly shown: (value: Value) => string;
  /** See `inOneState`. */
  readonly parts?: 'of one state each';
  /** Whether a value of one version is that of another one, too; absent: none is. */
  readonly isSameIn?: (value: Value, made: string, now: string) => Promise<boolean>;
}

interface Entry<Value> {
  readonly value: Value;
  /** The last version of which it is known. */
  version: string;
}

/** What an entry takes beside its key and value, roughly. */
const ENTRY_BYTES = 1_024;
const MAX_ADDRESSES = 2_000;
const MAX_ADDRESS_LENGTH = 2_000;

export function openVersionedCache<Value extends object, Note>({
  version,
  maxBytes,
  bytesOf,
  shown,
  parts,
  isSameIn,
}: VersionedCacheOptions<Value>): VersionedCache<Value, Note> {
  const counts = { hits: 0, misses: 0 };
  const values = new LRUCache<string, Entry<Value>>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ value }, key) => bytesOf(value) + 2 * key.length + ENTRY_BYTES,
  });
  /** The version that was asked for last. */
  let valuesVersion = '';
  /** Values that are being made, by version and key. */
  const underWay = new Map<string, Promise<Value | null>>();
  /** Of one moment. Only keys, so that what has been evicted is not held. */
  let addresses = new Map<string, { readonly key: string; readonly note: Note }>();
  let addressesMoment: Moment = { version: '', now: Number.NaN };

  async function make<Made extends Value | null>(key: string, at: string, work: () => Promise<Made>): Promise<Made> {
    const value = await inOneState({
      ...{ version, before: at, read: work },
      shown: (made) => (made === null ? '' : shown(made)),
      ...(parts && { parts }),
    });
    // Made of what is there now, it may be of a later version already; never of an earlier one.
    if (value !== null && at === valuesVersion) values.set(key, { value, version: at });
    return value;
  }

  function makeOnce<Made extends Value | null>(key: string, at: string, work: () => Promise<Made>): Promise<Made> {
    const flight = `${at} ${key}`;
    const before = underWay.get(flight);
    // Makers of one key make the same.
    if (before !== undefined) return before as Promise<Made>;
    const made = make(key, at, work).finally(() => underWay.delete(flight));
    underWay.set(flight, made);
    return made;
  }

  async function recallNow(address: string, now: EpochSeconds): Promise<Recalled<Value, Note> | null> {
    const moment = { version: await version(), now };
    // Another moment may have begun meanwhile.
    const found = isSame(addressesMoment, moment) ? addresses.get(address) : undefined;
    const entry = found && values.get(found.key);
    if (!found || entry?.version !== moment.version) return null;
    counts.hits += 1;
    return { version: moment.version, value: entry.value, note: found.note };
  }

  /** The value of a key in this version; null if there is none. */
  async function cachedAt(key: string, at: string): Promise<Value | null> {
    const entry = values.get(key);
    if (entry === undefined) return null;
    if (entry.version === at) return entry.value;
    if (!(await isSameIn?.(entry.value, entry.version, at))) return null;
    entry.version = at;
    return entry.value;
  }

  return {
    async find(key, at, work) {
      if (at !== valuesVersion && !isSameIn) values.clear();
      valuesVersion = at;
      const cached = await cachedAt(key, at);
      counts[cached ? 'hits' : 'misses'] += 1;
      return cached ?? makeOnce(key, at, work);
    },
    weigh(key, value) {
      const entry = values.peek(key);
      if (entry?.value !== value) return;
      values.delete(key);
      values.set(key, entry);
    },
    remember(address, moment, key, note) {
      if (address.length > MAX_ADDRESS_LENGTH) return;
      if (!isSame(addressesMoment, moment)) {
        addresses = new Map();
        addressesMoment = moment;
      }
      if (addresses.size < MAX_ADDRESSES) addresses.set(address, { key, note });
    },
    recall: (address, now) => (now === addressesMoment.now && addresses.has(address) ? recallNow(address, now) : null),
    size: () => values.calculatedSize,
    empty: () => values.clear(),
    counts: () => ({ ...counts }),
  };
}

const isSame = (one: Moment, other: Moment): boolean => one.version === other.version && one.now === other.now;
