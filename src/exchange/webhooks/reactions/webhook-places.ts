// Where in the log deliveries are.

import type { Position } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Place } from '../domain/deliveries.ts';

/** Null: it is not there. */
export async function positionOf(
  store: Pick<EventStore, 'readStream'>,
  { stream, revision }: Place,
): Promise<Position | null> {
  const [event] = await store.readStream(stream, { from: revision, limit: 1 });
  return event?.position ?? null;
}

/** Of what is recorded right before a position: what is read after it begins there. */
export async function placeBefore(store: Pick<EventStore, 'readAll'>, position: Position): Promise<Place | null> {
  const [event] = await store.readAll({
    after: position,
    direction: 'backwards',
    limit: 1,
    occurrences: 'in their series',
  });
  return event ? { event: event.id, stream: event.stream, revision: event.revision } : null;
}
