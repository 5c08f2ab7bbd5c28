// The port of the read models. Adapters: sqlite/; others pass the same contract suite (test/contract).
import type { Position } from '../log/envelope.ts';
import type { EventMark } from '../log/event-store.ts';
import type {
  Document,
  DocumentKey,
  DocumentKind,
  DocumentOf,
  EventDocument,
  LinkedPostDocument,
} from './documents.ts';
import type {
  EventExplained,
  EventQuery,
  FacetCounts,
  Facets,
  LinkedPostQuery,
  NewestQuery,
  PageOf,
  RecallListed,
  ScheduledPost,
  TermQuery,
  TermView,
} from './queries.ts';

/** What a batch of domain events changes; `null` removes a document. */
export interface DocumentChange {
  readonly key: DocumentKey;
  readonly document: Document | null;
}

export interface Batch {
  /** The writer's expected checkpoint. If it differs, another writer was faster and nothing is applied. */
  readonly after: Position;
  /** The checkpoint afterwards. */
  readonly upTo: Position;
  /** The mark of the event at `upTo`, which identifies the log; without it the read model counts as that of another log. */
  readonly mark?: EventMark;
  readonly changes: readonly DocumentChange[];
  /**
   * Set when an emptied read model is filled from the whole log: the same in all batches of one fill, different for
   * every fill. Each document comes once. `upTo` is `LOG_START` in all but the last batch: nothing counts until that
   * one moves the checkpoint, and an adapter may hold data back until then. A fill that another one has taken over from
   * gets `stale`.
   */
  readonly fill?: string;
}

/** How far a read model is, and of which log. */
export interface Progress {
  readonly checkpoint: Position;
  /** The mark of the event at the checkpoint; `''` if none was applied, or if the content is not to be trusted. */
  readonly mark: EventMark;
  readonly life: Life;
}

/** A part of a list of ids: those below one, after the first `offset` of them. */
export interface NamedPart {
  readonly below?: number;
  readonly offset: number;
  /** May be infinite. */
  readonly limit: number;
}

/**
 * Rejections: `ReadModelUnavailable`, also for all reads while the guard does not admit the read model. `progress`,
 * `apply`, `clear` and `distrust` are not guarded. Reads of documents, and `apply`, which may read the previous
 * document, reject with `ReadModelDamaged` (see damage.ts) if one is not what was written.
 */
export interface ReadModel {
  /** The position up to which events are applied; `LOG_START` when new. */
  checkpoint(): Promise<Position>;
  /** The checkpoint with the mark of the log, admitted or not. */
  progress(): Promise<Progress>;
  /**
   * Changes whenever any answer might change; cheap enough for every request, and at once where nothing has to be waited
   * for. Ends with the checkpoint; see `positionIn`.
   */
  version(): string | Promise<string>;
  /** Applies changes, indexes and checkpoint in one atomic step, or returns `stale` and applies nothing. */
  apply(batch: Batch): Promise<'applied' | 'stale'>;
  /** Documents by key, in the requested order; null for missing ones. */
  fetch(keys: readonly DocumentKey[]): Promise<(Document | null)[]>;
  /**
   * One document by its slug, of posts and terms (without deleted terms), and of users by login or e-mail address in
   * any case; the lowest id if several have it.
   */
  findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null>;
  /** A page of events, of which those that are known are not read. `state` may be null, title, excerpt and description `''`. */
  listEvents<Known = never>(query: EventQuery, recall?: RecallListed<Known>): Promise<PageOf<EventDocument | Known>>;
  /** Only the ids of such a page, however long it is: to process many events, fetch a few at a time. */
  findEvents(query: EventQuery): Promise<PageOf<number>>;
  /** How many events the list would have with each of the facets; null: that cannot be told without reading texts. */
  countFacets(query: EventQuery, facets: Facets): Promise<FacetCounts | null>;
  /** Where an event is in a list, and which of some conditions on it are met, all of one state; pages do not count. */
  explainEvent(query: EventQuery, id: number, conditions: readonly EventQuery[]): Promise<EventExplained>;
  /** A page of venues or organizers. */
  listLinkedPosts(query: LinkedPostQuery): Promise<PageOf<LinkedPostDocument>>;
  /** A page of categories or tags. */
  listTerms(query: TermQuery): Promise<PageOf<TermView>>;
  /**
   * All categories and tags that are not deleted, with their counts; few, and the same object while nothing has
   * changed.
   */
  terms(): Promise<ReadonlyMap<number, TermView>>;
  /** The ids of the documents of a kind that have a name (see indexed-fields.ts), ascending. */
  named(kind: DocumentKind, name: string): Promise<readonly number[]>;
  /** How many these are. */
  countNamed(kind: DocumentKind, name: string): Promise<number>;
  /** Some of these, descending. */
  namedPage(kind: DocumentKind, name: string, part: NamedPart): Promise<readonly number[]>;
  /**
   * Whether texts can be searched without waiting for their words to be indexed, which begins with the first list. Once they
   * could, it stays so.
   */
  isSearchable(): boolean;
  /**
   * The next instant (UTC seconds) after `now` at which an event starts or ends, visible or not; null if there is none.
   */
  nextEdge(now: number): Promise<number | null>;
  /** Ids of the events that were published last. */
  newestEvents(query: NewestQuery): Promise<readonly number[]>;
  /**
   * The earliest publication date (UTC seconds) among posts of any kind with status `future`; null if there is none.
   */
  nextScheduled(): Promise<number | null>;
  /** Posts with status `future` that are due at `instant`: the earliest first, then the lowest id; at most `limit`. */
  scheduledUntil(instant: number, limit: number): Promise<readonly ScheduledPost[]>;
  /**
   * Empties it, to be refilled from the beginning of the log. A generation that came into use meanwhile is left
   * unchanged.
   */
  clear(): Promise<void>;
  /**
   * Its content was found damaged: every process refuses to read it from now on, and the projector refills it like a
   * read model of another log.
   */
  distrust(): Promise<void>;
  /** Releases files and connections. */
  close(): Promise<void>;
}

