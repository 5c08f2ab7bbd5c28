// Sessions of the desk: the secrets in cookies, and which user they stand for at the moment.
// decision 19
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { DocumentKey, UserDocument } from '../../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../../read-model/read-model.ts';
import { isRunning, type RunningSession } from '../users/domain/desk-access.ts';
import type { UserAccount } from '../users/domain/user.ts';
import { accountIn, userOf, userWith } from './accounts.ts';
import type { User } from './caller.ts';
import { openNewestRevisions } from './newest-revisions.ts';

/** What a cookie says. */
export interface SessionToken {
  readonly user: number;
  readonly session: number;
  readonly secret: string;
}

/** A user with a running session. */
export interface SignedIn {
  readonly user: User;
  /** As far as the desk shows it. */
  readonly account: UserAccount;
  readonly token: SessionToken;
}

export type Sessions = ReturnType<typeof openSessions>;

interface SessionOptions {
  readonly readModel: Pick<ReadModel, 'fetch'>;
  /** Users in the log: always current. */
  readonly log: Pick<ReadModel, 'fetch'> & { revisionOf(key: DocumentKey): Promise<number | null> };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

const TOKEN = /^([1-9]\d{0,14})-([1-9]\d{0,8})-([\w-]{43})$/;
const SECRET_BYTES = 32;

/** 256 bits, as text for a cookie or an address. */
export const newLongSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Under which a long secret is stored: it needs no salt. */
export const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const sessionText = ({ user, session, secret }: SessionToken): string => `${user}-${session}-${secret}`;

export function parseSession(text: string): SessionToken | null {
  const [, user, session, secret] = TOKEN.exec(text) ?? [];
  if (user === undefined || session === undefined || secret === undefined) return null;
  return { user: Number(user), session: Number(session), secret };
}

/** Where a user sets a new password with a link. */
export const RESET_PATH = '/desk/new-password';

export const resetLinkPath = (user: number, secret: string): string => `${RESET_PATH}?link=${user}-${secret}`;

/** Where a new calendar is set up with a word. */
export const FIRST_START_PATH = '/desk/start';

export const firstStartPath = (word: string): string => `${FIRST_START_PATH}?word=${word}`;

/** The user and the secret of such a link. */
export function parseResetLink(link: string): Pick<SessionToken, 'user' | 'secret'> | null {
  const [, user, secret] = /^([1-9]\d{0,14})-([\w-]{43})$/.exec(link) ?? [];
  return user === undefined || secret === undefined ? null : { user: Number(user), secret };
}

/** The token in the forms of a session against forged requests: bound to the session's secret, which no page contains. */
export const formToken = ({ secret }: SessionToken): string =>
  createHmac('sha256', secret).update('form').digest('base64url');

export const isFormToken = (token: SessionToken, text: string): boolean => isSame(formToken(token), text);

/** Compares secrets: however much of them is the same, it takes as long. */
export function isSame(expected: string, presented: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(presented)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Users come from the read model, unless the log has shown something newer: looked up at most twice a second for each
 * user, and whenever the read model does not know the session. So a session counts as soon as it is written, and its
 * end within a second in every process.
 */
export function openSessions({ readModel, log, elapsed }: SessionOptions) {
  const newest = openNewestRevisions({ revisionOf: log.revisionOf, elapsed });

  async function fromViews(id: number): Promise<UserDocument | null> {
    try {
      const document = await userWith(id, readModel);
      return newest.isOutdated(id, document?.revision ?? -1) ? null : document;
    } catch (error) {
      if (error instanceof ReadModelUnavailable) return null;
      throw error;
    }
  }

  return {
    /** Records what this process has just written: it counts at once. */
    note: (user: number, revision: number) => newest.note(user, revision),
    /** Null: the session has ended, run out, or never was. */
    async find(cookie: string | undefined, now: EpochSeconds): Promise<SignedIn | null> {
      const token = cookie === undefined ? null : parseSession(cookie);
      if (token === null) return null;
      await newest.look(token.user);
      const session = signedIn(await fromViews(token.user), token, now);
      return session ?? signedIn(await userWith(token.user, log), token, now);
    },
  };
}

function signedIn(document: UserDocument | null, token: SessionToken, now: EpochSeconds): SignedIn | null {
  const account = document && accountIn(document);
  const session = account?.sessions?.find(({ id }) => id === token.session);
  if (!account || !session || account.erased || !isHeldBy(session, token, now)) return null;
  return { user: userOf(account), account, token };
}

const isHeldBy = (session: RunningSession, { secret }: SessionToken, now: EpochSeconds): boolean =>
  isRunning(session, now) && isSame(session.digest, secretDigest(secret));
