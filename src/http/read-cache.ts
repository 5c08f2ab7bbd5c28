// Single reads of the public that have been answered before, cached per process while the version of the read model stays.
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CountedCache } from '../observability/metrics.ts';
import type { EpochSeconds } from '../time/zone.ts';
import type { HeaderLines } from './headers.ts';
import { openRecentAddresses } from './recent-addresses.ts';

/** A body that is written already, with its entity tag. Cached ones are bytes: they are not encoded for each answer. */
export interface Read {
  readonly text: string | Buffer;
  readonly etag: string;
}

/** A cached read that was found by its address alone. */
export interface RecalledRead {
  readonly body: Buffer;
  readonly etag: string;
  readonly lines: HeaderLines;
}

/** What decides whose read it is. */
export type SharedRead = Pick<FastifyRequest, 'caller' | 'given' | 'links'>;

export interface KeptReads {
  /**
   * What `make` answers for this request, or answered before for one like it. `what` names the resource. Only the public's
   * reads are shared: what a signed-in caller or one with a password sees is made anew.
   */
  find(request: SharedRead, what: string, make: () => Promise<Read>): Promise<Read>;
}

/** The same reads by the address of their requests; see `RecentAddresses`. */
export interface HotReads {
  /** Notes that a request of the public to this address was answered with `payload`, if that is a cached body. */
  remember(address: string, now: EpochSeconds, payload: unknown, lines: () => HeaderLines): void;
  recall(address: string, now: EpochSeconds): Promise<RecalledRead | null> | null;
}

const MAX_READS = 2_000;
/** Of all bodies together: a feed is large, and clients choose their Host header, which links in it name. */
const MAX_BYTES = 16 * 1_048_576;

interface CachedRead {
  readonly text: Buffer;
  readonly etag: string;
}

/** What an address leads to. */
interface Place {
  readonly key: string;
  readonly lines: HeaderLines;
}

/**
 * `version`: that of the read model; with the next one everything cached is dropped. `isBehind`: whether the log has what the
 * read model lacks; then nothing is recalled, for single reads come from the log.
 */
export function createKeptReads(
  version: () => Promise<string>,
  isBehind: () => boolean = () => false,
): KeptReads & HotReads & CountedCache {
  /** What is not shared counts as neither. */
  const counts = { hits: 0, misses: 0 };
  const reads = new LRUCache<string, CachedRead>({
    max: MAX_READS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ text }) => Math.max(1, text.length),
  });
  let keptVersion = '';
  /** What bodies are cached as: an answer with such a body is a shared one. */
  const places = new WeakMap<Buffer, { readonly key: string; readonly version: string }>();
  const addresses = openRecentAddresses<Place>(version);

  function cached(key: string, { text, etag }: Read): Read {
    if (text.length > MAX_BYTES) return { text, etag };
    const read = { text: Buffer.from(text), etag };
    reads.set(key, read);
    places.set(read.text, { key, version: keptVersion });
    return read;
  }

  function recalled({ key, lines }: Place): RecalledRead | null {
    const read = reads.get(key);
    if (read === undefined) return null;
    counts.hits += 1;
    return { body: read.text, etag: read.etag, lines };
  }

  return {
    async find({ caller, given, links }, what, make) {
      if (caller !== null || given.password !== undefined || given.context !== undefined) return make();
      const current = await version();
      if (current !== keptVersion) {
        reads.clear();
        keptVersion = current;
      }
      const key = `${links.root} ${links.site} ${links.host} ${what}`;
      const known = reads.get(key);
      counts[known ? 'hits' : 'misses'] += 1;
      if (known) return known;
      const made = await make();
      // Made of what is there now, it may be of a later version already; never of an earlier one.
      return current === keptVersion ? cached(key, made) : made;
    },
    remember(address, now, payload, lines) {
      const place = Buffer.isBuffer(payload) ? places.get(payload) : undefined;
      if (place === undefined) return;
      addresses.remember(address, { version: place.version, now }, { key: place.key, lines: lines() });
    },
    recall: (address, now) =>
      isBehind() ? null : (addresses.recall(address, now)?.then((found) => found && recalled(found.answer)) ?? null),
    counts: () => ({ ...counts }),
  };
}
