import type { Json, Position, RecordedEvent, Revision } from '../src/event-store/envelope.ts';
import type { Document, DocumentKey, DocumentKind } from '../src/read-model/documents.ts';

/** Where a document has got: the last event folded into it. */
export interface Place {
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * One view. `fold` may not reject: a recorded event is a fact; it throws when it cannot make sense of one, and the
 * projector then stops before it. Neither function does I/O nor looks at a clock.
 */
export interface Projection<State = unknown> {
  readonly kind: DocumentKind;
  /** Beginning of the names of its streams; the resource's id follows. */
  readonly prefix: string;
  readonly fold: (state: State | null, event: RecordedEvent) => State | null;
  /** The document of a state; called once a batch for each resource that the batch touched. */
  readonly document: (state: State, at: Place) => Document;
}

/** A projection whose state type is private to it. */
export interface AnyProjection extends Projection<unknown> {}

/** Makes a projection out of one with a known state. States travel through the read model as plain JSON. */
export const projectionOf = <State>(projection: Projection<State>): AnyProjection => ({
  kind: projection.kind,
  prefix: projection.prefix,
  // Only what this projection has put there itself comes back to it.
  fold: (state, event) => projection.fold(state as State | null, event),
  document: (state, at) => projection.document(state as State, at),
});

/** What is skipped, by position. */
export interface Skips {
  get(position: Position): Pick<RecordedEvent, 'stream' | 'revision'> | undefined;
}

/** A log that was brought into another store may have something else at a position where an event was skipped. */
export function isSkipped(skips: Skips, { position, stream, revision }: RecordedEvent): boolean {
  const skip = skips.get(position);
  return skip?.stream === stream && skip.revision === revision;
}

/**
 * The same views without what some events say: the state stays as it was before such an event, and the document counts it
 * as folded all the same. Follows, rebuilds and looks into the past that are given these agree with each other.
 */
export const withSkips = (projections: readonly AnyProjection[], skips: Skips): readonly AnyProjection[] =>
  projections.map((projection) => ({
    ...projection,
    fold: (state, event) => (isSkipped(skips, event) ? state : projection.fold(state, event)),
  }));

/** The key of the document that a stream makes, or null when its name does not end in an id. */
export function keyOf(projection: AnyProjection, stream: string): DocumentKey | null {
  const id = Number(stream.slice(projection.prefix.length));
  return Number.isSafeInteger(id) && id > 0 ? { kind: projection.kind, id } : null;
}

/** State as it is stored in a document. Domain states are plain data by construction. */
export const asJson = (state: object): Json => state as unknown as Json;
