import { AGENDA } from '../src/editorial/change-sets/facts/whole-sets.ts';
import { isAboutSeries, SERIES_PREFIX, seriesOf } from '../src/editorial/series/facts/occurrences.ts';
import type { Json, Position, RecordedEvent, Revision } from '../src/log/envelope.ts';
import type { Document, DocumentKey, DocumentKind } from '../src/read-model/documents.ts';
import { CONTROL_STREAM } from '../src/read-model/projector/control.ts';

/** The last event folded into a document. */
export interface Place {
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * One projection. `fold` cannot reject an event: it is a fact. If it cannot interpret one it throws, and the resource is
 * parked (changes.ts). Neither function does I/O or reads a clock.
 */
interface Projection<State = unknown> {
  readonly kind: DocumentKind;
  /** Prefix of the names of its streams; the resource's id follows. */
  readonly prefix: string;
  readonly fold: (state: State | null, event: RecordedEvent) => State | null;
  /** The document of a state; called once per batch for each changed resource. */
  readonly document: (state: State, at: Place) => Document;
}

/** A projection whose state type is private to it. */
export interface AnyProjection extends Projection<unknown> {}

/** Makes a projection from one with a known state type. States travel through the read model as plain JSON. */
export const projectionOf = <State>(projection: Projection<State>): AnyProjection => ({
  kind: projection.kind,
  prefix: projection.prefix,
  // Only what this projection stored comes back to it.
  fold: (state, event) => projection.fold(state as State | null, event),
  document: (state, at) => projection.document(state as State, at),
});

/** The prefixes of all streams that a projector reads: what is written about others leaves its checkpoint where it is. */
export const prefixesRead = (projections: readonly Pick<AnyProjection, 'prefix'>[]): readonly string[] => [
  ...projections.map(({ prefix }) => prefix),
  AGENDA,
  CONTROL_STREAM,
];

/** Skipped events by position. */
export interface Skips {
  get(position: Position): Pick<RecordedEvent, 'stream' | 'revision'> | undefined;
}

/** A log that was moved to another store may have another event at the position of a skip. */
export function isSkipped(skips: Skips, event: RecordedEvent): boolean {
  const skip = skips.get(event.position);
  if (skip === undefined) return false;
  // Dates have an event of their own for what is unknown about their series.
  if (isAboutSeries(event)) return skip.stream === `${SERIES_PREFIX}${seriesOf(event)}`;
  return skip.stream === event.stream && skip.revision === event.revision;
}

/**
 * The same projections without skipped events: the state stays as it was before such an event, and the document counts
 * it as folded. Following the log, rebuilds and time travel with these agree with each other.
 */
export const withSkips = (projections: readonly AnyProjection[], skips: Skips): readonly AnyProjection[] =>
  projections.map((projection) => ({
    ...projection,
    fold: (state, event) => (isSkipped(skips, event) ? state : projection.fold(state, event)),
  }));

/** The key of the document of a stream, or null if its name does not end in an id. */
export function keyOf(projection: AnyProjection, stream: string): DocumentKey | null {
  const id = Number(stream.slice(projection.prefix.length));
  return Number.isSafeInteger(id) && id > 0 ? { kind: projection.kind, id } : null;
}

/** State as stored in a document. Domain states are plain data by construction. */
export const asJson = (state: object): Json => state as unknown as Json;
