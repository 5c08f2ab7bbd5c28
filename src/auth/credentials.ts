// Finds out who asks, from the `Authorization` header.
import { createHash } from 'node:crypto';
import { comparedName, type UserAccount } from '../domain/user.ts';
import type { DocumentKey, UserDocument } from '../read-model/documents.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import type { Authenticate, Authentication, User } from './caller.ts';
import { parseToken, type Token, unmatchableHash, verifyPassword } from './passwords.ts';

/** Users as the log has them: always of now, and dearer to ask for than views. */
export interface AccountLog extends Pick<ReadModel, 'findBySlug' | 'fetch'> {
  /** Of the last event of a user, whatever became of that user; null when there never was one. */
  revisionOf(key: DocumentKey): Promise<number | null>;
}

export interface AuthenticatorOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'findBySlug' | 'fetch'>;
  /** Asked while the read model cannot be reached; without it nobody can sign in then. */
  readonly log?: AccountLog;
  /** Milliseconds of a clock that never goes back (`performance.now`); only differences count. */
  readonly elapsed: () => number;
  /** For how long a verified credential is not verified again; a revocation counts at once all the same. */
  readonly cacheForMs: number;
  /** Verified credentials that are remembered at most; default 1000. */
  readonly mostCached?: number;
}

/** What a header says, before anybody believes it. */
type Presented =
  | { readonly scheme: 'basic'; readonly login: string; readonly token: Token | null }
  | { readonly scheme: 'bearer'; readonly token: Token | null };

type Refusal = Extract<Authentication, { kind: 'refused' }>['code'];

interface Verified {
  readonly caller: User;
  /** Of the user's document, when the credential was verified. */
  readonly revision: number;
  readonly at: number;
  /** Of the read model, when the document was last seen. */
  readonly version: string;
}

type Accounts = Pick<ReadModel, 'findBySlug' | 'fetch'>;

/** The version of what was verified by the log. */
const OF_NO_VIEWS = '';
/** Of logins and e-mails; whatever is longer is nobody's, and no name for a stream to be looked for. */
const LONGEST_NAME = 100;

const ANONYMOUS: Authentication = { kind: 'caller', caller: null };

/**
 * Authenticates by Basic (login or e-mail, in any case, and a token) or Bearer (the same token alone). A header that is
 * neither, or that lacks a token, counts as none. Verifying costs some 50 ms on purpose, for users who do not exist
 * too; so a success is remembered, under a digest of the header. While the read model stands still it is believed as it
 * is; once that has moved, only if the user's document has not: a revocation or a new role counts with the next request.
 *
 * While the read model cannot be reached the log tells who may sign in, and what was verified is believed only if the
 * log has nothing newer of that user. What the log has told is not unlearnt from views that are back and lag.
 * Rejections: those of the read model, without `log`; those of the log, where it has to be asked.
 */
