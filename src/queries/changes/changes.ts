// The log as a feed: changes of events, venues, organizers, categories and tags, in order and without gaps, as far as
// the reader may know them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { may, mayManageTerms, mayReadHistory } from '../../auth/policy.ts';
import { POST_KINDS } from '../../domain/post.ts';
import type { Target } from '../../domain/proposal.ts';
import { openActors } from '../../event-store/encryption/actors.ts';
import { type Actor, LOG_START, type Position, type RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Sentences } from '../../locales/language.ts';
import { ENGLISH } from '../../locales/languages.ts';
import {
  type HistoryDependencies,
  type HistoryEntry,
  historyEntries,
  type ResourceHistory,
} from '../history/history.ts';
import type { HistoryReader } from '../history/reference-names.ts';
import { foldingOf, RESOURCE_KINDS, type ResourceKey, type ResourceKind } from '../history/resource.ts';
import { openChangeNotifier, startTimer } from './change-notifier.ts';
import { type ChangedResources, openChangedResources } from './changed-resources.ts';
import { maySeeProposal, PROPOSAL_PREFIX, proposalChange } from './proposal-changes.ts';

/** One change: its history entry without the fields, and its position. */
export interface ChangeEntry extends Omit<HistoryEntry, 'changes'> {
  readonly position: Position;
  readonly kind: ChangeKind;
  readonly id: number;
  /** Of a proposal: what it is about. */
  readonly target?: Target;
  /** Of a proposal: its author and reviewers, and the author of its target. */
  readonly concerned?: readonly Actor[];
}

/** Changes of resources, and of proposals about them. */
type ChangeKind = ResourceKind | 'proposal';
export const CHANGE_KINDS: readonly ChangeKind[] = [...RESOURCE_KINDS, 'proposal'];

export interface ChangesPage {
  /** Oldest first. */
  readonly changes: readonly ChangeEntry[];
  /** Everything up to here has been read, shown or not: where to continue. */
  readonly next: Position;
  /** Whether the log continues after `next`; what follows may be hidden from this reader. */
  readonly hasMore: boolean;
}

interface ChangesQuestion {
  readonly after: Position;
  readonly selection: Selection;
  readonly reader: HistoryReader;
  /** Changes on a page at most. */
  readonly limit: number;
  /** The language; default: that of the dependencies. */
  readonly sentences?: Sentences;
}

export interface FollowQuestion extends Omit<ChangesQuestion, 'reader'> {
  /** Called before every read of the log, because rights may have been revoked. A rejection ends the stream. */
  readonly reader: () => Promise<HistoryReader>;
  /** After this time at the latest there is a page, possibly an empty one. */
  readonly heartbeatMs: number;
}

export interface ChangesDependencies extends HistoryDependencies {
  readonly store: Pick<EventStore, 'readStream' | 'readAll' | 'head' | 'subscribe'>;
}

/** Rejections: `EventStoreUnavailable`. */
export interface Changes {
  page(question: ChangesQuestion): Promise<ChangesPage>;
  /**
   * Page after page: the first at once, others when they have changes or a heartbeat is due. Ends when one of the
   * signals is aborted. Holds nothing before its first page is requested.
   */
  follow(question: FollowQuestion, until: readonly AbortSignal[]): AsyncGenerator<ChangesPage, void, undefined>;
  /** The end of the log. */
  head(): Promise<Position>;
}

/** Facts read at once. */
const PORTION = 100;
/** Facts examined for one page: with a narrow selection most of them are not for the reader. */
const MAX_EXAMINED = 1_000;

export function openChanges(dependencies: ChangesDependencies): Changes {
  const { store } = dependencies;
  const resources = openChangedResources(dependencies);
  const notifier = openChangeNotifier(
    store,
    CHANGE_KINDS.map((kind) => prefixOf(dependencies, kind)),
  );
  const page = (question: ChangesQuestion, reads: LogReads): Promise<ChangesPage> =>
    readPage(dependencies, resources, question, reads);

  async function* follow(question: FollowQuestion, until: readonly AbortSignal[]) {
    const attendant = notifier.attend();
    const isOver = (): boolean => until.some(({ aborted }) => aborted);
    let beat = startTimer(question.heartbeatMs);
    let [after, reads, isFirst]: [Position, LogReads, boolean] = [question.after, store, true];
    try {
      while (!isOver()) {
        const turn = attendant.turn();
        const found = await page({ ...question, after, reader: await question.reader() }, reads);
        after = found.next;
        if (isFirst || found.changes.length > 0 || beat.signal.aborted) {
          isFirst = false;
          beat.stop();
          yield found;
          beat = startTimer(question.heartbeatMs);
        }
        if (!found.hasMore) await attendant.next(turn, [...until, beat.signal]);
        // Readers that are behind read what no one else does; a heartbeat checks for changes that were not announced.
        reads = found.hasMore || beat.signal.aborted ? store : attendant.reads();
      }
    } finally {
      beat.stop();
      attendant.leave();
    }
  }

  return { page: (question) => page(question, store), follow, head: () => store.head() };
}

