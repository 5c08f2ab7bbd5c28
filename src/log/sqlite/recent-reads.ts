// Short reads of streams that are repeated again and again: the rules of review, the terms and venues that new events
// refer to. They are answered from memory for as long as no connection has written to the stream: 1.5 us instead of 16 each.
import { LRUCache } from 'lru-cache';
import type { ReadStreamOptions } from '../event-store.ts';
import type { Page } from './read.ts';

/** A read of more is not kept. */
const MAX_CHARACTERS = 16_384;
/** Of all cached events together; the least recently read stream is dropped first. */
const MAX_CHARACTERS_OF_ALL = 2 * 1_048_576;
/** Added to the characters of each cached read. */
const OVERHEAD = 200;

interface RecentReads {
  /** What a read would find now; undefined: that is not known. */
  find(stream: string, options: ReadStreamOptions): Page | undefined;
  /** What a read has found now. */
  keep(stream: string, options: ReadStreamOptions, page: Page): void;
  /** This connection has written to the streams. */
  forget(written: Iterable<{ readonly stream: string }>): void;
}

/** The last read of a stream: what asks for another part of it replaces it. */
interface Kept extends Page {
  readonly options: string;
}

const textOf = ({ from, direction, limit }: ReadStreamOptions): string =>
  `${direction ?? ''} ${from ?? ''} ${limit ?? ''}`;

/** `dataVersion` changes with every write of another connection, and tells nothing about those of this one. */
export function openRecentReads(dataVersion: () => number): RecentReads {
  const streams = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS_OF_ALL,
    maxEntrySize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + OVERHEAD,
  });
  /** All reads are of this version, or of a newer one. */
  let seen = dataVersion();

  return {
    find(stream, options) {
      const last = streams.get(stream);
      if (last?.options !== textOf(options)) return undefined;
      const version = dataVersion();
      if (version === seen) return last;
      streams.clear();
      seen = version;
      return undefined;
    },
    keep(stream, options, page) {
      streams.set(stream, { ...page, options: textOf(options) });
    },
    forget(written) {
      for (const { stream } of written) streams.delete(stream);
    },
  };
}
