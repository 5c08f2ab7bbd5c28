// Long streams that are read again and again: the events read are cached, and only newer ones are read. A stream
// changes only at its end.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from './envelope.ts';
import type { EventStore } from './event-store.ts';

interface LongStreamLimits {
  /** Shorter ones are read as fast as they are looked up here. */
  readonly minEvents: number;
  /** Of the data of all cached events, as JSON; the least recently read stream is dropped first. */
  readonly maxCharacters: number;
}

const LIMITS: LongStreamLimits = { minEvents: 200, maxCharacters: 16 * 1_048_576 };

/** Events per read, before others get a turn. */
const PORTION = 250;

interface Cached {
  readonly events: readonly RecordedEvent[];
  readonly characters: number;
}

/** Below decryption: events are cached as stored. */
export function withLongStreams(store: EventStore, limits: LongStreamLimits = LIMITS): EventStore {
  const cached = new LRUCache<string, Cached>({
    maxSize: limits.maxCharacters,
    sizeCalculation: ({ characters }) => characters,
  });

  /** `weigh` is called only for what is cached: it takes time for long texts. */
  function cache(stream: string, events: readonly RecordedEvent[], weigh: () => number): void {
    if (events.length < limits.minEvents) cached.delete(stream);
    else cached.set(stream, { events, characters: weigh() });
  }

  /** Null if the stream is another one than before: its log has been replaced. */
  async function readOn(
    stream: string,
    { events, characters: before }: Cached,
  ): Promise<readonly RecordedEvent[] | null> {
    const last = events.at(-1);
    const portions = portionsFrom(stream, last?.revision ?? 0);
    const [same, ...later] = (await portions.next()).value ?? [];
    if (same?.id !== last?.id || same?.position !== last?.position) return null;
    for await (const portion of portions) later.push(...portion);
    const all = later.length === 0 ? events : [...events, ...later];
    cache(stream, all, () => before + sizeOf(later));
    return all;
  }

  async function readWhole(stream: string): Promise<readonly RecordedEvent[]> {
    const entry = cached.get(stream);
    const continued = entry ? await readOn(stream, entry) : null;
    if (continued) return continued;
    cached.delete(stream);
    const events: RecordedEvent[] = [];
    for await (const portion of portionsFrom(stream, 0)) events.push(...portion);
    cache(stream, events, () => sizeOf(events));
    return events;
  }

  /** The events of a stream from a revision on. */
  async function* portionsFrom(stream: string, from: number): AsyncGenerator<RecordedEvent[], undefined, undefined> {
    for (let next = from; ; ) {
      const portion = await store.readStream(stream, { from: next, limit: PORTION });
      yield portion;
      const last = portion.at(-1);
      if (!last || portion.length < PORTION) return undefined;
      next = last.revision + 1;
      await nextTurn();
    }
  }

  return {
    ...store,
    async readStream(stream, options = {}) {
      const isWhole = Object.values(options).every((option) => option === undefined);
      return isWhole ? [...(await readWhole(stream))] : store.readStream(stream, options);
    },
  };
}

function sizeOf(events: readonly RecordedEvent[]): number {
  let size = 0;
  for (const { data } of events) size += JSON.stringify(data).length;
  return size;
}
