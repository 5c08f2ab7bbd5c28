// The documentation of a route besides its parameters: the `schema` of a Fastify route, from which @fastify/swagger
// builds the document.
import type { FastifySchema } from 'fastify';
import type { PostKind, PostStatus } from '../../calendar/resource/domain/post.ts';
import { selectionOf, withinReach } from '../../editorial/audit/queries/selection.ts';
import type { ResourceKind } from '../../editorial/history/queries/resource.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { type Caller, ROLES } from '../../people/auth/caller.ts';
import { type Action, may, mayManageTerms, mayReadHistory, type RightsSubject } from '../../people/auth/policy.ts';
import { page } from '../schemas/lists.ts';
import Type, { type TSchema } from '../schemas/type.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

// Who may use a route: computed from src/people/auth/policy.ts role by role.

/** Decided once for all, post by post, or user by user (their ids). */
export type Right =
  | { readonly of: 'endpoint'; readonly may: (caller: Caller) => boolean }
  | { readonly of: 'users'; readonly may: (caller: Caller, user: number) => boolean }
  | { readonly of: 'posts'; readonly may: (caller: Caller, post: RightsSubject) => boolean };

/** All callers may. */
export const FOR_ALL: Right = { of: 'endpoint', may: () => true };

export const toCreate = (kind: PostKind): Right => ({ of: 'endpoint', may: (caller) => may(caller, 'create', kind) });

export const onPosts = (action: Exclude<Action, 'create'>, kind: PostKind): Right => ({
  of: 'posts',
  may: (caller, post) => may(caller, action, kind, post),
});

export const toManage = (kind: 'category' | 'tag'): Right => ({
  of: 'endpoint',
  may: (caller) => mayManageTerms(caller, kind),
});

/** Terms have no authors: what may be done to one, may be done to all. */
const onResources = (
  kind: ResourceKind,
  mayTo: (caller: Caller, kind: PostKind, post: RightsSubject) => boolean,
): Right =>
  kind === 'category' || kind === 'tag'
    ? toManage(kind)
    : { of: 'posts', may: (caller, post) => mayTo(caller, kind, post) };

export const toReadHistory = (kind: ResourceKind): Right => onResources(kind, mayReadHistory);

/** Callers who may change a resource and read its history. */
export const toRevert = (kind: ResourceKind): Right =>
  onResources(kind, (caller, of, post) => may(caller, 'update', of, post) && mayReadHistory(caller, of, post));

/** Callers who may read changes of any kind. */
export const toFollow: Right = {
  of: 'endpoint',
  may(caller) {
    const everything = selectionOf([]);
    return !('unknown' in everything) && withinReach(everything, { caller }).length > 0;
  },
};

const OWN = 1;
const OTHERS = 2;

/** The posts that rights distinguish, by their names in the document. */
const POSTS: { readonly [name: string]: RightsSubject } = {
  own_draft: postWith(OWN, 'draft'),
  own_published: postWith(OWN, 'publish'),
  others_draft: postWith(OTHERS, 'draft'),
  others_published: postWith(OTHERS, 'publish'),
};

function postWith(author: number, status: PostStatus): RightsSubject {
  return { author, status, before: null };
}

/** The users that rights distinguish. */
const USERS: { readonly [name: string]: number } = { own: OWN, others: OTHERS };

const ANONYMOUS = 'anonymous';

const CALLERS: readonly (readonly [role: string, caller: Caller])[] = [
  [ANONYMOUS, null],
  ...[...ROLES].reverse().map((role) => [role, { id: OWN, login: role, name: role, role }] as const),
];

type SecurityRequirement = { readonly [scheme: string]: readonly string[] };

interface RightMembers {
  readonly security: readonly SecurityRequirement[];
  /** The roles with any such right. */
  readonly 'x-daybook-roles': readonly string[];
  /** By role, if not all of them have the same. */
  readonly 'x-daybook-posts'?: { readonly [role: string]: readonly string[] };
  readonly 'x-daybook-users'?: { readonly [role: string]: readonly string[] };
}

function rightMembers(right: Right): RightMembers {
  if (right.of === 'endpoint') return forRoles(CALLERS.filter(([, caller]) => right.may(caller)));
  const able = CALLERS.map(([role, caller]) => [role, reachOf(right, caller)] as const).filter(
    ([, names]) => names.length > 0,
  );
  return { ...forRoles(able), [`x-daybook-${right.of}`]: Object.fromEntries(able) };
}

/** Public routes need no credentials. */
function forRoles(able: readonly (readonly [role: string, ...unknown[]])[]): RightMembers {
  const roles = able.map(([role]) => role);
  return {
    security: [...(roles.includes(ANONYMOUS) ? [{}] : []), { basic: [] }, { bearer: [] }],
    'x-daybook-roles': roles,
  };
}

