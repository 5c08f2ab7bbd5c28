// Short reads of streams that are repeated again and again: the rules of review, the terms and venues that new events
// refer to. They are answered from memory for as long as no connection has written to the stream: 1.5 us instead of 16 each.
import { LRUCache } from 'lru-cache';
import type { ReadStreamOptions } from '../event-store.ts';
import type { Page } from './read.ts';

/** A read of more is not kept. */
const MAX_CHARACTERS = 16_384;
/** Characters of all cached events together; the least recently read stream is dropped first. */
const MAX_CHARACTERS_OF_ALL = 2 * 1_048_576;
/** Added to the characters of each cached read. */
const OVERHEAD = 200;

/** The last read of a stream: what asks for another part of it replaces it. */
interface CachedPage extends Page {
  readonly options: string;
}

/** `dataVersion` changes with every write of another connection, and tells nothing about those of this one. */
export function openRecentReads(dataVersion: () => number) {
  const streams = new LRUCache<string, CachedPage>({
    maxSize: MAX_CHARACTERS_OF_ALL,
    maxEntrySize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + OVERHEAD,
  });
  let lastVersion = dataVersion();

  return {
    /** What `read` would find now. It tells the version of the data that it has read, too. */
    find(
      stream: string,
      { from, direction, limit }: ReadStreamOptions,
      read: () => readonly [version: number, page: Page],
    ): Page {
      const options = `${direction ?? ''} ${from ?? ''} ${limit ?? ''}`;
      const last = streams.get(stream);
      if (last?.options === options && dataVersion() === lastVersion) return last;
      const [version, page] = read();
      // What is kept must not be older than what was read now.
      if (version !== lastVersion) streams.clear();
      lastVersion = version;
      streams.set(stream, { ...page, options });
      return page;
    },
    /** This connection has written to the streams. */
    forget(written: Iterable<{ readonly stream: string }>) {
      for (const { stream } of written) streams.delete(stream);
    },
  };
}
