// The log as a feed: changes of events, venues, organizers, categories and tags, in order and without gaps, as far as
// the reader may know them.
// decision 14
import { isPostKind } from '../../../calendar/resource/domain/post.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import type { Sentences } from '../../../locales/language.ts';
import type { Position, RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { mayReadHistory } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { AGENDA } from '../../change-sets/facts/whole-sets.ts';
import { contentOfStep, type HistoryDependencies, type HistoryEntry } from '../../history/queries/history.ts';
import type { HistoryReader } from '../../history/queries/reference-names.ts';
import { foldingOf } from '../../history/queries/resource.ts';
import { seriesOf } from '../../series/facts/occurrences.ts';
import { type ChangeFilter, matchesRecord, matchesShown, NO_FILTER, needsContent } from './change-filter.ts';
import { openChangeNotifier, startTimer } from './change-notifier.ts';
import { changeOf } from './change-of.ts';
import { type ChangedResources, openChangedResources } from './changed-resources.ts';
import { type LogReads, PORTION, searchPage } from './log-reads.ts';
import {
  isSingle,
  openReviewChanges,
  REVIEW_KINDS,
  REVIEW_STREAMS,
  type ReviewDetails,
  type ReviewKind,
} from './review-changes.ts';
import { CHANGE_KINDS, type ChangeKind, isSelected, reachOf, type Selection, withinReach } from './selection.ts';

/** One change: its history entry, of resources without the fields, and its position. */
export interface ChangeEntry extends Omit<HistoryEntry, 'changes'>, ReviewDetails {
  readonly position: Position;
  readonly kind: ChangeKind;
  readonly id: number;
}

export const CHANGES_ORDERS = ['asc', 'desc'] as const;
export type ChangesOrder = (typeof CHANGES_ORDERS)[number];

export interface ChangesPage {
  /** In the order that was asked for. */
  readonly changes: readonly ChangeEntry[];
  /** Everything up to here has been read, shown or not: where to continue. */
  readonly next: Position;
  /** Whether the log continues after `next`; what follows may be hidden from this reader. */
  readonly hasMore: boolean;
}

interface ChangesQuestion {
  /** Exclusive, in the order of the answer: where an earlier page has ended. */
  readonly after: Position;
  /** Default: oldest first. Newest first begins at the end of the log, unless there is an `after`. */
  readonly order?: ChangesOrder;
  readonly selection: Selection;
  /** Default: everything that is selected. */
  readonly filter?: ChangeFilter;
  readonly reader: HistoryReader;
  /** Changes on a page at most. */
  readonly limit: number;
  /** The language; default: that of the dependencies. */
  readonly sentences?: Sentences;
}

export interface FollowQuestion extends Omit<ChangesQuestion, 'reader' | 'order'> {
  /** Called before every read of the log, because rights may have been revoked. A rejection ends the stream. */
  readonly reader: () => Promise<HistoryReader>;
  /** After this time at the latest there is a page, possibly an empty one. */
  readonly heartbeatMs: number;
}

export interface ChangesDependencies extends HistoryDependencies {
  readonly store: Pick<EventStore, 'readStream' | 'readAll' | 'head' | 'subscribe'>;
}

/** Rejections: `EventStoreUnavailable`. */
export type Changes = ReturnType<typeof openChanges>;

/** A change of a series is one change. */
const IN_SERIES = { occurrences: 'in their series' } as const;

/** Facts examined for one page: with a narrow selection most of them are not for the reader. */
const MAX_EXAMINED = 1_000;
/** Facts examined for one page with a filter, which is checked before anything is read of a resource. */
const MAX_FILTERED = 5_000;

export function openChanges(dependencies: ChangesDependencies) {
  const { store } = dependencies;
  const resources = openChangedResources(dependencies);
  const notifier = openChangeNotifier(
    store,
    // The end of a set shows what has been held back of it.
    [...CHANGE_KINDS.map((kind) => prefixOf(dependencies, kind)), AGENDA],
  );

  async function page(question: ChangesQuestion, reads: LogReads): Promise<ChangesPage> {
    const answer = openAnswer(dependencies, resources, question, await reads.head());
    const { matches, ...rest } = await answer.find(question, reads);
    return { changes: await Promise.all(matches.map(answer.entryOf)), ...rest };
  }

  async function* follow(question: FollowQuestion, until: readonly AbortSignal[]) {
    const attendant = notifier.attend();
    const isOver = (): boolean => until.some(({ aborted }) => aborted);
    let beat = startTimer(question.heartbeatMs);
    let [after, reads, isFirst]: [Position, LogReads, boolean] = [question.after, store, true];
    try {
      while (!isOver()) {
        const turn = attendant.turn();
        const batch = await page({ ...question, after, reader: await question.reader() }, reads);
        after = batch.next;
        if (isFirst || batch.changes.length > 0 || beat.signal.aborted) {
          isFirst = false;
          beat.stop();
          yield batch;
          beat = startTimer(question.heartbeatMs);
        }
        if (!batch.hasMore) await attendant.next(turn, [...until, beat.signal]);
        // Readers that are behind read pages of their own; a heartbeat checks for changes that were not announced.
        reads = batch.hasMore || beat.signal.aborted ? store : attendant.reads();
      }
    } finally {
      beat.stop();
      attendant.leave();
    }
  }

  return {
    page: (question: ChangesQuestion): Promise<ChangesPage> => page(question, store),
    /**
     * Page after page: the first at once, others when they have changes or a heartbeat is due. Ends when one of the
     * signals is aborted. Holds nothing before its first page is requested.
     */
    follow,
    /** For those who describe each of them later, with the rights that its reader has by then. */
    async find(question: ChangesQuestion) {
      const answer = openAnswer(dependencies, resources, question, await store.head());
      const { matches, ...rest } = await answer.find(question, store);
      return { ...rest, matches: matches.map(({ event }) => event) };
    },
    /** One of them; null if it is not selected, or not for this reader. */
    async entry(
      { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
      question: Omit<ChangesQuestion, 'after' | 'order' | 'limit'>,
    ): Promise<ChangeEntry | null> {
      const answer = openAnswer(dependencies, resources, question, await store.head());
      const events = await store.readStream(stream, { from: revision, limit: 1 });
      const [one] = await answer.knowable(events, question);
      return one ? answer.entryOf(one) : null;
    },
    /** The end of the log. */
    head: (): Promise<Position> => store.head(),
  };
}

interface Match {
  readonly kind: ChangeKind;
  readonly id: number;
  readonly event: RecordedEvent;
}

/** The prefix of the streams of a kind. */
export const prefixOf = (dependencies: ChangesDependencies, kind: ChangeKind): string =>
  isReview(kind) ? REVIEW_STREAMS[kind] : foldingOf(dependencies, kind).prefix;

export const isReview = (kind: ChangeKind): kind is ReviewKind => REVIEW_KINDS.some((one) => one === kind);

/** What a stream is of; null for all other streams. */
export function keyOf(dependencies: ChangesDependencies, stream: string): Omit<Match, 'event'> | null {
  for (const kind of CHANGE_KINDS) {
    const prefix = prefixOf(dependencies, kind);
    if (isSingle(kind) && stream === prefix) return { kind, id: 1 };
    const id = stream.startsWith(prefix) ? Number(stream.slice(prefix.length)) : 0;
    if (Number.isSafeInteger(id) && id > 0) return { kind, id };
  }
  return null;
}

/** What one answer is made of. `head` is read first: what is read later sees everything up to there. */
function openAnswer(
  dependencies: ChangesDependencies,
  resources: ChangedResources,
  { reader, sentences }: Pick<ChangesQuestion, 'reader' | 'sentences'>,
  head: Position,
) {
  const actors = openActors(dependencies.store);
  const describer = { ...dependencies, actors, ...(sentences && { sentences }) };
  const reviews = openReviewChanges(describer);
  /** What came while the log was read lies behind its end of before; cached resources must be at least as new. */
  const atLeastHead = (position: Position): Position => (position > head ? position : head);

  async function find(
    { after, order = 'asc', selection, filter = NO_FILTER, limit }: ChangesQuestion,
    reads: LogReads,
  ): Promise<Omit<ChangesPage, 'changes'> & { readonly matches: readonly Match[] }> {
    const isForwards = order === 'asc';
    const kinds = withinReach(selection, reader);
    const isOver = isForwards && after >= head;
    if (isOver || kinds.length === 0) return { matches: [], next: isOver ? after : head, hasMore: false };
    const { matches, next, hasMore } = await searchPage({
      ...{ after, limit, most: filter === NO_FILTER ? MAX_EXAMINED : MAX_FILTERED },
      read: (from) =>
        reads.readAll({
          after: from,
          direction: isForwards ? 'forwards' : 'backwards',
          prefixes: kinds.map((kind) => prefixOf(dependencies, kind)),
          limit: PORTION,
          ...IN_SERIES,
        }),
      matching: (events) => knowable(events, { selection, filter }),
      isLast: ({ length }) => length < PORTION,
      placeOf: ({ position }) => position,
    });
    return { matches, next: isForwards && !hasMore ? atLeastHead(next) : next, hasMore };
  }

  /** Those of the events that are selected and that the reader may know. */
  async function knowable(
    events: readonly RecordedEvent[],
    { selection, filter = NO_FILTER }: Pick<ChangesQuestion, 'selection' | 'filter'>,
  ): Promise<Match[]> {
    const selected = events.flatMap((event) => {
      // What a series has told before is copied into the stream of a date that is set apart.
      const key = seriesOf(event) === undefined ? keyOf(dependencies, event.stream) : null;
      return key && isSelected(selection, key.kind, event.type) ? [{ ...key, event }] : [];
    });
    const matching =
      filter === NO_FILTER ? selected : await filtered(selected, ({ event }) => matchesRecord(filter, event, actors));
    const verdicts = await Promise.all(matching.map(mayKnow));
    const visible = matching.filter((_, index) => verdicts[index]);
    if (!needsContent(filter)) return visible;
    return filtered(visible, async (one) => matchesShown(filter, await contentOf(one)));
  }

  async function contentOf({ kind, id, event }: Match): Promise<ReturnType<typeof contentOfStep>> {
    const untouched = { reason: event.metadata.reason ?? null, fields: [] };
    if (isSingle(kind)) {
      const { changes = [] } = await reviews.describe({ kind, id, event });
      return { ...untouched, fields: changes.map(({ field }) => field) };
    }
    // Their steps have reasons, but change no fields.
    if (isReview(kind)) return untouched;
    const history = await resources.historyOf({ kind, id }, atLeastHead(event.position));
    const index = history?.steps.findLastIndex((step) => step.event.revision === event.revision) ?? -1;
    return history && index >= 0 ? contentOfStep(describer, history, index) : untouched;
  }

  async function mayKnow({ kind, id, event }: Match): Promise<boolean> {
    const reach = reachOf(reader, kind);
    if (reach !== 'own' || reader === 'operator') return reach === 'all';
    if (kind === 'proposal') return reviews.maySeeProposal(id, reader.caller);
    if (!isPostKind(kind)) return false;
    const author = await resources.authorOf({ kind, id }, atLeastHead(event.position));
    return author !== null && mayReadHistory(reader.caller, kind, { author });
  }

  async function entryOf({ kind, id, event }: Match): Promise<ChangeEntry> {
    const { position } = event;
    if (isReview(kind)) return { position, kind, id, ...(await reviews.describe({ kind, id, event })) };
    const { changes: _, ...description } = await changeOf(
      describer,
      resources,
      { kind, id, event },
      atLeastHead(position),
      reader,
    );
    return { position, kind, id, ...description };
  }

  return { find, knowable, entryOf };
}

/** One after the other: others get their turn while many resources are folded. */
async function filtered(all: readonly Match[], matches: (one: Match) => Promise<boolean>): Promise<Match[]> {
  const turn = openTurns();
  const matching: Match[] = [];
  for (const one of all) {
    await turn();
    if (await matches(one)) matching.push(one);
  }
  return matching;
}
