// Who may use a route: computed from src/people/auth/policy.ts role by role.

import type { PostKind, PostStatus } from '../../../calendar/resource/domain/post.ts';
import { selectionOf, withinReach } from '../../../editorial/audit/queries/selection.ts';
import type { ResourceKind } from '../../../editorial/history/queries/resource.ts';
import { type Caller, ROLES } from '../../../people/auth/caller.ts';
import { type Action, may, mayManageTerms, mayReadHistory, type RightsSubject } from '../../../people/auth/policy.ts';

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

export const toReadHistory = (kind: ResourceKind): Right =>
  kind === 'category' || kind === 'tag'
    ? toManage(kind)
    : { of: 'posts', may: (caller, post) => mayReadHistory(caller, kind, post) };

/** Callers who may change a resource and read its history. */
export const toRevert = (kind: ResourceKind): Right =>
  kind === 'category' || kind === 'tag'
    ? toManage(kind)
    : {
        of: 'posts',
        may: (caller, post) => may(caller, 'update', kind, post) && mayReadHistory(caller, kind, post),
      };

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

export type SecurityRequirement = { readonly [scheme: string]: readonly string[] };

export interface RightMembers {
  readonly security: readonly SecurityRequirement[];
  /** The roles with any such right. */
  readonly 'x-daybook-roles': readonly string[];
  /** By role, if not all of them have the same. */
  readonly 'x-daybook-posts'?: { readonly [role: string]: readonly string[] };
  readonly 'x-daybook-users'?: { readonly [role: string]: readonly string[] };
}

export function rightMembers(right: Right): RightMembers {
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
