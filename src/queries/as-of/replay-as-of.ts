// Builds the public calendar as of an instant: the log is read stream by stream, and each is folded up to that instant
// for its state then, and to its end for what may still be shown.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readControl } from '../../../projections/engine/control.ts';
import { type AnyProjection, changeOf, keyOf, ProjectionError, withSkips } from '../../../projections/projection.ts';
import { instantOf, LOG_START, type Position, type RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Document, EventDocument, TermDocument } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { type AsOfDocumentOptions, documentAsOf, isOpenToday } from './as-of-documents.ts';
import { noRevisions, noteRevision, type Revisions } from './revisions.ts';

export interface AsOfOptions extends AsOfDocumentOptions {
  readonly at: EpochSeconds;
  /** Inclusive: the known end of the log. */
  readonly upTo: Position;
}

/** Properties of such a calendar besides its documents. */
export interface ReplaySummary {
  /** All instants from the first to before the second show the same; infinite if nothing is recorded. */
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
  /** Categories and tags as they were then, deleted ones as redirects. */
  readonly terms: readonly TermDocument[];
  /** Ids of terms that have been deleted since. */
  readonly closedTerms: ReadonlySet<number>;
  /** Ids of terms and how many of their events were public then and have been closed since. */
  readonly closedCounts: ReadonlyMap<number, number>;
  /** Approximate memory of the read model. */
  readonly bytes: number;
}

/** Documents written at once, and their characters: a short block of the event loop. */
const PORTION = { documents: 128, characters: 500_000 };
/** A whole document has its texts as state, for search and as fragments. */
const TEXTS_OF_PRESENT = 3;
/** Approximate size of a document in indexes and members besides its texts. */
const DOCUMENT_BYTES = 1_500;

/** Lists as of an instant are built from these. */
export const withoutUsers = (projections: readonly AnyProjection[]): readonly AnyProjection[] =>
  projections.filter(({ kind }) => !['user', 'proposal', 'picture'].includes(kind));

/** Documents in portions, then the other properties. */
export type ReplayedDocuments = AsyncGenerator<readonly Document[], ReplaySummary>;

/**
 * Builds the documents of an instant. In each stream everything before the first event that was recorded later counts,
 * as in single reads as of an instant. Others get their turn between portions. Throws `ProjectionError` if an earlier
 * event cannot be folded: nothing is guessed.
 */
export async function* replayAsOf(
  store: Pick<EventStore, 'readByStream' | 'readStream'>,
  projections: readonly AnyProjection[],
  { upTo, at, ...options }: AsOfOptions,
): AsyncGenerator<readonly Document[], ReplaySummary> {
  const folding = withSkips(withoutUsers(projections), (await readControl(store)).skips);
  const gathered = gatherer();
  let documents: Document[] = [];
  let characters = 0;
  for await (const batch of store.readByStream({ upTo, prefixes: folding.map(({ prefix }) => prefix) })) {
    for (const events of streamsIn(batch)) {
      const document = documentOf(events, at, folding, options, gathered);
      if (!document) continue;
      documents.push(document);
      characters += shownCharacters(document);
      if (documents.length < PORTION.documents && characters < PORTION.characters) continue;
      yield documents;
      documents = [];
      characters = 0;
      await nextTurn();
    }
  }
  yield documents;
  return gathered.result();
}

/** Whole documents of the present, for a read model that goes on following the log; in portions. */
export type PresentDocuments = AsyncGenerator<readonly Document[], null>;

/** The same for the present: every document as its projection makes it. */
export async function* replayPresent(
  store: Pick<EventStore, 'readByStream' | 'readStream'>,
  projections: readonly AnyProjection[],
  upTo: Position,
): AsyncGenerator<readonly Document[], null> {
  const folding = withSkips(projections, (await readControl(store)).skips);
  let documents: Document[] = [];
  let characters = 0;
  for await (const batch of store.readByStream({ upTo, prefixes: folding.map(({ prefix }) => prefix) })) {
    for (const events of streamsIn(batch)) {
      const stream = events[0]?.stream ?? '';
      const projection = folding.find(({ prefix }) => stream.startsWith(prefix));
      const key = projection && keyOf(projection, stream);
      const document = key && changeOf({ key, projection, events }, null).document;
      if (!document) continue;
      documents.push(document);
      characters += TEXTS_OF_PRESENT * shownCharacters(document);
      if (documents.length < PORTION.documents && characters < PORTION.characters) continue;
      yield documents;
      documents = [];
      characters = 0;
      await nextTurn();
    }
  }
  yield documents;
  return null;
}

/** What a read model was filled with. */
interface Filled<Summary> {
  readonly summary: Summary;
  readonly revisions: Revisions;
}

