// Who may do what. This is the only table of rights; everything below reads it.
// decision 12

import {
  POST_KINDS,
  POST_STATUSES,
  type Post,
  type PostKind,
  type PostStatus,
} from '../../calendar/resource/domain/post.ts';
import { TERM_KINDS, type TermKind } from '../../calendar/term/domain/term.ts';
import type { EventDocument, LinkedPostDocument } from '../../read-model/documents.ts';
import type { EventAccess, Visibility } from '../../read-model/queries.ts';
import { type Caller, ROLES, type Role } from './caller.ts';

export type Action = 'create' | 'read' | 'update' | 'delete';

/** `edit` and `delete` alone extend to the caller's own drafts, pending and private posts. */
type PostRight =
  | 'edit'
  | 'editPublished'
  | 'editOthers'
  | 'editPrivate'
  | 'delete'
  | 'deletePublished'
  | 'deleteOthers'
  | 'deletePrivate'
  | 'publish'
  | 'readPrivate';

interface Rights {
  readonly posts: { readonly [Kind in PostKind]: ReadonlySet<PostRight> };
  /** Terms require the right to edit events as well. */
  readonly manages: ReadonlySet<TermKind | 'user'>;
  /** Texts are stored as sent instead of cleaned. */
  readonly unfilteredHtml: boolean;
  /** May make another user the author of a post. */
  readonly assignAuthors: boolean;
}

const everyKind = (...rights: PostRight[]): Rights['posts'] => ({
  event: new Set(rights),
  venue: new Set(rights),
  organizer: new Set(rights),
});

const ALL_OF_POSTS = everyKind(
  ...(['edit', 'editPublished', 'editOthers', 'editPrivate'] as const),
  ...(['delete', 'deletePublished', 'deleteOthers', 'deletePrivate'] as const),
  ...(['publish', 'readPrivate'] as const),
);

const NO_RIGHTS: Rights = { posts: everyKind(), manages: new Set(), unfilteredHtml: false, assignAuthors: false };

const RIGHTS: { readonly [R in Role]: Rights } = {
  administrator: {
    posts: ALL_OF_POSTS,
    manages: new Set(['category', 'tag', 'user']),
    unfilteredHtml: true,
    assignAuthors: true,
  },
  editor: {
    posts: ALL_OF_POSTS,
    manages: new Set(['category', 'tag']),
    unfilteredHtml: true,
    assignAuthors: true,
  },
  author: {
    posts: everyKind('edit', 'editPublished', 'delete', 'deletePublished', 'publish'),
    manages: new Set(['category']),
    unfilteredHtml: false,
    assignAuthors: false,
  },
  contributor: {
    posts: everyKind('edit', 'delete'),
    manages: new Set(),
    unfilteredHtml: false,
    assignAuthors: false,
  },
  subscriber: NO_RIGHTS,
};

/** The facts about a post that rights depend on. `before` is its status before it was put in the trash. */
export interface RightsSubject {
  readonly author: number;
  readonly status: PostStatus;
  readonly before: { readonly status: PostStatus } | null;
}

const rightsOf = (caller: Caller): Rights => (caller === null ? NO_RIGHTS : RIGHTS[caller.role]);

/** What rights depend on, from a document with its state, as `fetch` and `findBySlug` return it. */
export function rightsSubjectOf(document: EventDocument | LinkedPostDocument): RightsSubject {
  // Only projections store these documents, with folded posts.
  const state = document.state as Pick<Post, 'before'> | null;
  return { author: document.author, status: document.status, before: state?.before ?? null };
}

/**
 * Whether the caller may do this to a post of this kind. Without a post: whether there can be one that the caller may
 * do it to, which is all that can be asked about creation, and about a post that does not exist.
 */
export function may(caller: Caller, action: Action, kind: PostKind, post?: RightsSubject): boolean {
  const rights = rightsOf(caller).posts[kind];
  switch (action) {
    case 'create':
      return rights.has('edit');
    case 'read':
      return post === undefined || maySeePost(caller, { kind, ...post });
    case 'update':
      return has(rights, EDITING, caller, post);
    case 'delete':
      return has(rights, DELETING, caller, post);
  }
}

interface Family {
  readonly own: PostRight;
  readonly published: PostRight;
  readonly others: PostRight;
  readonly secret: PostRight;
}

const EDITING: Family = { own: 'edit', published: 'editPublished', others: 'editOthers', secret: 'editPrivate' };
const DELETING: Family = {
  own: 'delete',
  published: 'deletePublished',
  others: 'deleteOthers',
  secret: 'deletePrivate',
};

function has(rights: ReadonlySet<PostRight>, family: Family, caller: Caller, post: RightsSubject | undefined): boolean {
  if (!rights.has(family.own)) return false;
  if (post === undefined) return true;
  const status = post.status === 'trash' ? (post.before?.status ?? 'draft') : post.status;
  const isPublished = status === 'publish' || status === 'future';
  if (isPublished && !rights.has(family.published)) return false;
  if (caller?.id === post.author) return true;
  return rights.has(family.others) && (status !== 'private' || rights.has(family.secret));
}

