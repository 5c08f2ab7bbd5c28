// Which events may be linked to a resource: all that have ever named it. The log is read, because the read model may lag
// and its lists leave hidden events out.
import { setImmediate as endOfRound } from 'node:timers/promises';
import { type Mentions, noteMentions } from '../../../calendar/resource/commands/references.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { ALL_EVENTS, EVENT_PREFIX } from '../../series/facts/occurrences.ts';

/** Read at once; other requests have their turn in between. */
const BATCH = 200;

/** Ids of the events that have ever named the resource of a stream, ascending. Called again, it reads on. */
export function eventsThatMentioned(store: Pick<EventStore, 'readAll'>, stream: string): () => Promise<number[]> {
  const mentions: Mentions = new Map();
  let after: Position = LOG_START;
  return async () => {
    for (;;) {
      const batch: readonly RecordedEvent[] = await store.readAll({ after, limit: BATCH, prefixes: ALL_EVENTS });
      for (const event of batch) noteMentions(mentions, (named) => named === stream, event);
      const last = batch.at(-1);
      if (!last) break;
      after = last.position;
      await endOfRound();
    }
    const streams = [...(mentions.get(stream) ?? [])];
    return streams.map((one) => Number(one.slice(EVENT_PREFIX.length))).sort((one, other) => one - other);
  };
}
