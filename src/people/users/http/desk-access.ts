// What the desk needs of users beside the API: signing in and out, and the password of one's own.

import type { CommandContext } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { writtenOr } from '../../../http/routes/writing.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { User } from '../../auth/caller.ts';
import {
  type Entered,
  type HandOver,
  openSignIn,
  type SignIn,
  type SignInOptions,
  type VerifyOwn,
} from '../../auth/desk-sign-in.ts';
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

export interface DeskAccess {
  readonly signIn: SignIn;
  readonly verifyOwn: VerifyOwn;
  readonly handOver: HandOver;
  readonly find: Sessions['find'];
  start(asking: Asking, entered: Entered): Promise<SessionToken>;
  /** Throws an `ApiError` for an unknown session. */
  end(asking: Asking, user: number, which: number | 'all'): Promise<void>;
  /** Throws an `ApiError` for a password that is refused. */
  setPassword(asking: Asking, user: number, password: string): Promise<void>;
  /** The same by the secret of a link, which is refused after its use. Returns the user. */
  useLink(asking: Asking, link: Pick<SessionToken, 'user' | 'secret'>, password: string): Promise<User>;
}

interface DeskAccessOptions extends SignInOptions {
  readonly users: UserDependencies;
  readonly sessions: Sessions;
}

const contextFor = ({ user, now, id }: Asking): CommandContext => ({ caller: user, now, correlationId: id });

/** Histories name users by their ids; this is for one whose name is not known any more. */
const LINK_HOLDER = 'holder of a link';

export function openDeskAccess({ users, sessions, ...options }: DeskAccessOptions): DeskAccess {
  /** What is written counts at once in this process. */
  async function noted(writing: Promise<CommandResult<UserAccount>>): Promise<UserAccount> {
    const { id, state, revision } = writtenOr(await writing, { caller: null });
    sessions.note(id, revision);
    return state;
  }

  return {
    ...openSignIn(options),
    find: sessions.find,
    async start(asking, { user, ...terms }) {
      const secret = newLongSecret();
      const session = { ...terms, digest: secretDigest(secret) };
      const context = contextFor({ ...asking, user });
      const account = await noted(changeUser(users, context, user.id, (before) => startSession(before, session)));
      return { user: user.id, session: account.lastSession ?? 0, secret };
    },
    async end(asking, user, which) {
      await noted(changeUser(users, contextFor(asking), user, (account) => endSession(account, which)));
    },
    async setPassword(asking, user, password) {
      await noted(setPassword(users, contextFor(asking), user, password));
    },
    async useLink(asking, { user: id, secret }, password) {
      const context = { ...contextFor(asking), actor: { id, name: LINK_HOLDER } };
      const { login, name, role } = await noted(setPassword(users, context, id, password, secretDigest(secret)));
      return { id, login, name, role };
    },
  };
}