/** Whether the caller may publish, schedule or make private; the right on events decides for every kind. */
export const mayPublish = (caller: Caller): boolean => rightsOf(caller).posts.event.has('publish');

/** Whether the caller may upload pictures, and see all of them. */
export const mayUpload = mayPublish;

/** Whether the caller may describe or remove a picture. */
export const mayChangePicture = (caller: Caller, { author }: { readonly author: number }): boolean =>
  mayUpload(caller) && (caller?.id === author || rightsOf(caller).posts.event.has('editOthers'));

/** Whether the caller may create, change and delete categories or tags. */
export const mayManageTerms = (caller: Caller, kind: TermKind): boolean =>
  rightsOf(caller).manages.has(kind) && rightsOf(caller).posts.event.has('edit');

/**
 * Whether the caller may merge venues, organizers or terms: only callers who may edit both of any author, and all events,
 * which are linked to the one that stays.
 */
export function mayMerge(caller: Caller, kind: Exclude<PostKind, 'event'> | TermKind): boolean {
  const { posts } = rightsOf(caller);
  if (!posts.event.has('editOthers')) return false;
  return kind === 'category' || kind === 'tag' ? mayManageTerms(caller, kind) : posts[kind].has('editOthers');
}

/** Whether the caller may add, change and remove users, and read all of them and their histories. */
export const mayManageUsers = (caller: Caller): boolean => rightsOf(caller).manages.has('user');

/** Whether the caller may send changes to other addresses. */
export const mayManageWebhooks = mayManageUsers;

/** Whether the caller may set the rules of review. */
export const maySetReviewPolicy = mayManageUsers;

/** Whether the caller may set what the site is called, where it is, and which language it speaks. */
export const mayManageSite = mayManageUsers;

/** Whether the caller may write without review where a rule lets those who approve do so. */
export const mayBypassReview = (caller: Caller): boolean => rightsOf(caller).posts.event.has('editOthers');

/** Whether the caller may read this user's profile, and list, issue and revoke this user's credentials. */
export const mayKeepCredentials = (caller: Caller, user: number): boolean =>
  caller !== null && (caller.id === user || mayManageUsers(caller));

/**
 * Whether the caller may read the history and old states of a post: its author, and those who may edit posts of others.
 * Null is a post without a trace, which has no author. For terms: callers who manage them.
 */
export function mayReadHistory(caller: Caller, kind: PostKind, post: Pick<RightsSubject, 'author'> | null): boolean {
  const rights = rightsOf(caller).posts[kind];
  return rights.has('editOthers') || (rights.has('edit') && post !== null && caller?.id === post.author);
}

/** Whether the caller may read the history of every post. */
export const mayReadEveryHistory = (caller: Caller): boolean =>
  POST_KINDS.every((kind) => mayReadHistory(caller, kind, null));

/** Whether the caller may revert what a whole request or import did: all that it may have touched must be theirs to change. */
export const mayRevertRequests = (caller: Caller): boolean =>
  mayReadEveryHistory(caller) && TERM_KINDS.every((kind) => mayManageTerms(caller, kind));

/**
 * Whether the caller may import: only callers who may do by hand what an import does, which is anything to any event,
 * venue, organizer or term. `admitted`: whom the installation admits of them.
 */
export const mayImport = (caller: Caller, admitted: ImportersAdmitted = 'editors'): boolean =>
  mayRevertRequests(caller) && (admitted === 'editors' || mayManageUsers(caller));

/** Whether the caller may see the imports of all users. */
export const mayReadEveryImport = mayManageUsers;

/** `editors`: administrators, too. */
export type ImportersAdmitted = 'editors' | 'administrators';

/** Whether the caller's texts may contain any HTML. */
export const mayWriteRawHtml = (caller: Caller): boolean => rightsOf(caller).unfilteredHtml;

/** Whose HTML pages show with frames and the like, where a setting says so. */
export const mayShowRawHtml = ({ role }: { readonly role: Role }): boolean => role === 'administrator';

/** Whether the caller may make another user the author of a post. */
export const mayAssignAuthors = (caller: Caller): boolean => rightsOf(caller).assignAuthors;

/** Whether the caller may show people without an account what is not public: only callers who see all of it. */
export const mayShareWithGuests = mayAssignAuthors;

/**
 * Whether the caller may read this post by id. Events in the trash are not shown; venues and organizers there are shown
 * to callers who may restore them. `before` matters only in the trash.
 */
