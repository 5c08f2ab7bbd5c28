// What the desk needs of users beside the API: signing in and out, and the password of one's own.

import { metadataOf } from '../../../commands/context.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { EventMetadata } from '../../../log/envelope.ts';
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
import { setPassword, type UserDependencies, type UserRefused, type UserWritten } from '../commands/users.ts';
import { endSession, startSession } from '../domain/desk-access.ts';
import { carriedOut } from './user-refusals.ts';

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

const metadataFor = ({ user, now, id }: Asking): EventMetadata => metadataOf({ caller: user, now, correlationId: id });

/** Histories name users by their ids; this is for one whose name is not known any more. */
const LINK_HOLDER = 'holder of a link';

export function openDeskAccess({ users, sessions, ...options }: DeskAccessOptions): DeskAccess {
  /** What is written counts at once in this process. */
  async function noted(writing: Promise<UserWritten | UserRefused>): Promise<UserWritten> {
    const written = carriedOut(await writing);
    sessions.note(written.user.id, written.revision);
    return written;
  }

  return {
    ...openSignIn(options),
    find: sessions.find,
    async start(asking, { user, ...terms }) {
      const secret = newLongSecret();
      const session = { ...terms, digest: secretDigest(secret) };
      const metadata = metadataFor({ ...asking, user });
      const written = await noted(changeUser(users, metadata, user.id, (account) => startSession(account, session)));
      return { user: user.id, session: written.user.lastSession ?? 0, secret };
    },
    async end(asking, user, which) {
      await noted(changeUser(users, metadataFor(asking), user, (account) => endSession(account, which)));
    },
    async setPassword(asking, user, password) {
      await noted(setPassword(users, metadataFor(asking), user, password));
    },
    async useLink(asking, { user: id, secret }, password) {
      const metadata = { ...metadataFor(asking), actor: { id, name: LINK_HOLDER } };
      const { user } = await noted(setPassword(users, metadata, id, password, secretDigest(secret)));
      const { login, name, role } = user;
      return { id, login, name, role };
    },
  };
}