/** What this caller may use it on. The public owns nothing. */
function reachOf(right: Exclude<Right, { of: 'endpoint' }>, caller: Caller): string[] {
  if (right.of === 'users') return Object.keys(USERS).filter((name) => right.may(caller, USERS[name] ?? OTHERS));
  return Object.entries(POSTS)
    .filter(([, post]) => (caller !== null || post.author === OTHERS) && right.may(caller, post))
    .map(([name]) => name);
}

/** Whether a signed-in caller may be refused because of the route, not only because of the request. */
export const refusesSignedIn = (members: RightMembers): boolean =>
  'x-daybook-posts' in members ||
  'x-daybook-users' in members ||
  members['x-daybook-roles'].includes(ANONYMOUS) ||
  members['x-daybook-roles'].length < ROLES.length;

export const GROUPS = [
  'API',
  'Events',
  'Series',
  'Venues',
  'Organizers',
  'Categories',
  'Tags',
  'Changes',
  'Imports',
  'Proposals',
  'Pictures',
  'Users',
  'Webhooks',
  'Sources',
] as const;
export type Group = (typeof GROUPS)[number];

export interface DocumentedAnswer {
  readonly description: DescriptionKey;
  /** Bodies by media type. Names in them are those of src/http/schemas/components.ts. */
  readonly content?: { readonly [mediaType: string]: { readonly schema: TSchema } };
  /** No body. */
  readonly type?: 'null';
  /** Headers besides those of every answer. */
  readonly carries: readonly AnswerHeader[];
}

/** Texts are keys; the document has them in the language of its reader. */
export interface Documentation extends FastifySchema {
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly tags: readonly Group[];
  readonly security: readonly SecurityRequirement[];
  readonly 'x-daybook-roles': readonly string[];
  readonly response: { readonly [status: number]: DocumentedAnswer };
  /** Besides those that any request may get (openapi.ts). */
  readonly errors: readonly ErrorCode[];
  /** Shared parameters besides the declared ones and those of every request. */
  readonly takes: readonly SharedParameter[];
  /** A working example of a body. */
  readonly example?: Example;
  /** The file that it takes as part `file` of a form; absent: it takes none, and all forms of bodies. */
  readonly file?: DescriptionKey;
}

/** A working example of a body, by its members: texts, numbers, flags and lists of texts, which every media type can express. */
interface Example {
  readonly [name: string]: string | number | boolean | readonly string[] | ExampleObject;
}

/** In forms its members are words: `author=review approvals=1`. */
interface ExampleObject {
  readonly [name: string]: string | number | boolean;
}

/** Common to all kinds of routes. */
export interface Described
  extends Pick<Documentation, 'summary' | 'description' | 'example' | 'file'>,
    Partial<Pick<Documentation, 'errors' | 'takes'>> {
  readonly group: Group;
  readonly right: Right;
}

export const documented = (
  { group, right, errors = [], takes = [], ...texts }: Described,
  response: Documentation['response'],
): Documentation => ({ ...texts, tags: [group], ...rightMembers(right), response, errors, takes });

export const bodyOf = (schema: TSchema, mediaType = 'application/json'): Pick<DocumentedAnswer, 'content'> => ({
  content: { [mediaType]: { schema } },
});

/** The documentation of a route that answers in a way of its own. */
export const answering =
  (status: 200 | 201, description: DescriptionKey, schema: TSchema, carries: readonly AnswerHeader[] = []) =>
  (described: Described): Documentation =>
    documented(described, { [status]: { description, ...bodyOf(schema), carries } });

// Shared by reading routes.

interface Reading extends Omit<Described, 'right' | 'example'> {
  /** Default: all callers. */
  readonly right?: Right;
  readonly answer: TSchema;
}

export const notModified = (carries: readonly AnswerHeader[]): DocumentedAnswer => ({
  description: 'answer.not_modified',
  type: 'null',
  carries,
});

/** A read with an ETag. */
export const reading = ({ answer, takes = [], right = FOR_ALL, ...rest }: Reading): Documentation =>
  documented(
    { ...rest, right, takes: [...takes, 'IfNoneMatch'] },
    {
      200: { description: 'answer.read', ...bodyOf(answer), carries: ['ETag'] },
      304: notModified(['ETag']),
    },
  );

/** How current a list is; lists of the past do not say so. */
export const SHOWN: readonly AnswerHeader[] = ['ShownPosition', 'Lag', 'Views'];

const TOTALS: readonly AnswerHeader[] = ['Total', 'TotalPages', 'TotalTwin', 'TotalPagesTwin'];