export function maySeePost(
  caller: Caller,
  post: Omit<RightsSubject, 'before'> & { readonly kind: PostKind; readonly before?: RightsSubject['before'] },
): boolean {
  const { kind, status, author, before = null } = post;
  if (status === 'publish') return true;
  if (status === 'trash') return kind !== 'event' && may(caller, 'update', kind, { author, status, before });
  const rights = rightsOf(caller).posts[kind];
  if (caller?.id === author) return rights.has('edit');
  return rights.has(status === 'private' ? 'readPrivate' : 'editOthers');
}

/** The posts of a kind that the caller may read one by one, as `maySeePost` says, as far as a list can express it. */
export function readableBy(caller: Caller, kind: PostKind): Visibility {
  // The former status of a post in the trash is not indexed: only rights that cover every such post count.
  const maySee = (author: number) => (status: PostStatus) =>
    maySeePost(caller, { kind, status, author, before: { status: 'publish' } });
  return visibilityBy(caller, maySee);
}

/**
 * The events whose links the caller may know: readable ones; of those behind a password only the ones that the caller
 * may edit.
 */
export const accessibleTo = (caller: Caller): EventAccess => ({
  visible: readableBy(caller, 'event'),
  unmasked: visibilityBy(
    caller,
    (author) => (status) => may(caller, 'update', 'event', { author, status, before: { status: 'publish' } }),
  ),
});

/** No user has this id. */
const NO_AUTHOR = 0;

function visibilityBy(caller: Caller, right: (author: number) => (status: PostStatus) => boolean): Visibility {
  const statuses = POST_STATUSES.filter(right(NO_AUTHOR));
  if (caller === null) return { statuses, own: null };
  const own = POST_STATUSES.filter(right(caller.id)).filter((status) => !statuses.includes(status));
  return { statuses, own: own.length === 0 ? null : { author: caller.id, statuses: own } };
}

export const PUBLIC_ROLE = 'public';
export type ReaderRole = Role | typeof PUBLIC_ROLE;

/** No user, nor the author of anything. */
export const NO_USER = -1;

/** In whose place the caller may ask what lists show: a role has all rights of those behind it. */
export const rolesToAskFor = (caller: Caller): readonly ReaderRole[] => [
  ...(caller === null ? [] : ROLES.slice(ROLES.indexOf(caller.role))),
  PUBLIC_ROLE,
];

/** A caller with this role who has written nothing. */
export const representativeOf = (role: ReaderRole): Caller =>
  role === PUBLIC_ROLE ? null : { id: NO_USER, login: '', name: '', role };

/** Whether the caller may list more than published posts: only callers who may edit posts of some kind. */
export const mayListUnpublished = (caller: Caller): boolean =>
  Object.values(rightsOf(caller).posts).some((rights) => rights.has('edit'));

/** Whether the caller may read the rules of review and their history: all who write are judged by them. */
export const mayReadReviewPolicy = mayListUnpublished;

/** Whether the caller may read the settings of the site and their history. */
export const maySeeSite = mayListUnpublished;

const ANY_STATUS: readonly PostStatus[] = POST_STATUSES.filter((status) => status !== 'trash');
/** Statuses that a list may name although no post has them. */
const NEVER_MET = new Set(['auto-draft', 'inherit']);

/**
 * What a list shows the caller. `requested` is the parameter `status`, split at commas; undefined if not sent, empty if
 * sent empty. `refused` if it names an unknown status, or if a caller who may not edit posts of this kind asks for
 * anything but `publish`.
 */
export function visibilityFor(
  caller: Caller,
  kind: PostKind,
  requested: readonly string[] | undefined,
): Visibility | 'refused' {
  const rights = rightsOf(caller).posts[kind];
  if (caller === null || !rights.has('edit')) {
    const asksForPublic = requested === undefined || (requested.length === 1 && requested[0] === 'publish');
    return asksForPublic ? { statuses: ['publish'], own: null } : 'refused';
  }
  const seesAll = rights.has('editOthers') && rights.has('readPrivate');
  const statuses = wantedStatuses(requested, seesAll ? ['publish', 'private'] : ['publish']);
  if (statuses === 'refused') return statuses;
  if (seesAll) return { statuses: statuses, own: null };
  const own = statuses.filter((status) => status !== 'publish');
  return {
    statuses: statuses.filter((status) => status === 'publish'),
    own: own.length === 0 ? null : { author: caller.id, statuses: own },
  };
}

function wantedStatuses(
  requested: readonly string[] | undefined,
  forEmpty: readonly PostStatus[],
): readonly PostStatus[] | 'refused' {
  if (requested === undefined) return ANY_STATUS;
  if (requested.length === 0) return forEmpty;
  const isKnown = (text: string) =>
    text === 'any' || NEVER_MET.has(text) || POST_STATUSES.some((status) => status === text);
  if (!requested.every(isKnown)) return 'refused';
  const hasAny = requested.includes('any');
  return POST_STATUSES.filter((status) => requested.includes(status) || (hasAny && ANY_STATUS.includes(status)));
}
