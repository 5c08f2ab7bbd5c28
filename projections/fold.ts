// What events change in documents: the fold of each projection over a batch, without I/O of its own.
import type { Position, RecordedEvent } from '../src/event-store/envelope.ts';
import type { Document, DocumentKey } from '../src/read-model/documents.ts';
import type { DocumentChange, ReadModel } from '../src/read-model/read-model.ts';
import { type AnyProjection, keyOf } from './projection.ts';

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
    return { key, document: state === null ? null : projection.document(state, { revision, position }) };
  } catch (error) {
    throw new ProjectionError(last.position, error);
  }
}
