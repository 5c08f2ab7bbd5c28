// What the desk needs of users beside the API: signing in and out, and the password of one's own.

import type { CommandContext } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { writtenOr } from '../../../http/routes/writing.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { User } from '../../auth/caller.ts';
import { type Entered, openSignIn, type SignInOptions } from '../../auth/desk-sign-in.ts';
import { newLongSecret, type Sessions, type SessionToken, secretDigest } from '../../auth/sessions.ts';
import { changeUser } from '../commands/user-changes.ts';
import { setPassword, type UserDependencies } from '../commands/users.ts';
import { endSession, startSession } from '../domain/desk-access.ts';
import type { UserAccount } from '../domain/user.ts';

/** A request of this user, or of one who has only a link. */
export interface Asking {
  readonly user: User | null;
  readonly now: EpochSeconds;
  readonly id: string;
}

export type DeskAccess = ReturnType<typeof openDeskAccess>;

interface DeskAccessOptions extends SignInOptions {
  readonly users: UserDependencies;
  readonly sessions: Sessions;
}

const contextFor = ({ user, now, id }: Asking): CommandContext => ({ caller: user, now, correlationId: id });

/** Histories name users by their ids; this is for one whose name is not known any more. */
const LINK_HOLDER = 'holder of a link';

export function openDeskAccess({ users, sessions, ...options }: DeskAccessOptions) {
  /** What is written counts at once in this process. */
  async function noted(writing: Promise<CommandResult<UserAccount>>): Promise<UserAccount> {
    const { id, state, revision } = writtenOr(await writing, { caller: null });
    sessions.note(id, revision);
    return state;
  }

  return {
    ...openSignIn(options),
    find: sessions.find,
    async start(asking: Asking, { user, ...terms }: Entered): Promise<SessionToken> {
      const secret = newLongSecret();
      const session = { ...terms, digest: secretDigest(secret) };
      const context = contextFor({ ...asking, user });
      const account = await noted(changeUser(users, context, user.id, (before) => startSession(before, session)));
      return { user: user.id, session: account.lastSession ?? 0, secret };
    },
    /** Throws an `ApiError` for an unknown session. */
    async end(asking: Asking, user: number, which: number | 'all') {
      await noted(changeUser(users, contextFor(asking), user, (account) => endSession(account, which)));
    },
    /** Throws an `ApiError` for a password that is refused. */
    async setPassword(asking: Asking, user: number, password: string) {
      await noted(setPassword(users, contextFor(asking), user, password));
    },
    /** Sets a password by the secret of a link, which is refused after its use. Returns the user. */
    async useLink(
      asking: Asking,
      { user: id, secret }: Pick<SessionToken, 'user' | 'secret'>,
      password: string,
    ): Promise<User> {
      const context = { ...contextFor(asking), actor: { id, name: LINK_HOLDER } };
      const { login, name, role } = await noted(setPassword(users, context, id, password, secretDigest(secret)));
      return { id, login, name, role };
    },
  };
}
