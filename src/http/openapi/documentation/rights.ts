// The rights that documents speak of: questions to src/auth/policy.ts, never answers of their own.
import { type Action, may, mayManageTerms, mayReadHistory } from '../../../auth/policy.ts';
import type { PostKind } from '../../../domain/post.ts';
import { selectionOf, withinReach } from '../../../queries/changes/selection.ts';
import type { ThingKind } from '../../../queries/history/resource.ts';
import type { Right } from './documentation.ts';

export const toCreate = (kind: PostKind): Right => ({ of: 'endpoint', may: (caller) => may(caller, 'create', kind) });

export const onPosts = (action: Exclude<Action, 'create'>, kind: PostKind): Right => ({
  of: 'posts',
  may: (caller, post) => may(caller, action, kind, post),
});

export const toManage = (kind: 'category' | 'tag'): Right => ({
  of: 'endpoint',
  may: (caller) => mayManageTerms(caller, kind),
});

export const toReadHistory = (kind: ThingKind): Right =>
  kind === 'category' || kind === 'tag'
    ? toManage(kind)
    : { of: 'posts', may: (caller, post) => mayReadHistory(caller, kind, post) };

/** Whoever may change a thing and read what it was. */
export const toRevert = (kind: ThingKind): Right =>
  kind === 'category' || kind === 'tag'
    ? toManage(kind)
    : {
        of: 'posts',
        may: (caller, post) => may(caller, 'update', kind, post) && mayReadHistory(caller, kind, post),
      };

/** Whoever may hear of anything. */
export const toFollow: Right = {
  of: 'endpoint',
  may(caller) {
    const everything = selectionOf([]);
    return !('unknown' in everything) && withinReach(everything, { caller }).length > 0;
  },
};
