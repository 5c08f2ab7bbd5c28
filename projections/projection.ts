import type { Json, Position, RecordedEvent, Revision } from '../src/event-store/envelope.ts';
import { AGENDA } from '../src/facts/whole-sets.ts';
import type { Document, DocumentKey, DocumentKind } from '../src/read-model/documents.ts';
import type { DocumentChange, ReadModel } from '../src/read-model/read-model.ts';

/** The last event folded into a document. */
export interface Place {
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * One projection. `fold` cannot reject an event: it is a fact. If it cannot interpret one it throws, and the projector
 * stops before it. Neither function does I/O or reads a clock.
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
];

/** Skipped events by position. */
export interface Skips {
  get(position: Position): Pick<RecordedEvent, 'stream' | 'revision'> | undefined;
}

/** A log that was moved to another store may have another event at the position of a skip. */
export function isSkipped(skips: Skips, { position, stream, revision }: RecordedEvent): boolean {
  const skip = skips.get(position);
  return skip?.stream === stream && skip.revision === revision;
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

// What events change in documents: the fold of each projection over a batch, without I/O of its own.

/** An event that a projection cannot fold. */
export class ProjectionError extends Error {
  readonly position: Position;
  override readonly cause: unknown;

  constructor(position: Position, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.position = position;
    this.cause = cause;
  }
}

/**
 * What a batch of events changes. Each document is fetched and rendered once, however many of its events the batch has.
 * Events that a document has already folded (a retried batch) are skipped by revision.
 */
export async function changesOf(
  events: readonly RecordedEvent[],
  projections: readonly AnyProjection[],
  readModel: Pick<ReadModel, 'fetch'>,
): Promise<DocumentChange[]> {
  const touched = new Map<string, { key: DocumentKey; projection: AnyProjection; events: RecordedEvent[] }>();
  for (const event of events) {
    const entry = touched.get(event.stream);
    if (entry) {
      entry.events.push(event);
      continue;
    }
    const projection = projections.find(({ prefix }) => event.stream.startsWith(prefix));
    const key = projection && keyOf(projection, event.stream);
    if (key) touched.set(event.stream, { key, projection, events: [event] });
  }
  const entries = [...touched.values()];
  // A stream whose first event is in the batch has no document yet.
  const older = entries.filter((entry) => entry.events[0]?.revision !== 0);
  const fetched = older.length === 0 ? [] : await readModel.fetch(older.map(({ key }) => key));
  const documents = new Map(older.map((entry, index) => [entry, fetched[index] ?? null]));
  return entries.map((entry) => changeOf(entry, documents.get(entry) ?? null));
}

/** What the events of one stream change in its document. Throws `ProjectionError`. */
export function changeOf(
  { key, projection, events }: { key: DocumentKey; projection: AnyProjection; events: readonly RecordedEvent[] },
  document: Document | null,
): DocumentChange {
  let state: unknown = document?.state ?? null;
  let last: RecordedEvent | null = null;
  for (const event of events) {
    if (document && event.revision <= document.revision) continue;
    try {
      state = projection.fold(state, event);
    } catch (error) {
      throw new ProjectionError(event.position, error);
    }
    last = event;
  }
  if (!last) return { key, document };
  try {
    const { revision, position } = last;
    const after = state === null ? null : projection.document(state, { revision, position });
    return { key, document: after };
  } catch (error) {
    throw new ProjectionError(last.position, error);
  }
}
