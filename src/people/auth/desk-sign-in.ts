// Signing in at the desk: by login or e-mail address, and the password or a token of the API.

import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import { comparedName, type UserAccount } from '../users/domain/user.ts';
import { accountIn, userNamed, userOf } from './accounts.ts';
import type { Authenticate, Authentication, BeforeVerifying, User } from './caller.ts';
import { parseToken, unmatchableHash, type verifyPassword } from './passwords.ts';

interface Entering {
  readonly login: string;
  readonly password: string;
}

export interface Entered {
  readonly user: User;
  /** The number of the token that was used; absent after the password. */
  readonly credential?: number;
  /** When the session ends by itself, if earlier than others. */
  readonly ends?: EpochSeconds;
}

/** Signs in with a token of the single sign-on, or says why it is refused. */
export type HandOver = (token: string) => Promise<Authentication>;

/** Null: wrong. Rejects with what `beforeVerifying` throws. */
export type SignIn = (entering: Entering, beforeVerifying: BeforeVerifying) => Promise<Entered | null>;

/** Whether this is the password of a user. */
export type VerifyOwn = (account: UserAccount, password: string, beforeVerifying: BeforeVerifying) => Promise<boolean>;

export interface SignInOptions {
  /** From the log: a password set a moment ago counts. */
  readonly accounts: Pick<ReadModel, 'findBySlug'>;
  readonly authenticate: Authenticate;
  readonly verify: typeof verifyPassword;
}

export function openSignIn({ accounts, authenticate, verify }: SignInOptions) {
  const decoy = unmatchableHash();

  async function find(login: string): Promise<UserAccount | null> {
    const document = comparedName(login).includes(':') ? null : await userNamed(login, accounts);
    return document && accountIn(document);
  }

  /** An unknown user costs as much time as a wrong password. */
  async function isRight(
    account: UserAccount | null,
    { login, password }: Entering,
    beforeVerifying: BeforeVerifying,
  ): Promise<boolean> {
    const name = account ? `password of user ${account.id}` : `name ${comparedName(login)}`;
    const attempt = beforeVerifying({ name, exists: account !== null });
    const isSame = await verify(password, account?.passwordHash ?? decoy).catch((error: unknown) => {
      attempt.forgive();
      throw error;
    });
    if (isSame) attempt.forgive();
    return isSame;
  }

  const signIn: SignIn = async ({ login: name, password }, beforeVerifying) => {
    const login = name.trim();
    const token = parseToken(password);
    if (token) {
      const basic = Buffer.from(`${login}:${password}`).toString('base64');
      const outcome = await authenticate(`Basic ${basic}`, beforeVerifying);
      const user = outcome.kind === 'caller' ? outcome.caller : null;
      return user && { user, credential: token.credential };
    }
    const account = await find(login);
    if (!(await isRight(account, { login, password }, beforeVerifying)) || account === null) return null;
    return { user: userOf(account) };
  };

  const verifyOwn: VerifyOwn = (account, password, beforeVerifying) =>
    isRight(account, { login: account.login, password }, beforeVerifying);

  /** Application tokens have no dots: these are not handed over, but typed by their owners. */
  const handOver: HandOver = async (token) =>
    token.split('.').length === 3 ? authenticate(`Bearer ${token}`) : { kind: 'refused', code: 'rest_invalid_token' };

  return { signIn, verifyOwn, handOver };
}
