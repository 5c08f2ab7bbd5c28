// For writers that continue a stream wherever it ends.
import type { EventStore, ExpectedRevision } from '../../src/log/event-store.ts';

/** What an append behind the last event of a stream expects. */
export async function endOf(store: Pick<EventStore, 'readStream'>, stream: string): Promise<ExpectedRevision> {
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  return last?.revision ?? 'no_stream';
}
