// A store that caches reads: an import reads the same terms, venues and slugs thousands of times.
import { LRUCache } from 'lru-cache';
import { seriesOf } from '../../../editorial/series/facts/occurrences.ts';
import type { RecordedEvent } from '../../../log/envelope.ts';
import type { AppendOutcome, EventStore, StreamAppend } from '../../../log/event-store.ts';
import { excerpt } from '../../../log/excerpt.ts';

/** Limit of cached streams; the least recently read one is dropped first. */
const MAX_STREAMS = 10_000;
/** Long streams that are read only at their end. */
const NOT_CACHED = 'ids-';
/** These streams are not read again after they are written. */
const WRITTEN_ONCE = /^(?:event|request)-/;

/**
 * For the duration of one import. Appends of other processes to a cached stream are noticed where it matters: an append
 * that was decided on an old state conflicts, then the stream is read anew and the command decides again.
 */
export function openCachingStore(store: EventStore): EventStore {
  const cached = new LRUCache<string, readonly RecordedEvent[]>({ max: MAX_STREAMS });

  async function whole(stream: string): Promise<readonly RecordedEvent[]> {
    const before = cached.get(stream);
    if (before) return before;
    const events = await store.readStream(stream);
    // What a series says about a date changes without an append to this stream.
    if (events.some((event) => seriesOf(event) !== undefined)) return events;
    cached.set(stream, events);
    return events;
  }

  function learn(appends: readonly StreamAppend[], outcome: AppendOutcome): void {
    if (outcome.kind === 'conflict') {
      for (const { stream } of appends) cached.delete(stream);
      return;
    }
    for (const [index, { stream, expected, events }] of appends.entries()) {
      const end = outcome.written[index];
      const before = cached.get(stream) ?? (expected === 'no_stream' ? [] : undefined);
      // A read during an append may see either state; only a matching one is continued.
      const fits = before !== undefined && end?.revision === before.length + events.length - 1;
      if (!fits || WRITTEN_ONCE.test(stream)) cached.delete(stream);
      else cached.set(stream, [...before, ...recorded(stream, events, before.length, end.position)]);
    }
  }

  return {
    async append(appends) {
      const outcome = await store.append(appends);
      learn(appends, outcome);
      return outcome;
    },
    async readStream(stream, options) {
      if (stream.startsWith(NOT_CACHED)) return store.readStream(stream, options);
      return excerpt(await whole(stream), options);
    },
    readAll: (options) => store.readAll(options),
    readByStream: (options) => store.readByStream(options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    close: () => store.close(),
  };
}

/** The events of an append as stored; all but the last get the position of the last. */
const recorded = (
  stream: string,
  events: StreamAppend['events'],
  first: number,
  position: string,
): readonly RecordedEvent[] => events.map((event, index) => ({ ...event, stream, revision: first + index, position }));
