// A store for dry runs: reads what is stored, keeps appends in memory, and discards them at the end.

import { seriesOf } from '../editorial/series/facts/occurrences.ts';
import { openQueue } from '../kernel/event-loop/shared-work.ts';
import type { RecordedEvent } from '../log/envelope.ts';
import type { AppendOutcome, EventStore, StreamAppend } from '../log/event-store.ts';
import { excerpt } from '../log/excerpt.ts';

/** Only `readStream`, which commands use, sees appended events. The log as a whole is the one underneath. */
export function openDryRunStore(store: EventStore): EventStore {
  const added = new Map<string, RecordedEvent[]>();

  async function whole(stream: string): Promise<readonly RecordedEvent[]> {
    const more = added.get(stream) ?? [];
    const stored = await store.readStream(stream);
    // What a series says about a date is in no stream of its own yet.
    return stored.every((event) => seriesOf(event) !== undefined) ? more : [...stored, ...more];
  }

  async function conflictIn(appends: readonly StreamAppend[]): Promise<AppendOutcome | null> {
    /** A stream may be appended to more than once. */
    const ends = new Map<string, number>();
    for (const { stream, expected, events } of appends) {
      const end = ends.get(stream) ?? (await whole(stream)).at(-1)?.revision ?? -1;
      const actual = end < 0 ? 'no_stream' : end;
      ends.set(stream, end + events.length);
      if (expected !== actual) return { kind: 'conflict', stream, actual };
    }
    return null;
  }

  // One append after the other: none may come between a check and its consequence.
  const inTurn = openQueue();
  async function appendNow(appends: readonly StreamAppend[]): Promise<AppendOutcome> {
    const conflict = await conflictIn(appends);
    if (conflict) return conflict;
    const written: { revision: number; position: string }[] = [];
    for (const { stream, events } of appends) {
      const known = await whole(stream);
      const position = known.at(-1)?.position ?? '';
      const recorded = events.map((event, index) => ({ ...event, stream, revision: known.length + index, position }));
      added.set(stream, [...(added.get(stream) ?? []), ...recorded]);
      written.push({ revision: known.length + events.length - 1, position });
    }
    return { kind: 'appended', written };
  }

  return {
    append: (appends) => inTurn(() => appendNow(appends)),
    async readStream(stream, options = {}) {
      const more = added.get(stream);
      if (!more) return store.readStream(stream, options);
      return excerpt(await whole(stream), options);
    },
    readAll: (options) => store.readAll(options),
    readByStream: (options) => store.readByStream(options),
    subscribe: (options) => store.subscribe(options),
    head: () => store.head(),
    async close() {},
  };
}
