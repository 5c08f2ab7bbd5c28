// Folds a log stream by stream: each document is made in one go from all events of its stream.
import { LOG_START, type Position, type RecordedEvent } from '../../src/event-store/envelope.ts';
import { type EventMark, type EventStore, markOf } from '../../src/event-store/event-store.ts';
import type { DocumentChange } from '../../src/read-model/read-model.ts';
import { type AnyProjection, changeOf, keyOf, ProjectionError } from '../projection.ts';

/** What is to be folded. */
interface FoldOptions {
  /** Inclusive. */
  readonly upTo: Position;
  /** Events from here on are omitted; null: none. */
  readonly before: Position | null;
}

/** Some complete streams. */
export interface FoldedStreams {
  readonly documents: readonly DocumentChange[];
  /** How many events these streams have, omitted ones included. */
  readonly events: number;
  /** The last of those that were folded. */
  readonly last: FoldedPlace;
  /** The earliest event that cannot be folded; its stream has no document. */
  readonly failure: ProjectionError | null;
}

/** A position with the mark of its event; `NOWHERE` before the first. */
export interface FoldedPlace {
  readonly upTo: Position;
  readonly mark: EventMark;
}

export const NOWHERE: FoldedPlace = { upTo: LOG_START, mark: '' };

/** Folds every stream once, about in the order in which streams began. Rejections: those of the store. */
export async function* folded(
  store: Pick<EventStore, 'readByStream'>,
  projections: readonly AnyProjection[],
  { upTo, before }: FoldOptions,
): AsyncGenerator<FoldedStreams> {
  const prefixes = projections.map(({ prefix }) => prefix);
  for await (const batch of store.readByStream({ upTo, prefixes })) {
    const events = before === null ? batch : batch.filter(({ position }) => position < before);
    yield { ...foldStreams(events, projections), events: batch.length, last: lastOf(events) };
  }
}

function lastOf(events: readonly RecordedEvent[]): FoldedPlace {
  let last: RecordedEvent | null = null;
  for (const event of events) if (last === null || event.position > last.position) last = event;
  return last === null ? NOWHERE : { upTo: last.position, mark: markOf(last) };
}

export const later = (one: FoldedPlace, other: FoldedPlace): FoldedPlace => (other.upTo > one.upTo ? other : one);

export const earlier = (one: ProjectionError | null, other: ProjectionError | null): ProjectionError | null =>
  one && other ? (other.position < one.position ? other : one) : (one ?? other);

/** The documents of complete, consecutive streams. */
function foldStreams(events: readonly RecordedEvent[], projections: readonly AnyProjection[]) {
  const documents: DocumentChange[] = [];
  let failure: ProjectionError | null = null;
  for (const stream of cutIntoStreams(events)) {
    try {
      const change = foldStream(stream, projections);
      if (change?.document) documents.push(change);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      failure = earlier(failure, error);
    }
  }
  return { documents, failure };
}

function* cutIntoStreams(events: readonly RecordedEvent[]): Iterable<readonly RecordedEvent[]> {
  let from = 0;
  for (let at = 1; at <= events.length; at++) {
    if (events[at]?.stream === events[from]?.stream) continue;
    yield events.slice(from, at);
    from = at;
  }
}

/** Null for a stream without a document. Throws `ProjectionError` for the first event that cannot be folded. */
function foldStream(events: readonly RecordedEvent[], projections: readonly AnyProjection[]): DocumentChange | null {
  const stream = events[0]?.stream ?? '';
  const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
  const key = projection && keyOf(projection, stream);
  if (!key) return null;
  const fold = (some: readonly RecordedEvent[]): DocumentChange => changeOf({ key, projection, events: some }, null);
  try {
    return fold(events);
  } catch (error) {
    // If a document cannot be built, an earlier event of the stream may be the cause.
    for (let count = 1; count < events.length; count++) fold(events.slice(0, count));
    throw error;
  }
}
