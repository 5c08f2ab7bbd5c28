// What the read models store: one document per resource. An adapter stores documents and keeps the indexes that its
// queries need; everything that a query may filter by is a plain member here.
import type { FilterFlag } from '../calendar/event/domain/calendar-event.ts';
import type { EventLabel } from '../calendar/event/domain/event-labels.ts';
import type { EventStatus } from '../calendar/event/domain/event-status.ts';
import type { TraitsOf } from '../calendar/event/domain/event-traits.ts';
import { type FormerlyNamed, POST_STATUSES, type PostStatus } from '../calendar/resource/domain/post.ts';
import type { ProposalState, Target } from '../editorial/proposals/domain/proposal.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Json, Position, Revision } from '../log/envelope.ts';
import { searchText } from './search-text.ts';

/** In the order of their numbers in files. */
export const DOCUMENT_KINDS = [
  'event',
  'venue',
  'organizer',
  'category',
  'tag',
  'user',
  'proposal',
  'picture',
  'series',
  'parked',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface DocumentKey {
  readonly kind: DocumentKind;
  readonly id: number;
}

/** A document's key as a text without blanks. */
export const keyText = ({ kind, id }: DocumentKey): string => `${kind}-${id}`;

interface DocumentBase<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: number;
  /** The revision of the last domain event that was folded into it. */
  readonly revision: Revision;
  readonly position: Position;
  /** When the latest of its domain events was recorded; absent where it is not known. A clock may have been set back since. */
  readonly recordedAt?: EpochSeconds;
  /** The folded state, to which the next event is applied. */
  readonly state: Json;
  /** Absent: it is as its events say. Else the position of the first that could not be folded: it is as it was before. */
  readonly parkedAt?: Position;
}

/** Whether documents of a kind are posts. */

/** What posts (events, venues, organizers) are found and sorted by. */
export interface PostIndex extends FormerlyNamed {
  readonly status: PostStatus;
  readonly author: number;
  readonly slug: string;
  /** Publication, UTC seconds. */
  readonly date: number;
  /** Absent: it shows no uploaded picture. */
  readonly picture?: number;
  /** Part of it is hidden behind a password. */
  readonly protected: boolean;
}

/**
 * Pre-rendered JSON with slots (see src/rendering/slots.ts) for what depends on the reader or on other documents.
 * `full` is the object, `masked` the one without the password (null if there is none).
 */
export interface Fragments {
  readonly full: string;
  /** The texts from which `full` is drawn when the document is read. */
  readonly undrawn?: readonly string[];
  readonly masked: string | null;
}

/** A link to a post in one of its lives (see `Link` in src/calendar/event/domain/calendar-event.ts). */
export interface DocumentLink {
  readonly id: number;
  readonly life: number;
}

/** Flags that lists can filter by. */
export type EventFlags = { readonly [Flag in FilterFlag]: boolean };

export interface EventDocument extends DocumentBase<'event'>, PostIndex, EventFlags, TraitsOf {
  /** UTC seconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly hidden: boolean;
  /** Absent: scheduled. */
  readonly eventStatus?: Exclude<EventStatus, 'scheduled'>;
  /** Absent: it does not repeat. */
  readonly series?: number;
  readonly parent: number | null;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly labels: readonly EventLabel[];
  /** In display order. */
  readonly venues: readonly DocumentLink[];
  readonly organizers: readonly DocumentLink[];
  /** As stored; `search` reads these three. */
  readonly title: string;
  readonly excerpt: string;
  readonly description: string;
  readonly fragments: Fragments;
}

export interface LinkedPostDocument extends DocumentBase<'venue' | 'organizer'>, PostIndex {
  readonly name: string;
  /** Links of an earlier life are void. */
  readonly life: number;
  /** The searchable fields, each on its own. */
  readonly searchable: readonly string[];
  readonly coordinates: { readonly lat: number; readonly lng: number } | null;
  /** Only of a merged one, in the trash: the one that stays. */
  readonly mergedInto?: number;
  readonly fragments: Fragments;
}

export interface TermDocument extends DocumentBase<'category' | 'tag'>, FormerlyNamed {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** As written; a deleted parent is replaced by its own parent. 0 for none. */
  readonly parent: number;
  /** A deleted term is not found; it stays as a redirect to its parent. */
  readonly deleted: boolean;
  /** Only of a merged one, deleted: the one that stays. */
  readonly mergedInto?: number;
}

export interface UserDocument extends DocumentBase<'user'> {
  readonly login: string;
  readonly email: string;
}

export interface ProposalDocument extends DocumentBase<'proposal'> {
  /** How far it has come: the state of the proposal, not of the document. */
  readonly stage: ProposalState;
  readonly target: Target;
  readonly author: number;
  readonly reviewers: readonly number[];
  /** UTC seconds. */
  readonly opened: number;
}

export interface PictureDocument extends DocumentBase<'picture'> {
  readonly author: number;
  /** It is in no list, and stays as a trace. */
  readonly removed: boolean;
  /** What the names of its files begin with. */
  readonly stem: string;
}