interface Found {
  readonly kind: ChangeKind;
  readonly id: number;
  readonly event: RecordedEvent;
}

const prefixOf = (dependencies: ChangesDependencies, kind: ChangeKind): string =>
  kind === 'proposal' ? PROPOSAL_PREFIX : foldingOf(dependencies, kind).prefix;

async function readPage(
  dependencies: ChangesDependencies,
  resources: ChangedResources,
  { after, selection, reader, limit, sentences }: ChangesQuestion,
  reads: LogReads,
): Promise<ChangesPage> {
  // Read first: the following reads see everything up to here.
  const head = await reads.head();
  const kinds = withinReach(selection, reader);
  if (after >= head || kinds.length === 0) return { changes: [], next: after >= head ? after : head, hasMore: false };
  const prefixes = kinds.map((kind) => prefixOf(dependencies, kind));
  const found: Found[] = [];
  let next = after;
  let hasMore = true;
  for (let examined = 0; hasMore && found.length < limit && examined < MAX_EXAMINED; examined += PORTION) {
    const events = await reads.readAll({ after: next, prefixes, limit: PORTION });
    const shown = await shownOf(dependencies, resources, { selection, reader, head }, events);
    const room = limit - found.length;
    found.push(...shown.slice(0, room));
    const isWhole = shown.length <= room;
    next = (isWhole ? events.at(-1) : shown[room - 1]?.event)?.position ?? next;
    hasMore = !isWhole || events.length === PORTION;
    // An embedded store answers without yielding: others must get their turn between two portions.
    await nextTurn();
  }
  const telling = { ...dependencies, actors: openActors(dependencies.store), ...(sentences && { sentences }) };
  const changes = await Promise.all(found.map((one) => entryOf(telling, resources, one, { reader, head })));
  return { changes, next: hasMore || next > head ? next : head, hasMore };
}

interface Circumstances {
  readonly reader: HistoryReader;
  /** Cached resources must be at least as new as this. */
  readonly head: Position;
}

/** Those of the events that are selected and that the reader may know. */
async function shownOf(
  dependencies: ChangesDependencies,
  resources: ChangedResources,
  { selection, reader, head }: Circumstances & { readonly selection: Selection },
  events: readonly RecordedEvent[],
): Promise<Found[]> {
  const wanted = events.flatMap((event) => {
    const key = keyOf(dependencies, event.stream);
    return key && isSelected(selection, key.kind, event.type) ? [{ ...key, event }] : [];
  });
  const verdicts = await Promise.all(wanted.map((one) => mayKnow(dependencies, resources, one, { reader, head })));
  return wanted.filter((_, index) => verdicts[index]);
}

async function mayKnow(
  dependencies: ChangesDependencies,
  resources: ChangedResources,
  { kind, id, event }: Found,
  { reader, head }: Circumstances,
): Promise<boolean> {
  const reach = reachOf(reader, kind);
  if (reach !== 'own' || reader === 'operator' || kind === 'category' || kind === 'tag') return reach === 'all';
  if (kind === 'proposal') return maySeeProposal(dependencies, id, reader.caller);
  const author = await resources.authorOf({ kind, id }, laterOf(head, event.position));
  return author !== null && mayReadHistory(reader.caller, kind, { author });
}

const laterOf = (one: Position, other: Position): Position => (one > other ? one : other);

function keyOf(dependencies: ChangesDependencies, stream: string): Omit<Found, 'event'> | null {
  for (const kind of CHANGE_KINDS) {
    const prefix = prefixOf(dependencies, kind);
    const id = stream.startsWith(prefix) ? Number(stream.slice(prefix.length)) : 0;
    if (Number.isSafeInteger(id) && id > 0) return { kind, id };
  }
  return null;
}

async function entryOf(
  dependencies: ChangesDependencies,
  resources: ChangedResources,
  { kind, id, event }: Found,
  { reader, head }: Circumstances,
): Promise<ChangeEntry> {
  if (kind === 'proposal')
    return { position: event.position, kind, id, ...(await proposalChange(dependencies, id, event)) };
  const loaded = await resources.historyOf({ kind, id }, laterOf(head, event.position));
  const index = loaded?.steps.findLastIndex((step) => step.event.revision === event.revision) ?? -1;
  const history = loaded && index >= 0 ? loaded : untold(kind, event);
  const offset = index < 0 ? 0 : history.steps.length - 1 - index;
  const [entry] = await historyEntries(dependencies, history, { offset, limit: 1 }, reader);
  if (!entry) throw new Error(`${event.stream} has no revision ${event.revision}`);
  const { changes: _, ...told } = entry;
  return { position: event.position, kind, id, ...told };
}

