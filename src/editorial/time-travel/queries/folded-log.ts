// The log as documents: those of the public calendar as of an instant, or those of the present. Each stream is folded by
// itself: for the past up to the instant for its state then, and to its end for what may still be shown.
import { keptOf, mayHide, type Stream } from '../../../../projections/changes.ts';
import { indexedEvent } from '../../../../projections/events.ts';
import { type AnyProjection, keyOf, type Place, withSkips } from '../../../../projections/projection.ts';
import type { CalendarEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { MemoryShort } from '../../../kernel/memory/watch.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import { byStream, type EventStore } from '../../../log/event-store.ts';
import { type Document, type DocumentKey, type EventDocument, namesOf } from '../../../read-model/documents.ts';
import type { TermRow } from '../../../read-model/list-index/rows.ts';
import { readControl } from '../../../read-model/projector/control.ts';
import { type AsOfDocumentOptions, documentAsOf, isOpenToday, NOTHING_SHOWN } from './as-of-documents.ts';
import type { FoldedLog } from './log-storage.ts';

/** The log that is folded. */
export interface FoldedStore {
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  /** Whether there is memory to read all of it, and for more of it; absent: always. */
  readonly openRoom?: () => () => boolean;
}

/** Properties of such a calendar besides its documents. */
export interface AsOfSummary {
  /** All instants from the first to before the second show the same; infinite if nothing is recorded. */
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
  /** Categories and tags as they were then, deleted ones as redirects. */
  readonly terms: readonly TermRow[];
  /** Ids of terms that have been deleted since. */
  readonly closedTerms: ReadonlySet<number>;
  /** Ids of terms and how many of their events were public then and have been closed since. */
  readonly closedCounts: ReadonlyMap<number, number>;
}

/** Documents that are folded at once: each is a stream that is read. */
const FOLDED_AT_ONCE = 10;

/** Lists as of an instant are built from these. */
export const withoutUsers = (projections: readonly AnyProjection[]): readonly AnyProjection[] =>
  projections.filter(({ kind }) => !['user', 'proposal', 'picture'].includes(kind));

/** The resource of a stream; null: it has none that these show. */
export function keyIn(projections: readonly AnyProjection[], stream: string): DocumentKey | null {
  const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
  return projection ? keyOf(projection, stream) : null;
}

/** For more streams than this the whole log is read. */
const MANY_STREAMS = 10_000;

/** `documentOf` a stream of which something is in the log; of `all` these streams alone. Others have their turn while documents are read. */
function foldedBy(
  { store, projections, openRoom = () => () => true }: FoldedStore,
  documentOf: (stream: Stream, of: 'all' | 'some') => Document | null,
  only: ReadonlySet<string> | null = null,
): Pick<FoldedLog, 'all' | 'some'> {
  async function read(stream: string, upTo: Position): Promise<RecordedEvent[]> {
    const events = await store.readStream(stream, { unknown: 'in place' });
    return events.filter(({ position }) => position <= upTo);
  }

  async function* few(streams: readonly string[], upTo: Position): AsyncGenerator<RecordedEvent[]> {
    for (let from = 0; from < streams.length; from += FOLDED_AT_ONCE) {
      const some = streams.slice(from, from + FOLDED_AT_ONCE);
      yield (await Promise.all(some.map((stream) => read(stream, upTo)))).flat();
    }
  }

  return {
    async *all(upTo) {
      const prefixes = projections.map(({ prefix }) => prefix);
      const hasRoom = openRoom();
      const isMany = only === null || only.size > MANY_STREAMS;
      for await (const batch of isMany ? store.readByStream({ upTo, prefixes }) : few([...only], upTo)) {
        if (!hasRoom()) throw new MemoryShort('there is too little memory for a calendar of another instant');
        for (const [stream, events] of byStream(batch)) {
          if (only?.has(stream) === false) continue;
          const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
          const key = projection && keyOf(projection, stream);
          const document = key && documentOf({ key, projection, events }, 'all');
          if (document) yield document;
        }
      }
    },
    async some(keys, upTo) {
      const turn = openTurns();
      const documents: (Document | null)[] = [];
      for (let from = 0; from < keys.length; from += FOLDED_AT_ONCE) {
        const folded = keys.slice(from, from + FOLDED_AT_ONCE).map(async (key) => {
          // Ten events with texts as long as can be take some 40 ms: each looks anew whether it is the turn of others.
          for (let wait = turn(); wait !== undefined; wait = turn()) await wait;
          const projection = projections.find(({ kind }) => kind === key.kind);
          const events = projection ? await read(`${projection.prefix}${key.id}`, upTo) : [];
          return projection && events.length > 0 ? documentOf({ key, projection, events }, 'some') : null;
        });
        documents.push(...(await Promise.all(folded)));
      }
      return documents;
    },
  };
}

/** A past calendar, and what is known of it once all of its documents have been made. */
export interface FoldedPast extends FoldedLog {
  summary(): Omit<AsOfSummary, 'terms'>;
}

interface PastOptions extends AsOfDocumentOptions {
  readonly at: EpochSeconds;
  /** What does not have to be folded: until when it was recorded, and the streams of all others. */
  readonly beginning: { readonly latest: EpochSeconds; readonly others: ReadonlySet<string> } | null;
}

/**
 * The public calendar as of an instant. In each stream everything before the first event that was recorded later counts,
 * as in single reads as of an instant. A resource with an event that cannot be folded is shown as it was before it, as in
 * the read model.
 */
export async function pastOf(from: FoldedStore, { at, beginning, ...options }: PastOptions): Promise<FoldedPast> {
  const projections = withSkips(withoutUsers(from.projections), (await readControl(from.store)).skips);
  const gathered = gatherer(beginning?.latest);
  const folded = foldedBy(
    { ...from, projections },
    ({ projection, events }, of) => {
      const end = gathered.span(events, at);
      const { state: then, folded } = foldedFrom(projection, null, events.slice(0, end));
      const last = events[folded - 1];
      if (last === undefined || then === null) return null;
      const today = latestOf(projection, then, events.slice(folded));
      const isOpen = isOpenToday(
        projection.kind,
        { isProtected: ((then as { passwordHash?: unknown }).passwordHash ?? null) !== null },
        today,
      );
      const { revision, position } = last;
      const place = { kind: projection.kind, at: { revision, position } };
      const document = documentAsOf({ ...place, state: then, today: isOpen ? 'open' : 'closed' }, options);
      if (document && of === 'all') gathered.add(document, isOpen);
      return document;
    },
    beginning?.others,
  );
  // No reader looks for a name in the past.
  return { ...folded, namesOf: () => [], summary: gathered.result };
}

const unrendered = (event: unknown, at: Place): EventDocument => ({
  ...indexedEvent(event as CalendarEvent, at), // As the projection of events folds it.
  state: null,
  fragments: NOTHING_SHOWN,
});

/** The present: every document as its projection makes it. */
export async function presentOf(from: FoldedStore): Promise<FoldedLog> {
  const projections = withSkips(from.projections, (await readControl(from.store)).skips);
  // Only rows and names are made of documents, and rendering events would take more than half of the time.
  const indexed = projections.map((one) => (one.kind === 'event' ? { ...one, document: unrendered } : one));
  const documentOf = (stream: Stream) => keptOf(stream, null).document;
  return {
    all: foldedBy({ ...from, projections: indexed }, documentOf).all,
    some: foldedBy({ ...from, projections }, documentOf).some,
    namesOf,
  };
}

/** The state after as many of these events as can be folded, and how many these are. */
function foldedFrom({ fold }: AnyProjection, initial: unknown, events: readonly RecordedEvent[]) {
  let state = initial;
  for (const [folded, event] of events.entries())
    try {
      state = fold(state, event);
    } catch {
      return { state, folded };
    }
  return { state, folded: events.length };
}

/** Null, which shows nothing to the public, if what cannot be folded may hide it. */
function latestOf(projection: AnyProjection, then: unknown, events: readonly RecordedEvent[]): unknown {
  const { state, folded } = foldedFrom(projection, then, events);
  return events.slice(folded).some(({ type }) => mayHide(projection.kind, type)) ? null : state;
}

function gatherer(latest = Number.NEGATIVE_INFINITY) {
  const closedTerms = new Set<number>();
  const closedCounts = new Map<number, number>();
  let [from, until] = [latest, Number.POSITIVE_INFINITY];

  function countClosed({ categories, tags }: EventDocument): void {
    for (const id of new Set([...categories, ...tags])) closedCounts.set(id, (closedCounts.get(id) ?? 0) + 1);
  }

  return {
    /** How many events of a stream precede the first that was recorded later. Records how long that stays so. */
    span(events: readonly RecordedEvent[], at: EpochSeconds): number {
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
    add(document: Document, isOpen: boolean): void {
      const isTerm = document.kind === 'category' || document.kind === 'tag';
      if (isTerm && !isOpen && !document.deleted) closedTerms.add(document.id);
      if (document.kind === 'event' && document.status === 'private' && !document.protected) countClosed(document);
    },
    result: () => ({ from, until, closedTerms, closedCounts }),
  };
}
