// Short reads of streams that are repeated again and again: the rules of review, the terms and venues that new events
// refer to. They are answered from memory for as long as no connection has written to the stream: 1.5 us instead of 16 each.
import { LRUCache } from 'lru-cache';
import { lookAnew } from '../../kernel/event-loop/one-look.ts';
import type { ReadStreamOptions } from '../event-store.ts';
import type { Page } from './read.ts';

/** A read of more is not kept: events, and characters of all of them. */
const MAX_EVENTS = 8;
const MAX_CHARACTERS = 16_384;
/** Of all cached events together; the least recently read stream is dropped first. */
const MAX_CHARACTERS_OF_ALL = 2 * 1_048_576;
/** Added to the characters of each cached read. */
const OVERHEAD = 200;

interface RecentReads {
  /** What `read` would find now. */
  find(stream: string, options: ReadStreamOptions, read: () => Page): Page;
  /** This connection has written to the streams. */
  forget(written: Iterable<{ readonly stream: string }>): void;
}

/** The last read of a stream: what asks for another part of it replaces it. */
interface Kept extends Page {
  readonly options: string;
}

/** `dataVersion` changes with every write of another connection, and tells nothing about those of this one. */
export function openRecentReads(dataVersion: () => number): RecentReads {
  const streams = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS_OF_ALL,
    maxEntrySize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + OVERHEAD,
  });
  let seen = dataVersion();

  return {
    find(stream, { from, direction, limit }, read) {
      const options = `${direction ?? ''} ${from ?? ''} ${limit ?? ''}`;
      const last = streams.get(stream);
      const cached = last?.options === options ? last : null;
      // What is kept must not be older than what is read now.
      if (cached === null) lookAnew();
      const current = dataVersion();
      if (cached !== null && current === seen) return { ...cached, events: [...cached.events] };
      if (current !== seen) streams.clear();
      seen = current;
      const page = read();
      const isShort = page.events.length <= MAX_EVENTS && !page.isFull;
      if (isShort) streams.set(stream, { ...page, options, events: [...page.events] });
      return page;
    },
    forget(written) {
      for (const { stream } of written) streams.delete(stream);
    },
  };
}
