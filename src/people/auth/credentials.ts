// Authenticates callers by the `Authorization` header.
// decision 19

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import type { DocumentKey, UserDocument } from '../../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../../read-model/read-model.ts';
import { comparedName } from '../users/domain/user.ts';
import { accountIn, userNamed, userOf, userWith } from './accounts.ts';
import type { Authenticate, Authentication, BeforeVerifying, CredentialRefusal, TriedAccount, User } from './caller.ts';
import { openNewestRevisions } from './newest-revisions.ts';
import { parseToken, type Token, unmatchableHash, type verifyPassword } from './passwords.ts';

/** Users in the log: always current, but slower to read than the read model. */
interface AccountLog extends Pick<ReadModel, 'findBySlug' | 'fetch'> {
  /** The revision of the user's last event, also after a removal; null if there never was such a user. */
  revisionOf(key: DocumentKey): Promise<number | null>;
}

interface AuthenticatorOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'findBySlug' | 'fetch'>;
  /**
   * Used while the read model is unavailable, and every now and then to check whether it lags for a user.
   */
  readonly log: AccountLog;
  /** Milliseconds of a monotonic clock (`performance.now`); only differences matter. */
  readonly elapsed: () => number;
  /**
   * For how long a verified credential is not verified again; revocations count at once all the same. That it was right
   * is remembered longer, so that wrong attempts of another client do not block it.
   */
  readonly cacheForMs: number;
  /** At most this many verified credentials are cached; default 1000. */
  readonly maxCached?: number;
  /** Compares a secret with a hash; `verifyPassword`, or one that limits how many run at once. */
  readonly verify: typeof verifyPassword;
}

/** The content of a header, before it is verified. */
type Presented =
  | { readonly scheme: 'basic'; readonly login: string; readonly token: Token | null }
  | { readonly scheme: 'bearer'; readonly token: Token | null };

/** A header being verified. `key` is a digest of it. */
interface Header {
  readonly key: string;
  readonly presented: Presented;
  readonly beforeVerifying?: BeforeVerifying;
}

interface Verified {
  readonly caller: User;
  /** The revision of the user's document when the credential was verified. */
  readonly revision: number;
  readonly at: number;
  /** The version of the read model when the document was last checked. */
  readonly version: string;
}

type Accounts = Pick<ReadModel, 'findBySlug' | 'fetch'>;

/** The version of what was verified by the log. */
const OF_NO_VIEWS = '';

const ANONYMOUS: Authentication = { kind: 'caller', caller: null };

/**
 * Authenticates by Basic (login or e-mail address, in any case, and a token) or Bearer (the token alone). A header that
 * is neither, or that lacks a token, counts as none. Verification costs some 50 ms on purpose, for unknown users too;
 * so successes are cached under a digest of the header. A cached success is valid while the read model does not change,
 * or else while the user's document does not: a revocation or a new role counts with the next request.
 *
 * The read model may lag or be empty. So the end of the user's stream is checked in the log, twice a second for each
 * active user; if the log has something newer, it decides. A revocation counts within a second in every process that
 * reaches the log or has a filled read model.
 *
 * While the read model is unavailable, users are read from the log, and a cached success is valid only if the log has
 * nothing newer of that user. A lagging read model that comes back does not override what the log has shown.
 * Rejections: those of the log, where it has to be asked.
 */