export interface SeriesDocument extends DocumentBase<'series'> {
  /** The status of the dates that have none of their own. */
  readonly seriesStatus: PostStatus;
  readonly author: number;
  /** Whether there are dates behind its horizon. */
  readonly goesOn: boolean;
  /** Whether dates have gone to another series. */
  readonly isDivided: boolean;
  /** UTC seconds of its first date; of its start, if it has none. */
  readonly startsAt: number;
  /** Its members as JSON, as events show them. */
  readonly fragment: string;
}

/** A resource with an event that could not be folded. Its revision and position are those of the last event of its stream. */
export interface ParkedDocument extends DocumentBase<'parked'> {
  readonly resource: DocumentKey;
  /** The first event that is not in its document. */
  readonly at: {
    readonly position: Position;
    readonly stream: string;
    readonly revision: Revision;
    readonly type: string;
    /** When it was recorded, ISO 8601. */
    readonly instant: string;
  };
  readonly why: string;
  /** It has no document at all: one of the events since may hide it, or it could never be shown. */
  readonly withheld: boolean;
}

/** Where it is noted that a resource is parked. */
export const parkedKey = ({ kind, id }: DocumentKey): DocumentKey => ({
  kind: 'parked',
  id: id * MAX_KINDS + DOCUMENT_KINDS.indexOf(kind),
});
const MAX_KINDS = 16;

/** The resource that is noted there. */
export const parkedResource = ({ id }: DocumentKey): DocumentKey => ({
  kind: DOCUMENT_KINDS[id % MAX_KINDS] ?? 'event',
  id: Math.floor(id / MAX_KINDS),
});

export type Document =
  | EventDocument
  | LinkedPostDocument
  | TermDocument
  | UserDocument
  | ProposalDocument
  | PictureDocument
  | SeriesDocument
  | ParkedDocument;

export type DocumentOf<Kind extends DocumentKind> = Document & { readonly kind: Kind };

// What both adapters index of a document and store with it.

/** The number of a status. */
export const statusCode = (status: PostStatus): number => POST_STATUSES.indexOf(status);

/** What a document is found by, besides its id. */
export function namesOf(document: Document): readonly string[] {
  switch (document.kind) {
    case 'user':
      return [ALL_USERS, ...new Set([document.login.toLowerCase(), document.email.toLowerCase()])];
    case 'category':
    case 'tag':
      return [...(document.deleted ? [] : [document.slug]), ...mergedName(document), ...formerNames(document)];
    case 'proposal':
      return proposalNames(document);
    case 'parked':
      return [ALL];
    case 'picture':
      return document.removed ? [] : [ALL, writtenBy(document.author), pictureOf(document.stem)];
    case 'series':
      return [
        ALL,
        ...(document.seriesStatus === 'trash' ? [] : [LISTED]),
        `state:${document.seriesStatus}`,
        writtenBy(document.author),
        ...(document.goesOn ? [GOES_ON] : []),
        ...(document.isDivided ? [DIVIDED] : []),
      ];
    case 'venue':
    case 'organizer':
      return [document.slug, writtenBy(document.author), ...mergedName(document), ...otherNames(document)];
    default:
      return [document.slug, writtenBy(document.author), ...otherNames(document)];
  }
}

/** The name of all merged documents of a kind; no slug has a colon. */
export const MERGED = 'state:merged';

const mergedName = ({ mergedInto }: { readonly mergedInto?: number }): readonly string[] =>
  mergedInto === undefined ? [] : [MERGED];

/** The name of all documents of a kind that has lists. */
export const ALL = 'all';

/** The name of all users. Logins and addresses are looked up in small letters, so neither is this one. */
export const ALL_USERS = 'USERS';

/** The name of all series that are not in the trash. */
export const LISTED = 'state:listed';

/** The name of all series that have dates behind their horizons. */
export const GOES_ON = 'state:goes-on';

/** The name of all series of which dates have gone to another one. */
export const DIVIDED = 'state:divided';

/** The name of all posts of a kind that a user wrote, of any status. */
export const writtenBy = (author: number): string => `author:${author}`;

/** The name of the picture whose files begin so. */
export const pictureOf = (stem: string): string => `file:${stem}`;

/** The name of all posts of a kind that show an uploaded picture. */
export const showing = (picture: number): string => `picture:${picture}`;

/** The name of all posts or terms of a kind that have had a slug; no slug has a colon. */
export const formerly = (slug: string): string => `former:${slug}`;

const otherNames = (post: PostIndex): readonly string[] => [
  ...(post.picture === undefined ? [] : [showing(post.picture)]),
  ...formerNames(post),
];

const formerNames = ({ formerSlugs = [] }: FormerlyNamed): readonly string[] =>
  formerSlugs.map(({ slug }) => formerly(slug));

/** What lists of proposals are narrowed by; `all` is a name of each. */
const proposalNames = ({ stage, target, author, reviewers }: ProposalDocument): string[] => [
  ALL,
  `state:${stage}`,
  `kind:${target.kind}`,
  `target:${target.kind}-${target.id}`,
  `author:${author}`,
  ...reviewers.map((id) => `reviewer:${id}`),
];

/** No event ends before it starts: the counts of time windows depend on this. */
export const endOf = ({ startsAt, endsAt }: EventDocument): number => Math.max(startsAt, endsAt);

/** The text that `search` reads. */
export const searchedText = ({ title, excerpt, description }: EventDocument): string =>
  searchText([title, excerpt, description]);
