// Finds out who asks, from the `Authorization` header.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { comparedName, type UserAccount } from '../domain/user.ts';
import type { DocumentKey, UserDocument } from '../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import type { Authenticate, Authentication, BeforeVerifying, CredentialRefusal, TriedAccount, User } from './caller.ts';
import { type NewestRevisions, openNewestRevisions } from './newest-revisions.ts';
import { parseToken, type Token, unmatchableHash, verifyPassword } from './passwords.ts';

/** Users as the log has them: always of now, and dearer to ask for than views. */
export interface AccountLog extends Pick<ReadModel, 'findBySlug' | 'fetch'> {
  /** Of the last event of a user, whatever became of that user; null when there never was one. */
  revisionOf(key: DocumentKey): Promise<number | null>;
}

export interface AuthenticatorOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'findBySlug' | 'fetch'>;
  /**
   * Asked while the read model cannot be reached, and every now and then whether it has something newer of a user than
   * views have. Without it signing in fails then, and what views lack does not count.
   */
  readonly log?: AccountLog;
  /** Milliseconds of a clock that never goes back (`performance.now`); only differences count. */
  readonly elapsed: () => number;
  /**
   * For how long a verified credential is not verified again; a revocation counts at once all the same. It is remembered
   * for longer that it was right, so that another client's wrong attempts do not block it.
   */
  readonly cacheForMs: number;
  /** Verified credentials that are remembered at most; default 1000. */
  readonly maxCached?: number;
  /** Compares a secret with a hash; `verifyPassword`, or one that limits how many run at once. */
  readonly verify?: typeof verifyPassword;
}

/** What a header says, before it is verified. */
type Presented =
  | { readonly scheme: 'basic'; readonly login: string; readonly token: Token | null }
  | { readonly scheme: 'bearer'; readonly token: Token | null };

/** A header on its way through here. `key` is a digest of it. */
interface Asked {
  readonly key: string;
  readonly presented: Presented;
  readonly beforeVerifying?: BeforeVerifying;
}

interface Verified {
  readonly caller: User;
  /** Of the user's document, when the credential was verified. */
  readonly revision: number;
  readonly at: number;
  /** Of the read model, when the document was last seen. */
  readonly version: string;
}

type Accounts = Pick<ReadModel, 'findBySlug' | 'fetch'>;

/** Where no log is asked. */
const NOTHING_NEWER: Pick<NewestRevisions, 'look' | 'isOutdated' | 'note'> = {
  look: async () => {},
  isOutdated: () => false,
  note: () => {},
};

/** The version of what was verified by the log. */
const OF_NO_VIEWS = '';
/** Of logins and e-mails; longer names cannot exist, and are not looked up. */
const MAX_NAME_LENGTH = 100;

const ANONYMOUS: Authentication = { kind: 'caller', caller: null };

/**
 * Authenticates by Basic (login or e-mail, in any case, and a token) or Bearer (the same token alone). A header that is
 * neither, or that lacks a token, counts as none. Verifying costs some 50 ms on purpose, for users who do not exist
 * too; so a success is remembered, under a digest of the header. While the read model does not change it is believed as it
 * is; once that has moved, only if the user's document has not: a revocation or a new role counts with the next request.
 *
 * Views may lag, or not be filled at all. So the end of the user's stream is looked at, too, twice a
 * second for each user who is there; where the log has something newer, the log decides. A revocation counts within a
 * second for every process that reaches the log or has views that are filled.
 *
 * While the read model cannot be reached the log tells who may sign in, and what was verified is believed only if the
 * log has nothing newer of that user. What the log has told is not unlearnt from views that are back and lag.
 * Rejections: those of the read model, without `log`; those of the log, where it has to be asked.
 */
