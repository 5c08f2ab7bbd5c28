// Folds a log stream by stream: each document is made in one go from all events of its stream.

import { changesIn } from '../../../projections/changes.ts';
import { type AnyProjection, keyOf } from '../../../projections/projection.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import { byStream, type EventMark, type EventStore, markOf } from '../../log/event-store.ts';
import type { DocumentChange } from '../read-model.ts';

/** Some complete streams. */
interface FoldedStreams {
  readonly documents: readonly DocumentChange[];
  /** How many events these streams have. */
  readonly events: number;
  /** The last of them. */
  readonly last: FoldedPlace;
}

/** A position with the mark of its event; `NOWHERE` before the first. */
export interface FoldedPlace {
  readonly upTo: Position;
  readonly mark: EventMark;
}

export const NOWHERE: FoldedPlace = { upTo: LOG_START, mark: '' };

/** Folds every stream up to a position, about in the order in which streams began. Rejections: those of the store. */
export async function* folded(
  store: Pick<EventStore, 'readByStream'>,
  projections: readonly AnyProjection[],
  upTo: Position,
): AsyncGenerator<FoldedStreams> {
  const prefixes = projections.map(({ prefix }) => prefix);
  for await (const events of store.readByStream({ upTo, prefixes }))
    yield { documents: foldStreams(events, projections), events: events.length, last: lastOf(events) };
}

function lastOf(events: readonly RecordedEvent[]): FoldedPlace {
  let last: RecordedEvent | null = null;
  for (const event of events) if (last === null || event.position > last.position) last = event;
  return last === null ? NOWHERE : { upTo: last.position, mark: markOf(last) };
}

export const later = (one: FoldedPlace, other: FoldedPlace): FoldedPlace => (other.upTo > one.upTo ? other : one);

/** The documents of complete streams. */
function foldStreams(events: readonly RecordedEvent[], projections: readonly AnyProjection[]): DocumentChange[] {
  const documents: DocumentChange[] = [];
  for (const [stream, itsEvents] of byStream(events)) {
    const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
    const key = projection && keyOf(projection, stream);
    const changes = key ? changesIn({ key, projection, events: itsEvents }, null) : [];
    for (const change of changes) if (change.document) documents.push(change);
  }
  return documents;
}
