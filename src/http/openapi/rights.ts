// Which roles may use an endpoint: asked of the table of rights, role by role.
import { type Caller, ROLES } from '../../auth/caller.ts';
import type { PostStanding } from '../../auth/policy.ts';
import type { PostStatus } from '../../domain/post-status.ts';
import type { Right } from './documentation/documentation.ts';
import type { Members } from './wording.ts';

const ME = 1;
const SOMEBODY_ELSE = 2;

/** The posts that rights tell apart, by the names that the document has for them. */
const POSTS: { readonly [name: string]: PostStanding } = {
  own_draft: standing(ME, 'draft'),
  own_published: standing(ME, 'publish'),
  others_draft: standing(SOMEBODY_ELSE, 'draft'),
  others_published: standing(SOMEBODY_ELSE, 'publish'),
};

function standing(author: number, status: PostStatus): PostStanding {
  return { author, status, before: null };
}

const CALLERS: readonly (readonly [role: string, caller: Caller])[] = [
  ['anonymous', null],
  ...[...ROLES].reverse().map((role) => [role, { id: ME, login: role, name: role, role }] as const),
];

/** The users that rights tell apart. */
const USERS: { readonly [name: string]: number } = { own: ME, others: SOMEBODY_ELSE };

/** `x-daybook-roles`: who may; `x-daybook-posts` or `x-daybook-users`: each of them with which, where that differs. */
export function rightMembers(right: Right): Members {
  if (right.of === 'endpoint') return { 'x-daybook-roles': rolesOf((caller) => right.may(caller)) };
  const reach = CALLERS.map(([role, caller]) => [role, reachOf(right, caller)] as const);
  const able = reach.filter(([, things]) => things.length > 0);
  return { 'x-daybook-roles': able.map(([role]) => role), [`x-daybook-${right.of}`]: Object.fromEntries(able) };
}

const rolesOf = (may: (caller: Caller) => boolean): string[] =>
  CALLERS.filter(([, caller]) => may(caller)).map(([role]) => role);

/** The names of what this caller may do it to. Nobody in particular has nothing of their own. */
function reachOf(right: Exclude<Right, { of: 'endpoint' }>, caller: Caller): string[] {
  if (right.of === 'users') return Object.keys(USERS).filter((name) => right.may(caller, USERS[name] ?? SOMEBODY_ELSE));
  const there = Object.entries(POSTS).filter(([, { author }]) => caller !== null || author === SOMEBODY_ELSE);
  return there.filter(([, post]) => right.may(caller, post)).map(([name]) => name);
}

/** Whether somebody who is signed in may be refused for what that is, and not for what else was asked for. */
export function refusesSignedIn(right: Right): boolean {
  if (right.of !== 'endpoint') return true;
  return right.may(null) || CALLERS.some(([, caller]) => caller !== null && !right.may(caller));
}

/** How an operation may be signed: not at all where the public may use it. */
export const securityOf = (roles: readonly unknown[]): Members[] => [
  ...(roles.includes('anonymous') ? [{}] : []),
  { basic: [] },
  { bearer: [] },
];