/** The read model is unavailable, or refused for a reason unrelated to the request. */
export class ReadModelUnavailable extends Error {
  override readonly name = 'ReadModelUnavailable';
}

/** The position that answers of a version show at least. */
export const positionIn = (version: string): Position => version.slice(version.lastIndexOf(' ') + 1);

/** The reason why the guard refuses a read. */
export const notReady = (address: string): ReadModelUnavailable =>
  new ReadModelUnavailable(
    `The read model ${address} does not have what is in the log yet: it is being filled, and answers as soon as it is.`,
  );

// Decides whether a read model may be read. Data stores lose data, come back with data from an hour ago, or belong to
// another log. So an adapter names with each read the life of the data that answered it, and the guard says whether
// that life has been compared with the log (see trust.ts).

/**
 * An uninterrupted existence of a generation's data, as one connection sees it. It ends when the data is emptied,
 * another generation takes its place, or the connection was lost, because anything may have happened meanwhile. Opaque.
 */
export type Life = string;

export interface Guard {
  /** Whether reads of this life are answered. One that has not been compared yet is compared first; then ask again. */
  admits(life: Life): boolean | Promise<boolean>;
  /** `to` has replaced `from` and has everything that `from` has: it is admitted if `from` is. */
  succeed(from: Life, to: Life): void;
  /** Told while the index of a process is filled: how many events it has by now. */
  counted?(events: number): void;
}

/** For read models that only their creator reads. */
export const UNGUARDED: Guard = { admits: () => true, succeed: () => {} };

export type Gate = ReturnType<typeof createGate>;

/** A `Guard` whose judge is given later. */
export function createGate() {
  let judge: (() => Promise<void>) | null = null;
  let admitted: Life | null = null;
  let refused: Life | null = null;
  let hear = (_events: number): void => {};
  let count = 0;

  async function judgement(life: Life): Promise<boolean> {
    await judge?.();
    return admitted === life;
  }

  return {
    admits: (life: Life) => judge === null || admitted === life || (refused === life ? false : judgement(life)),
    succeed(from: Life, to: Life) {
      if (admitted === from) admitted = to;
    },
    /** Admits reads of this life from now on, and of no other. */
    admit(life: Life) {
      admitted = life;
      refused = null;
    },
    /** Refuses reads; those of this life without another judgement. */
    refuse(life: Life | null) {
      admitted = null;
      refused = life;
    },
    /** `by` admits or refuses. Until there is such a judge everything is admitted. */
    judgeBy(by: () => Promise<void>) {
      judge = by;
    },
    counted(events: number) {
      count = events;
      hear(events);
    },
    /** What was counted last. */
    events: () => count,
    /** Who is told the count of events. */
    hearCounts(by: (events: number) => void) {
      hear = by;
    },
  };
}
