// The `Allow` header: the methods that this caller may use, by the rights of src/people/auth/policy.ts.

import { isPostKind, type PostKind } from '../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { may, mayManageTerms, type RightsSubject } from '../../people/auth/policy.ts';
import type { Method } from '../route.ts';

/** The methods for this post. Null: it does not exist, which an editor may know. */
export function methodsFor(caller: Caller, kind: PostKind, post: RightsSubject | null): readonly Method[] {
  const deleting: Method[] = may(caller, 'delete', kind, post ?? undefined) ? ['DELETE'] : [];
  const updating: Method[] = may(caller, 'update', kind, post ?? undefined) ? ['POST', 'PUT', 'PATCH'] : [];
  return ['GET', ...deleting, ...updating];
}

/** If an id names no post: only events are writable until they are looked up. */
export const methodsForUnknownId = (caller: Caller, kind: PostKind): readonly Method[] =>
  kind === 'event' ? methodsFor(caller, kind, null) : ['GET'];

/** For the list of a kind. */
export const methodsForList = (caller: Caller, kind: PostKind | TermKind): readonly Method[] => {
  const mayCreate = isPostKind(kind) ? may(caller, 'create', kind) : mayManageTerms(caller, kind);
  return mayCreate ? ['GET', 'POST'] : ['GET'];
};

/** For one category or tag. */
export const methodsForTerm = (caller: Caller, kind: TermKind): readonly Method[] =>
  mayManageTerms(caller, kind) ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET'];