export function openAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { readModel, log, elapsed, cacheForMs, maxCached = 1000, verify: compare = verifyPassword } = options;
  const decoy = unmatchableHash();
  const verified = new LRUCache<string, Verified>({ max: maxCached });
  /** Verifications under way: a client that opens with many requests at once pays for one. */
  const underWay = new Map<string, Promise<Authentication>>();

  function fresh(key: string): Verified | undefined {
    const entry = verified.get(key);
    return entry && elapsed() - entry.at < cacheForMs ? entry : undefined;
  }

  const newest = log
    ? openNewestRevisions({ revisionOf: (id) => log.revisionOf({ kind: 'user', id }), elapsed })
    : NOTHING_NEWER;

  async function verify(presented: Presented, document: UserDocument | null): Promise<Authentication> {
    const account = document === null ? null : accountIn(document);
    const { token } = presented;
    const credential =
      account?.id === token?.user ? account?.credentials.find(({ id }) => id === token?.credential) : undefined;
    const isRight = await compare(token?.secret ?? '', credential?.hash ?? decoy);
    if (account === null) return { kind: 'refused', code: unknownUser(presented) };
    if (!isRight || credential === undefined) return { kind: 'refused', code: 'incorrect_password' };
    const { id, login, name, role } = account;
    return { kind: 'caller', caller: { id, login, name, role } };
  }

  /** A wrong secret counts against the client; an outage does not. What was right once is no guess. */
  async function verifyCounted(asked: Asked, document: UserDocument | null): Promise<Authentication> {
    const isGuess = !verified.has(asked.key);
    const attempt = isGuess ? asked.beforeVerifying?.(triedAccount(asked.presented, document)) : undefined;
    const result = await verify(asked.presented, document).catch((error: unknown) => {
      attempt?.forgive();
      throw error;
    });
    if (result.kind === 'caller') attempt?.forgive();
    return result;
  }

  async function verifyOnce(asked: Asked, document: UserDocument | null): Promise<Authentication> {
    const flight = `${asked.key} ${document?.revision ?? 'unknown'}`;
    const joined = underWay.get(flight);
    if (joined) return joined;
    const started = verifyCounted(asked, document).finally(() => underWay.delete(flight));
    underWay.set(flight, started);
    return started;
  }

  async function verifyAnew(asked: Asked, document: UserDocument | null, version: string): Promise<Authentication> {
    const { key } = asked;
    const result = await verifyOnce(asked, document);
    if (result.kind === 'caller' && result.caller && document)
      verified.set(key, { caller: result.caller, revision: document.revision, at: elapsed(), version });
    else verified.delete(key);
    return result;
  }

  async function byViews(asked: Asked): Promise<Authentication> {
    const { key, presented } = asked;
    // Asked before the document: if that is newer than the version says, it is merely looked at once more.
    const version = await readModel.version();
    // Before anything is believed: a refusal means that the user is unknown, or the credential another user's.
    if (presented.token) await newest.look(presented.token.user);
    const cached = fresh(key);
    const isCurrent = cached?.version === version && !newest.isOutdated(cached.caller.id, cached.revision);
    if (cached && isCurrent) return { kind: 'caller', caller: cached.caller };
    const document = await documentFor(presented, readModel);
    const user = document?.id ?? presented.token?.user ?? 0;
    if (log && newest.isOutdated(user, document?.revision ?? -1)) return byLog(asked, log);
    if (cached && document?.id === cached.caller.id && document.revision === cached.revision) {
      verified.set(key, { ...cached, version });
      return { kind: 'caller', caller: cached.caller };
    }
    return verifyAnew(asked, document, version);
  }

  async function byLog(asked: Asked, accounts: AccountLog): Promise<Authentication> {
    const { key, presented } = asked;
    const cached = fresh(key);
    const revision = cached && (await accounts.revisionOf({ kind: 'user', id: cached.caller.id }));
    if (cached && revision === cached.revision) return { kind: 'caller', caller: cached.caller };
    const document = await documentFor(presented, accounts);
    await noteNewest(document, presented, accounts);
    return verifyAnew(asked, document, OF_NO_VIEWS);
  }

  /** Of a user who is gone there is no document, but something that was told all the same. */
  async function noteNewest(document: UserDocument | null, { token }: Presented, accounts: AccountLog): Promise<void> {
    const user = document?.id ?? token?.user ?? 0;
    const revision = document?.revision ?? (user === 0 ? null : await accounts.revisionOf({ kind: 'user', id: user }));
    if (revision !== null) newest.note(user, revision);
  }

  return async (authorization, beforeVerifying) => {
    const presented = authorization === undefined ? null : readHeader(authorization);
    if (authorization === undefined || presented === null) return ANONYMOUS;
    const key = createHash('sha256').update(authorization).digest('base64');
    const asked: Asked = { key, presented, ...(beforeVerifying && { beforeVerifying }) };
    try {
      return await byViews(asked);
    } catch (error) {
      if (!log || !(error instanceof ReadModelUnavailable)) throw error;
      return byLog(asked, log);
    }
  };
}

async function documentFor(presented: Presented, accounts: Accounts): Promise<UserDocument | null> {
  if (presented.scheme === 'basic') {
    const name = comparedName(presented.login);
    // Users without an e-mail have `''` for one.
    return name === '' || name.length > MAX_NAME_LENGTH ? null : accounts.findBySlug('user', name);
  }
  if (presented.token === null) return null;
  const [document] = await accounts.fetch([{ kind: 'user', id: presented.token.user }]);
  return document?.kind === 'user' ? document : null;
}

/**
 * One name for one account, by any of its names. Each credential that there is counts for itself:
 * without its number a client cannot lock it out.
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

// The projection of users puts accounts there and nothing else.
const accountIn = (document: UserDocument): UserAccount => document.state as unknown as UserAccount;

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