/** A list with totals in its headers. */
export function listing(list: Reading): Documentation {
  const carries: readonly AnswerHeader[] = ['ETag', ...TOTALS, ...SHOWN];
  return {
    ...reading(list),
    response: {
      200: { description: 'answer.list', ...bodyOf(list.answer), carries: [...carries, 'ContentEncoding'] },
      304: notModified(carries),
    },
  };
}

/** The list of what happened to something. */
export const listingHistory = (list: Omit<Reading, 'answer'>): Documentation =>
  listing({
    ...list,
    answer: page('history', 'history.answer', Type.Ref('Revision')),
    errors: [...(list.errors ?? []), 'rest_history_page_not_found'],
  });

/** Errors of `with`. */
export const AHEAD_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_not_found',
  'rest_proposal_closed',
  'rest_proposal_conflict',
  'rest_target_in_trash',
  'rest_set_not_found',
  'rest_set_closed',
  'rest_set_empty',
  'rest_set_unfit',
];

/** Errors of `as_of` and `revision` on single reads. */
export const OLD_STATE_ERRORS: readonly ErrorCode[] = [
  'rest_forbidden',
  'rest_revision_not_found',
  'rest_not_there_then',
];

// Shared by writing routes.

interface Writing extends Described {
  /** The body of the answer: the resource after the write. */
  readonly answer: TSchema;
}

interface Result {
  readonly status: 200 | 201;
  readonly description: DescriptionKey;
  readonly carries: readonly AnswerHeader[];
}

const HEADERS: readonly AnswerHeader[] = ['ETag', 'Position', 'Views', 'ReadAs'];

/** Groups whose resources the rules of review are about. */
const REVIEWED: ReadonlySet<Group> = new Set(['Events', 'Venues', 'Organizers', 'Categories', 'Tags']);

/** What is in the trash cannot be changed by a proposal. */
const WITH_TRASH: ReadonlySet<Group> = new Set(['Events', 'Venues', 'Organizers']);

const REVIEW_ERRORS = ['rest_review_required', 'rest_bypass_refused'] as const;

/** Where the rules of review turn the write into a proposal. */
const PROPOSED: Documentation['response'] = {
  202: {
    description: 'answer.proposed',
    ...bodyOf(Type.Ref('Proposal')),
    carries: ['ETag', 'Position', 'Views', 'Location'],
  },
};

function written(
  { answer, errors = [], takes = [], ...rest }: Writing,
  { status, description, carries }: Result,
): Documentation {
  const isReviewed = REVIEWED.has(rest.group);
  return documented(
    {
      ...rest,
      // Also for a condition that nothing can meet.
      errors: ['rest_forbidden', 'rest_precondition_failed', ...(isReviewed ? REVIEW_ERRORS : []), ...errors],
      takes: ['ChangeReason', ...(isReviewed ? (['BypassReview'] as const) : []), ...takes],
    },
    { [status]: { description, ...bodyOf(answer), carries }, ...(isReviewed && PROPOSED) },
  );
}

/** A write of an existing resource. */
const changed = (writes: Writing, description: DescriptionKey): Documentation =>
  written({ ...writes, takes: ['IfMatch'] }, { status: 200, description, carries: HEADERS });

export const creating = (writes: Writing): Documentation =>
  written(
    { ...writes, takes: ['IdempotencyKey'] },
    { status: 201, description: 'answer.created', carries: [...HEADERS, 'Location'] },
  );

/** `write.merge` describes how omitted members are handled. */
export const changing = (writes: Writing): Documentation =>
  changed(
    {
      description: 'write.merge',
      ...writes,
      errors: [...(WITH_TRASH.has(writes.group) ? (['rest_target_in_trash'] as const) : []), ...(writes.errors ?? [])],
    },
    'answer.changed',
  );

export const trashing = (writes: Writing): Documentation => changed(writes, 'answer.trashed');

export const deleting = (writes: Writing): Documentation => changed(writes, 'answer.deleted');

/** The documentation of a route that creates what no read model shows: there is no position to wait for. */
export const creatingInLog = (writes: Writing): Documentation =>
  written(
    { ...writes, takes: ['IdempotencyKey'] },
    { status: 201, description: 'answer.created', carries: ['ETag', 'Location'] },
  );

export const changingInLog = (writes: Writing): Documentation => changedInLog(writes, 'answer.changed');

export const deletingInLog = (writes: Writing): Documentation => changedInLog(writes, 'answer.deleted');

const changedInLog = (writes: Writing, description: DescriptionKey): Documentation =>
  written({ ...writes, takes: ['IfMatch'] }, { status: 200, description, carries: ['ETag'] });
