// Short reads of streams that are repeated again and again: the rules of review, the terms and venues that new events
// refer to. They are answered from memory for as long as no connection has written to the stream.
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../envelope.ts';
import type { ReadStreamOptions } from '../event-store.ts';
import { parseEvent } from './read.ts';

/** A read of more is not kept: events, and characters of all of them as JSON. */
const MAX_EVENTS = 8;
const MAX_CHARACTERS = 16_384;
/** Of all that is kept; the least recently read stream is dropped first. */
const MAX_CHARACTERS_OF_ALL = 2 * 1_048_576;
/** What is counted for a read beside its events. */
const OVERHEAD = 200;
/** Different reads of one stream. */
const MAX_READS = 8;

interface RecentReads {
  /** The events whose texts `read` would find now. */
  find(stream: string, options: ReadStreamOptions, read: () => readonly string[]): RecordedEvent[];
  /** This connection has written to the streams. */
  forget(written: Iterable<{ readonly stream: string }>): void;
}

interface Kept {
  readonly reads: ReadonlyMap<string, readonly RecordedEvent[]>;
  readonly characters: number;
}

const NOTHING: Kept = { reads: new Map(), characters: 0 };

/** `dataVersion` changes with every write of another connection, and tells nothing about those of this one. */
export function openRecentReads(dataVersion: () => number): RecentReads {
  const streams = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS_OF_ALL,
    sizeCalculation: ({ characters }) => characters,
  });
  let seen = dataVersion();

  function keep(stream: string, key: string, events: readonly RecordedEvent[], characters: number): void {
    const kept = streams.get(stream) ?? NOTHING;
    const before = kept.reads.size < MAX_READS ? kept : NOTHING;
    streams.set(stream, {
      reads: new Map([...before.reads, [key, events]]),
      characters: before.characters + characters + OVERHEAD,
    });
  }

  return {
    find(stream, { from, direction, limit }, read) {
      const current = dataVersion();
      if (current !== seen) streams.clear();
      seen = current;
      const key = `${direction ?? ''} ${from ?? ''} ${limit ?? ''}`;
      const cached = streams.get(stream)?.reads.get(key);
      if (cached) return [...cached];
      const texts = read();
      const events = texts.map(parseEvent);
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      if (texts.length <= MAX_EVENTS && characters <= MAX_CHARACTERS) keep(stream, key, events, characters);
      return [...events];
    },
    forget(written) {
      for (const { stream } of written) streams.delete(stream);
    },
  };
}