/** Fills an empty read model with documents and sets its checkpoint to a position. */
export async function fillAsOf<Summary>(
  readModel: Pick<ReadModel, 'apply'>,
  documents: AsyncGenerator<readonly Document[], Summary>,
  upTo: Position,
): Promise<Filled<Summary>> {
  const fill = randomUUID();
  const revisions = noRevisions();
  for (;;) {
    const next = await documents.next();
    if (next.done) {
      await readModel.apply({ after: LOG_START, upTo, changes: [], fill });
      return { summary: next.value, revisions };
    }
    for (const document of next.value) noteRevision(revisions, document, document.revision);
    const changes = next.value.map((document) => ({ key: document, document }));
    await readModel.apply({ after: LOG_START, upTo: LOG_START, changes, fill });
  }
}

function documentOf(
  events: readonly RecordedEvent[],
  at: EpochSeconds,
  projections: readonly AnyProjection[],
  options: AsOfDocumentOptions,
  gathered: Gatherer,
): Document | null {
  const stream = events[0]?.stream ?? '';
  const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
  if (!projection || !keyOf(projection, stream)) return null;
  const end = gathered.span(events, at);
  const last = events[end - 1];
  if (!last) return null;
  const then = foldedBy(projection, null, events, 0, end);
  if (then === null) return null;
  const today = end === events.length ? then : latestOf(projection, then, events, end);
  const isOpen = isOpenToday(projection.kind, { isProtected: isProtected(then) }, today);
  const place = { revision: last.revision, position: last.position };
  const document = documentAsOf(
    { kind: projection.kind, state: then, at: place, today: isOpen ? 'open' : 'closed' },
    options,
  );
  if (document) gathered.add(document, isOpen);
  return document;
}

const isProtected = (state: unknown): boolean => ((state as { passwordHash?: unknown }).passwordHash ?? null) !== null;

function foldedBy(
  projection: AnyProjection,
  state: unknown,
  events: readonly RecordedEvent[],
  from: number,
  to: number,
): unknown {
  let folded = state;
  for (let index = from; index < to; index++) {
    const event = events[index];
    if (!event) break;
    try {
      folded = projection.fold(folded, event);
    } catch (error) {
      throw new ProjectionError(event.position, error);
    }
  }
  return folded;
}

/** Null, which shows nothing to the public, if the present state cannot be folded. */
function latestOf(projection: AnyProjection, then: unknown, events: readonly RecordedEvent[], from: number): unknown {
  try {
    return foldedBy(projection, then, events, from, events.length);
  } catch (error) {
    if (error instanceof ProjectionError) return null;
    throw error;
  }
}

/** Whether the public may still see a resource, given its document as of an instant and its stream of today. */
export async function isStillOpen(
  store: Pick<EventStore, 'readStream'>,
  projections: readonly AnyProjection[],
  document: Document,
): Promise<boolean> {
  const projection = projections.find(({ kind }) => kind === document.kind);
  if (!projection) return false;
  const [{ skips }, events] = await Promise.all([
    readControl(store),
    store.readStream(`${projection.prefix}${document.id}`),
  ]);
  const [skipping = projection] = withSkips([projection], skips);
  const then = { isProtected: 'protected' in document && document.protected };
  return isOpenToday(document.kind, then, latestOf(skipping, null, events, 0));
}

const shownCharacters = (document: Document): number => ('fragments' in document ? document.fragments.full.length : 0);

interface Gatherer {
  /** How many events of a stream precede the first that was recorded later. Records how long that stays so. */
  span(events: readonly RecordedEvent[], at: EpochSeconds): number;
  add(document: Document, isOpen: boolean): void;
  result(): ReplaySummary;
}

function gatherer(): Gatherer {
  const terms: TermDocument[] = [];
  const closedTerms = new Set<number>();
  const closedCounts = new Map<number, number>();
  let [from, until, bytes] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];

  function countClosed({ categories, tags }: EventDocument): void {
    for (const id of new Set([...categories, ...tags])) closedCounts.set(id, (closedCounts.get(id) ?? 0) + 1);
  }

  return {
    span(events, at) {
      for (const [index, event] of events.entries()) {
        const instant = instantOf(event);
        if (instant > at) {
          until = Math.min(until, instant);
          return index;
        }
        from = Math.max(from, instant);
      }
      return events.length;
    },
    add(document, isOpen) {
      bytes += DOCUMENT_BYTES + 2 * shownCharacters(document);
      if (document.kind === 'category' || document.kind === 'tag') {
        terms.push(document);
        if (!isOpen && !document.deleted) closedTerms.add(document.id);
      }
      if (document.kind === 'event' && document.status === 'private' && !document.protected) countClosed(document);
    },
    result: () => ({ from, until, terms, closedTerms, closedCounts, bytes }),
  };
}

function* streamsIn(events: readonly RecordedEvent[]): Iterable<readonly RecordedEvent[]> {
  let from = 0;
  for (let at = 1; at <= events.length; at++) {
    if (events[at]?.stream === events[from]?.stream) continue;
    yield events.slice(from, at);
    from = at;
  }
}