export function openAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { readModel, log, elapsed, cacheForMs, maxCached = 1000, verify: compare } = options;
  const decoy = unmatchableHash();
  const verified = new LRUCache<string, Verified>({ max: maxCached });
  /** Verifications in progress: a client that opens with many requests at once pays for one. */
  const verifying = singleFlight<Authentication>();

  function fresh(key: string): Verified | undefined {
    const entry = verified.get(key);
    return entry && elapsed() - entry.at < cacheForMs ? entry : undefined;
  }

  const newest = openNewestRevisions({ revisionOf: log.revisionOf, elapsed });

  async function verify(presented: Presented, document: UserDocument | null): Promise<Authentication> {
    const account = document === null ? null : accountIn(document);
    const { token } = presented;
    const credential =
      account?.id === token?.user ? account?.credentials.find(({ id }) => id === token?.credential) : undefined;
    const isRight = await compare(token?.secret ?? '', credential?.hash ?? decoy);
    if (account === null) return { kind: 'refused', code: unknownUser(presented) };
    if (!isRight || credential === undefined) return { kind: 'refused', code: 'incorrect_password' };
    return { kind: 'caller', caller: userOf(account) };
  }

  /** A wrong secret counts against the client, an outage does not. A credential that was right before is no guess. */
  async function verifyCounted(header: Header, document: UserDocument | null): Promise<Authentication> {
    const isGuess = !verified.has(header.key);
    const attempt = isGuess ? header.beforeVerifying?.(triedAccount(header.presented, document)) : undefined;
    const result = await verify(header.presented, document).catch((error: unknown) => {
      attempt?.forgive();
      throw error;
    });
    if (result.kind === 'caller') attempt?.forgive();
    return result;
  }

  const verifyOnce = (header: Header, document: UserDocument | null): Promise<Authentication> =>
    verifying(`${header.key} ${document?.revision ?? 'unknown'}`, () => verifyCounted(header, document));

  async function verifyAnew(header: Header, document: UserDocument | null, version: string): Promise<Authentication> {
    const { key } = header;
    const result = await verifyOnce(header, document);
    if (result.kind === 'caller' && result.caller && document)
      verified.set(key, { caller: result.caller, revision: document.revision, at: elapsed(), version });
    else verified.delete(key);
    return result;
  }

  async function byViews(header: Header): Promise<Authentication> {
    const { key, presented } = header;
    // Read before the document: if the document is newer than the version, it is only checked once more.
    const version = await readModel.version();
    // Before the result is used: a failure may mean an unknown user or another user's credential.
    if (presented.token) await newest.look(presented.token.user);
    const cached = fresh(key);
    if (cached?.version === version && !newest.isOutdated(cached.caller.id, cached.revision))
      return { kind: 'caller', caller: cached.caller };
    // While it is of the same revision it has the same names, so none is looked up.
    const same = cached ? await userWith(cached.caller.id, readModel) : null;
    const document = same && same.revision === cached?.revision ? same : await documentFor(presented, readModel);
    const user = document?.id ?? presented.token?.user ?? 0;
    if (newest.isOutdated(user, document?.revision ?? -1)) return byLog(header);
    if (cached && document?.id === cached.caller.id && document.revision === cached.revision) {
      verified.set(key, { ...cached, version });
      return { kind: 'caller', caller: cached.caller };
    }
    return verifyAnew(header, document, version);
  }

  async function byLog(header: Header): Promise<Authentication> {
    const { key, presented } = header;
    const cached = fresh(key);
    const revision = cached && (await log.revisionOf({ kind: 'user', id: cached.caller.id }));
    if (cached && revision === cached.revision) return { kind: 'caller', caller: cached.caller };
    const document = await documentFor(presented, log);
    await noteNewest(document, presented);
    return verifyAnew(header, document, OF_NO_VIEWS);
  }

  /** A removed user has no document, but the log may have newer events. */
  async function noteNewest(document: UserDocument | null, { token }: Presented): Promise<void> {
    const user = document?.id ?? token?.user ?? 0;
    const revision = document?.revision ?? (user === 0 ? null : await log.revisionOf({ kind: 'user', id: user }));
    if (revision !== null) newest.note(user, revision);
  }

  return async (authorization, beforeVerifying) => {
    const presented = authorization === undefined ? null : readHeader(authorization);
    if (authorization === undefined || presented === null) return ANONYMOUS;
    const key = hash('sha256', authorization, 'base64');
    const header: Header = { key, presented, ...(beforeVerifying && { beforeVerifying }) };
    try {
      return await byViews(header);
    } catch (error) {
      if (!(error instanceof ReadModelUnavailable)) throw error;
      return byLog(header);
    }
  };
}

async function documentFor(presented: Presented, accounts: Accounts): Promise<UserDocument | null> {
  if (presented.scheme === 'basic') return userNamed(presented.login, accounts);
  return presented.token === null ? null : userWith(presented.token.user, accounts);
}

/**
 * One name per account, by whichever name it was given. Each existing credential counts separately: a client that does
 * not know its number cannot lock it out.
 */
function triedAccount(presented: Presented, document: UserDocument | null): TriedAccount {
  const { token } = presented;
  if (document !== null) {
    const isThere = accountIn(document).credentials.some(({ id }) => id === token?.credential);
    const name = isThere ? `user ${document.id} credential ${token?.credential}` : `user ${document.id}`;
    return { name, exists: true };
  }
  if (presented.scheme === 'basic') return { name: `name ${comparedName(presented.login)}`, exists: false };
  return { name: token === null ? 'no token' : `user ${token.user}`, exists: false };
}

function unknownUser(presented: Presented): CredentialRefusal {
  if (presented.scheme === 'bearer') return 'incorrect_password';
  return presented.login.includes('@') ? 'invalid_email' : 'invalid_username';
}

function readHeader(authorization: string): Presented | null {
  const [, scheme = '', rest = ''] = /^\s*([a-z]+) +(.*)$/is.exec(authorization) ?? [];
  if (rest.trim() === '') return null;
  switch (scheme.toLowerCase()) {
    case 'basic':
      return readBasic(rest.trim());
    case 'bearer':
      return { scheme: 'bearer', token: parseToken(rest) };
    default:
      return null;
  }
}

function readBasic(encoded: string): Presented | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const token = text.slice(colon + 1);
  if (colon < 0 || token.trim() === '') return null;
  return { scheme: 'basic', login: text.slice(0, colon), token: parseToken(token) };
}
