// The log as documents: those of the public calendar as of an instant, or those of the present. Each stream is folded by
// itself: for the past up to the instant for its state then, and to its end for what may still be shown.
import { keptOf, mayHide, type Stream } from '../../../../projections/changes.ts';
import { indexedEvent } from '../../../../projections/events.ts';
import { type AnyProjection, keyOf, type Place, withSkips } from '../../../../projections/projection.ts';
import type { CalendarEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { MemoryShort } from '../../../kernel/memory/watch.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { byStream, type EventStore } from '../../../log/event-store.ts';
import {
  type Document,
  type DocumentKey,
  type EventDocument,
  namesOf,
  type TermDocument,
} from '../../../read-model/documents.ts';
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
  readonly terms: readonly TermDocument[];
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

/** `documentOf` a stream of which something is in the log. Others have their turn while documents are read. */
function foldedBy(
  { store, projections, openRoom = () => () => true }: FoldedStore,
  documentOf: (stream: Stream, of: 'all' | 'some') => Document | null,
): Pick<FoldedLog, 'all' | 'some'> {
  return {
    async *all(upTo) {
      const prefixes = projections.map(({ prefix }) => prefix);
      const hasRoom = openRoom();
      for await (const batch of store.readByStream({ upTo, prefixes })) {
        if (!hasRoom()) throw new MemoryShort('there is too little memory for a calendar of another instant');
        for (const [stream, events] of byStream(batch)) {
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
        await turn();
        const folded = keys.slice(from, from + FOLDED_AT_ONCE).map(async (key) => {
          const projection = projections.find(({ kind }) => kind === key.kind);
          if (!projection) return null;
          const read = await store.readStream(`${projection.prefix}${key.id}`, { unknown: 'in place' });
          const events = read.filter(({ position }) => position <= upTo);
          return events.length > 0 ? documentOf({ key, projection, events }, 'some') : null;
        });
        documents.push(...(await Promise.all(folded)));
      }
      return documents;
    },
  };
}

/** A past calendar, and what is known of it once all of its documents have been made. */
export interface FoldedPast extends FoldedLog {
  summary(): AsOfSummary;
}

/**
 * The public calendar as of an instant. In each stream everything before the first event that was recorded later counts,
 * as in single reads as of an instant. A resource with an event that cannot be folded is shown as it was before it, as in
 * the read model.
 */
export async function pastOf(
  from: FoldedStore,
  { at, ...options }: AsOfDocumentOptions & { readonly at: EpochSeconds },
): Promise<FoldedPast> {
  const projections = withSkips(withoutUsers(from.projections), (await readControl(from.store)).skips);
  const gathered = gatherer();
  const folded = foldedBy({ ...from, projections }, ({ projection, events }, of) => {
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
  });
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
  // Of all documents only rows and names are made, and rendering events takes more than half of the time.
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

function gatherer() {
  const terms: TermDocument[] = [];
  const closedTerms = new Set<number>();
  const closedCounts = new Map<number, number>();
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

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
      if (document.kind === 'category' || document.kind === 'tag') {
        terms.push(document);
        if (!isOpen && !document.deleted) closedTerms.add(document.id);
      }
      if (document.kind === 'event' && document.status === 'private' && !document.protected) countClosed(document);
    },
    result: (): AsOfSummary => ({ from, until, terms, closedTerms, closedCounts }),
  };
}