/** That it happened can be said of any fact, even if this version cannot fold the resource. */
const untold = (kind: ResourceKey['kind'], event: RecordedEvent): ResourceHistory => ({
  kind,
  steps: [{ event, state: null, understood: false }],
  state: null,
  isErased: false,
});

// A position in the feed: a position of the log, as a client sends it back.

/** The forms of positions, by engine. Two of the same log have the same form. */
const FORMS: readonly RegExp[] = [/^\d{16}$/, /^[0-9a-f]{16}-[0-9a-f]{16}$/];

/**
 * Whether a log that ends at `head` may have issued this position. A position beyond `head` is accepted: another node
 * may know more than this one.
 */
export function isCursor(text: string, head: Position): text is Position {
  if (text === LOG_START) return true;
  return FORMS.some((form) => form.test(text) && (head === LOG_START || form.test(head)));
}

// Which changes a reader requests, and which of them the reader may see.

/** Per kind, the selected types of facts. A missing kind is not selected at all. */
export type Selection = ReadonlyMap<ChangeKind, 'all' | ReadonlySet<string>>;

/** Kinds by the prefix of the names of their facts. */
const NOUNS: { readonly [Kind in ChangeKind]: string } = {
  event: 'Event',
  venue: 'Venue',
  organizer: 'Organizer',
  category: 'Category',
  tag: 'Tag',
  proposal: 'Proposal',
};

export const EVERYTHING: Selection = new Map(CHANGE_KINDS.map((kind) => [kind, 'all']));

/**
 * The selection of a list of words: kinds (`event`) and types of facts (`EventRescheduled`), in any mixture; no word at
 * all selects everything. A word that is neither is returned as `unknown`.
 */
export function selectionOf(words: readonly string[]): Selection | { readonly unknown: string } {
  if (words.length === 0) return EVERYTHING;
  const selected = new Map<ChangeKind, 'all' | ReadonlySet<string>>();
  for (const word of words) {
    const kind = CHANGE_KINDS.find((known) => known === word) ?? kindOfFact(word);
    if (kind === undefined) return { unknown: word };
    const known = selected.get(kind) ?? new Set();
    const isWhole = word === kind || known === 'all';
    selected.set(kind, isWhole ? 'all' : new Set([...known, word]));
  }
  return selected;
}

const kindOfFact = (type: string): ChangeKind | undefined =>
  Object.hasOwn(ENGLISH.sentences.facts, type) || Object.hasOwn(ENGLISH.sentences.proposals, type)
    ? CHANGE_KINDS.find((kind) => type.startsWith(NOUNS[kind]))
    : undefined;

const isSelected = (selection: Selection, kind: ChangeKind, type: string): boolean => {
  const wanted = selection.get(kind);
  return wanted === 'all' || (wanted?.has(type) ?? false);
};

/** How much of a kind a reader may follow: everything, the reader's own, or nothing. */
type Reach = 'all' | 'own' | 'none';

/** The same rights as for reading the history of one resource. */
function reachOf(reader: HistoryReader, kind: ChangeKind): Reach {
  if (reader === 'operator') return 'all';
  const { caller } = reader;
  if (kind === 'proposal') return reachOfProposals(reader);
  if (kind === 'category' || kind === 'tag') return mayManageTerms(caller, kind) ? 'all' : 'none';
  if (mayReadHistory(caller, kind, null)) return 'all';
  return may(caller, 'create', kind) ? 'own' : 'none';
}

/** Who reads every history sees every proposal. */
function reachOfProposals(reader: HistoryReader): Reach {
  const reaches = POST_KINDS.map((kind) => reachOf(reader, kind));
  if (reaches.every((reach) => reach === 'all')) return 'all';
  return reaches.some((reach) => reach !== 'none') ? 'own' : 'none';
}

/** The kinds of a selection of which the reader may see anything; empty if there is nothing to see. */
export const withinReach = (selection: Selection, reader: HistoryReader): readonly ChangeKind[] =>
  [...selection.keys()].filter((kind) => reachOf(reader, kind) !== 'none');

// Shared reads of the log: readers woken by the same change make the same reads.

export type LogReads = Pick<EventStore, 'head' | 'readAll'>;

/** Passes a repeated read to `store` once, and repeats its result: to be dropped with the next change. */
export function sharedReads(store: LogReads): LogReads {
  const pages = new Map<string, Promise<RecordedEvent[]>>();
  let head: Promise<Position> | undefined;
  return {
    head() {
      head ??= store.head();
      return head;
    },
    readAll(options) {
      const { after, limit, prefixes = [] } = options;
      const question = `${after} ${limit} ${prefixes.join(' ')}`;
      const page = pages.get(question) ?? store.readAll(options);
      pages.set(question, page);
      return page;
    },
  };
}
