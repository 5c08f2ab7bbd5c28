// The mark of an event: identifies the log that a read model was built from, and how far.
import type { Position, RecordedEvent } from './envelope.ts';
import type { EventStore } from './event-store.ts';

/**
 * Stream, revision and id of an event. Ids are unique and logs are append-only, so two logs that have the same mark at
 * the same position are the same log up to there. It is derived: nothing has to be written into a log to identify it.
 */
export type EventMark = string;

export const markOf = ({ stream, revision, id }: RecordedEvent): EventMark => `${stream} ${revision} ${id}`;

/** Whether the log has the event of a mark at a position. Rejections: those of the store. */
export async function hasEvent(
  store: Pick<EventStore, 'readStream'>,
  mark: EventMark,
  position: Position,
): Promise<boolean> {
  const [stream = '', revision = ''] = mark.split(' ');
  if (stream === '' || revision === '') return false;
  const [event] = await store.readStream(stream, { from: Number(revision), limit: 1 });
  return event !== undefined && markOf(event) === mark && event.position === position;
}
