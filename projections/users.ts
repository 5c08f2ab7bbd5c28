// The projection of users: found by login and e-mail address; the state has what signing in needs.

import { factOf, instantOf } from '../src/log/envelope.ts';
import { evolveUser, type UserAccount, type UserFact } from '../src/people/users/domain/user.ts';
import { type AnyProjection, asJson, projectionOf } from './projection.ts';

export const usersProjection = (): AnyProjection =>
  projectionOf<UserAccount>({
    kind: 'user',
    prefix: 'user-',
    fold: (state, event) => evolveUser(state, factOf<UserFact>(event), instantOf(event)),
    document: (user, at) => ({
      kind: 'user',
      id: user.id,
      ...at,
      state: asJson(user),
      // An erased user is not found by the placeholder.
      login: user.erased ? '' : user.login,
      email: user.erased ? '' : user.email,
    }),
  });
