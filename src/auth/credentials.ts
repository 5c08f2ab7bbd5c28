// Finds out who asks, from the `Authorization` header.
import { createHash } from 'node:crypto';
import { comparedName, type UserAccount } from '../domain/user.ts';
import type { UserDocument } from '../read-model/documents.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { Authenticate, Authentication, User } from './caller.ts';
import { parseToken, type Token, unmatchableHash, verifyPassword } from './passwords.ts';

export interface AuthenticatorOptions {
  readonly readModel: Pick<ReadModel, 'version' | 'findBySlug' | 'fetch'>;
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

const ANONYMOUS: Authentication = { kind: 'caller', caller: null };

/**
 * Authenticates by Basic (login or e-mail, in any case, and a token) or Bearer (the same token alone). A header that is
 * neither, or that lacks a token, counts as none. Verifying costs some 50 ms on purpose, for users who do not exist
 * too; so a success is remembered, under a digest of the header. While the read model stands still it is believed as it
 * is; once that has moved, only if the user's document has not: a revocation or a new role counts with the next request.
 * Rejections: those of the read model.
 */
export function openAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { readModel, elapsed, cacheForMs, mostCached = 1000 } = options;
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

  async function documentFor(presented: Presented): Promise<UserDocument | null> {
    // Users without an e-mail have `''` for one.
    if (presented.scheme === 'basic' && presented.login === '') return null;
    if (presented.scheme === 'basic') return readModel.findBySlug('user', comparedName(presented.login));
    if (presented.token === null) return null;
    const [document] = await readModel.fetch([{ kind: 'user', id: presented.token.user }]);
    return document?.kind === 'user' ? document : null;
  }

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

  return async (authorization) => {
    const presented = authorization === undefined ? null : readHeader(authorization);
    if (authorization === undefined || presented === null) return ANONYMOUS;
    const key = createHash('sha256').update(authorization).digest('base64');
    // Asked before the document: if that is newer than the version says, it is merely looked at once more.
    const version = await readModel.version();
    const known = recall(key);
    if (known?.version === version) return { kind: 'caller', caller: known.caller };
    const document = await documentFor(presented);
    if (known && document?.id === known.caller.id && document.revision === known.revision) {
      remember(key, { ...known, version });
      return { kind: 'caller', caller: known.caller };
    }
    const result = await verifyOnce(key, presented, document);
    if (result.kind === 'caller' && result.caller && document)
      remember(key, { caller: result.caller, revision: document.revision, at: elapsed(), version });
    else verified.delete(key);
    return result;
  };
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
