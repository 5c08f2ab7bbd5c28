// The port of the read models. Adapters: sqlite/; others pass the same contract suite (test/contract).
import type { Position } from '../event-store/envelope.ts';
import type { EventMark } from '../event-store/event-mark.ts';
import type {
  Document,
  DocumentKey,
  DocumentKind,
  DocumentOf,
  EventDocument,
  LinkedPostDocument,
} from './documents.ts';
import type { Life } from './guard.ts';
import type {
  EventQuery,
  LinkedPostQuery,
  NewestQuery,
  PageOf,
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
  /** Where the writer believes the read model to be. Anything else means that another writer was faster: nothing is applied. */
  readonly after: Position;
  /** Where it is once the changes are in. */
  readonly upTo: Position;
  /** Of the event at `upTo`, so that the log can be recognised; without it the read model is taken for that of another log. */
  readonly mark?: EventMark;
  readonly changes: readonly DocumentChange[];
  /**
   * Set by who fills an emptied read model from the whole log: the same in all batches of one fill, different in every
   * fill. Each document comes once. `upTo` is `LOG_START` in all but the last batch: what they bring counts for nothing
   * until that one moves the checkpoint, and an adapter may hold it back until then. It answers `stale` to a fill that
   * another one has taken over from.
   */
  readonly fill?: string;
}

/** How far a read model is, and of which log. */
export interface Progress {
  readonly checkpoint: Position;
  /** Of the event at the checkpoint; `''` when none was applied, or when what it holds is not to be trusted. */
  readonly mark: EventMark;
  readonly life: Life;
}

/**
 * Rejections: `ReadModelUnavailable`, also for everything that reads while the guard of the read model does not admit what
 * it holds. `progress`, `apply`, `clear` and `distrust` are not guarded. What reads documents, and `apply`, which may look at
 * the one before, reject with `ReadModelDamaged` (see damage.ts) when one is not what was written.
 */
export interface ReadModel {
  /** The position up to which events are applied; `LOG_START` when it is new. */
  checkpoint(): Promise<Position>;
  /** The same with what it takes to recognise the log, admitted or not. */
  progress(): Promise<Progress>;
  /** Changes whenever any answer might change, cheap enough to ask at every request. Ends with the checkpoint; see `positionIn`. */
  version(): Promise<string>;
  /** Applies changes, indexes and checkpoint in one atomic step, or answers `stale` and applies nothing. */
  apply(batch: Batch): Promise<'applied' | 'stale'>;
  /** Documents by key, in the order asked; null where there is none. */
  fetch(keys: readonly DocumentKey[]): Promise<(Document | null)[]>;
  /** One document by its slug, of posts and terms (deleted terms left out) and of users by login or e-mail in any case; the lowest id when several have it. */
  findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null>;
  /** A page of events. Answers documents without what lists do not show: `state` is null, title, excerpt and description are `''`. */
  listEvents(query: EventQuery): Promise<PageOf<EventDocument>>;
  /** The ids of such a page alone, however long it is: to go through many events, fetch a few at a time. */
  findEvents(query: EventQuery): Promise<PageOf<number>>;
  /** A page of venues or organizers. */
  listLinkedPosts(query: LinkedPostQuery): Promise<PageOf<LinkedPostDocument>>;
  /** A page of categories or tags. */
  listTerms(query: TermQuery): Promise<PageOf<TermView>>;
  /** All categories and tags that are not deleted, with their counts; small, and the same object while nothing has changed. */
  terms(): Promise<ReadonlyMap<number, TermView>>;
  /** The ids of all users, ascending; `fetch` answers their documents. */
  userIds(): Promise<readonly number[]>;
  /** The next instant (UTC seconds) after `now` at which an event starts or ends, visible or not; null when there is none. */
  nextEdge(now: number): Promise<number | null>;
  /** Ids of published events that listings show, the newest publication first, then the highest id. */
  newestEvents(query: NewestQuery): Promise<readonly number[]>;
  /** The earliest publication (UTC seconds) among posts of status `future`, of whatever kind; null when there is none. */
  nextScheduled(): Promise<number | null>;
  /** Posts of status `future` whose publication is at or before `instant`: the earliest first, then the lowest id; at most `limit`. */
  scheduledUntil(instant: number, limit: number): Promise<readonly ScheduledPost[]>;
  /** Empties it, to be filled again from the beginning of the log. One that came into use unnoticed meanwhile stays as it is. */
  clear(): Promise<void>;
  /**
   * What it holds was found damaged: it is refused in every process from now on, and the projector fills it again as it does
   * a read model of another log.
   */
  distrust(): Promise<void>;
  /** Releases files and connections. */
  close(): Promise<void>;
}

/** The read model cannot be reached, or refused for a reason that has nothing to do with the request. */
export class ReadModelUnavailable extends Error {
  override readonly name = 'ReadModelUnavailable';
}

/** The position up to which answers of a version show the log, at least. */
export const positionIn = (version: string): Position => version.slice(version.lastIndexOf(' ') + 1);

/** Why a read is refused that the guard does not admit. */
export const notReady = (address: string): ReadModelUnavailable =>
  new ReadModelUnavailable(
    `The read model ${address} does not have what is in the log yet: it is being filled, and answers as soon as it is.`,
  );