export function openAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { readModel, log, elapsed, cacheForMs, mostCached = 1000 } = options;
  const decoy = unmatchableHash();
  const verified = new Map<string, Verified>();
  /** Verifications under way: a client that opens with many requests at once pays for one. */
  const underWay = new Map<string, Promise<Authentication>>();

  function remember(key: string, entry: Verified): void {
    verified.delete(key);
    verified.set(key, entry);
    const [oldest] = verified.keys();
    if (verified.size > mostCached && oldest !== undefined) verified.delete(oldest);
  }

  function recall(key: string): Verified | undefined {
    const entry = verified.get(key);
    if (entry === undefined || elapsed() - entry.at < cacheForMs) return entry;
    verified.delete(key);
    return undefined;
  }

  /** Users of whom the log has told something, and how new it was, until views tell as much. */
  const toldByLog = new Map<number, number>();

  const isOutdated = (user: number, revision: number): boolean => revision < (toldByLog.get(user) ?? -1);

  async function verify(presented: Presented, document: UserDocument | null): Promise<Authentication> {
    const account = document === null ? null : accountIn(document);
    const { token } = presented;
    const credential =
      account?.id === token?.user ? account?.credentials.find(({ id }) => id === token?.credential) : undefined;
    const isRight = await verifyPassword(token?.secret ?? '', credential?.hash ?? decoy);
    if (account === null) return { kind: 'refused', code: unknownUser(presented) };
    if (!isRight || credential === undefined) return { kind: 'refused', code: 'incorrect_password' };
    const { id, login, name, role } = account;
    return { kind: 'caller', caller: { id, login, name, role } };
  }

  async function verifyOnce(key: string, presented: Presented, document: UserDocument | null): Promise<Authentication> {
    const flight = `${key} ${document?.revision ?? 'unknown'}`;
    const joined = underWay.get(flight);
    if (joined) return joined;
    const started = verify(presented, document).finally(() => underWay.delete(flight));
    underWay.set(flight, started);
    return started;
  }

  async function verifyAnew(
    key: string,
    presented: Presented,
    document: UserDocument | null,
    version: string,
  ): Promise<Authentication> {
    const result = await verifyOnce(key, presented, document);
    if (result.kind === 'caller' && result.caller && document)
      remember(key, { caller: result.caller, revision: document.revision, at: elapsed(), version });
    else verified.delete(key);
    return result;
  }

  async function byViews(key: string, presented: Presented): Promise<Authentication> {
    // Asked before the document: if that is newer than the version says, it is merely looked at once more.
    const version = await readModel.version();
    const known = recall(key);
    const isCurrent = known?.version === version && !isOutdated(known.caller.id, known.revision);
    if (known && isCurrent) return { kind: 'caller', caller: known.caller };
    const document = await documentFor(presented, readModel);
    const user = document?.id ?? presented.token?.user ?? 0;
    if (log && isOutdated(user, document?.revision ?? -1)) return byLog(key, presented, log);
    toldByLog.delete(user);
    if (known && document?.id === known.caller.id && document.revision === known.revision) {
      remember(key, { ...known, version });
      return { kind: 'caller', caller: known.caller };
    }
    return verifyAnew(key, presented, document, version);
  }

  async function byLog(key: string, presented: Presented, accounts: AccountLog): Promise<Authentication> {
    const known = recall(key);
    const revision = known && (await accounts.revisionOf({ kind: 'user', id: known.caller.id }));
    if (known && revision === known.revision) return { kind: 'caller', caller: known.caller };
    const document = await documentFor(presented, accounts);
    await learn(document, presented, accounts);
    return verifyAnew(key, presented, document, OF_NO_VIEWS);
  }

  /** Of a user who is gone there is no document, but something that was told all the same. */
  async function learn(document: UserDocument | null, { token }: Presented, accounts: AccountLog): Promise<void> {
    const user = document?.id ?? token?.user ?? 0;
    const revision = document?.revision ?? (user === 0 ? null : await accounts.revisionOf({ kind: 'user', id: user }));
    if (revision !== null) toldByLog.set(user, revision);
  }

  return async (authorization) => {
    const presented = authorization === undefined ? null : readHeader(authorization);
    if (authorization === undefined || presented === null) return ANONYMOUS;
    const key = createHash('sha256').update(authorization).digest('base64');
    try {
      return await byViews(key, presented);
    } catch (error) {
      if (!log || !(error instanceof ReadModelUnavailable)) throw error;
      return byLog(key, presented, log);
    }
  };
}

async function documentFor(presented: Presented, accounts: Accounts): Promise<UserDocument | null> {
  if (presented.scheme === 'basic') {
    const name = comparedName(presented.login);
    // Users without an e-mail have `''` for one.
    return name === '' || name.length > LONGEST_NAME ? null : accounts.findBySlug('user', name);
  }
  if (presented.token === null) return null;
  const [document] = await accounts.fetch([{ kind: 'user', id: presented.token.user }]);
  return document?.kind === 'user' ? document : null;
}

// The projection of users puts accounts there and nothing else.
const accountIn = (document: UserDocument): UserAccount => document.state as unknown as UserAccount;

function unknownUser(presented: Presented): Refusal {
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
