// Bearer tokens of single sign-on: JSON Web Tokens signed by an external issuer. The only file that imports jose, when the
// first token comes: few calendars have a single sign-on.
// decision 19

import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { UserAccount } from '../users/domain/user.ts';
import { type Authenticate, type Authentication, ROLES, type Role, type User } from './caller.ts';
import type { NewestRevisions } from './newest-revisions.ts';
import type { SignOnClient } from './sign-on-flow.ts';

export interface SignOnSettings {
  /** Exactly as in the claim `iss`. */
  readonly issuer: string;
  /** One of those in the claim `aud`. */
  readonly audience: string;
  /** The address of the issuer's JSON Web Key Set. */
  readonly jwksUrl: string;
  /** The claim with the role; a nested one is a path: `realm_access.roles`. */
  readonly roleClaim: string;
  /** Roles by the values of the claim; null: the values are names of roles. */
  readonly roles: ReadonlyMap<string, Role> | null;
  /** Where people sign in for the desk: that page posts their token. Null: there is none. */
  readonly page: string | null;
  /** With which people sign in for the desk at the issuer's own page. Null: they do not. */
  readonly client: SignOnClient | null;
}

/** The identity in a token, in its issuer's words. */
export interface SignOnClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly role: Role;
  /** When the token was issued, UTC seconds. */
  readonly claimed: EpochSeconds;
  /** Undefined if the token has none. */
  readonly name: string | undefined;
  readonly login: string | undefined;
  /** Omitted if the issuer says that it is not verified. */
  readonly email: string | undefined;
}

/** The user of the bearer, with the role of the token; null if the user has been removed. */
type AdmitBearer = (claims: SignOnClaims) => Promise<User | null>;

interface SignOnOptions {
  readonly settings: SignOnSettings;
  readonly admit: AdmitBearer;
  readonly now: () => EpochSeconds;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** For how long after a fetch an unknown key causes no other one; default 30 s. */
  readonly coolDownMs?: number;
}

type Jose = typeof import('jose');

/** Asymmetric signatures only: with a shared secret, a verifier could also make tokens. */
const ALGORITHMS = ['RS256', 'ES256'];
/** How far the issuer's clock may be off. */
const SKEW_SECONDS = 30;
const COOL_DOWN_MS = 30_000;
const TIME_OUT_MS = 3_000;
/** Keys are refreshed in the background, so that a withdrawn one does not stay valid. */
const REFRESH_AFTER_MS = 600_000;
/** After a failed fetch. */
const PAUSE_MS = 5_000;

const INVALID: Authentication = { kind: 'refused', code: 'rest_invalid_token' };

/** The keys cannot be fetched, and no cached one matches. */
class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** Reads `Authorization` like `authenticate`, and additionally Bearer tokens that are JSON Web Tokens. */
export function withSingleSignOn(authenticate: Authenticate, options: SignOnOptions): Authenticate {
  const bearer = openSingleSignOn(options, options.settings.audience);
  return async (authorization, beforeVerifying) => {
    const token = webTokenIn(authorization);
    return token === null ? authenticate(authorization, beforeVerifying) : bearer(token);
  };
}

/** Application tokens have no dots; a JSON Web Token has two. */
function webTokenIn(authorization: string | undefined): string | null {
  const [, token = ''] = /^\s*bearer +([^\s]+)\s*$/i.exec(authorization ?? '') ?? [];
  return token.split('.').length === 3 ? token : null;
}

/**
 * Authenticates the bearer of a token for `audience`. Refusals: `rest_invalid_token` for anything wrong with the token itself,
 * `rest_no_role`, `rest_user_removed`, and `rest_sign_on_unavailable` while the issuer's keys cannot be fetched.
 * Rejects with what `admit` rejects with.
 */
export function openSingleSignOn(options: SignOnOptions, audience: string): (token: string) => Promise<Authentication> {
  const { settings, admit, now } = options;
  const { issuer } = settings;
  let opening: Promise<{ readonly jose: Jose; readonly keys: JWTVerifyGetKey }> | undefined;

  async function open() {
    const jose = await import('jose');
    return { jose, keys: openKeys(jose, options) };
  }

  async function payloadOf(token: string): Promise<JWTPayload> {
    opening ??= open();
    const { jose, keys } = await opening;
    const { payload } = await jose.jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(now() * 1000),
      requiredClaims: ['sub', 'exp'],
    });
    return payload;
  }

  return async (token) => {
    let payload: JWTPayload;
    try {
      payload = await payloadOf(token);
    } catch (error) {
      return error instanceof KeysUnavailable ? { kind: 'refused', code: 'rest_sign_on_unavailable' } : INVALID;
    }
    // Claims are whatever the issuer has signed: their types are promises of the standard, which not every issuer
    // keeps.
    const { sub: subject }: { readonly sub?: unknown } = payload;
    if (typeof subject !== 'string' || subject === '') return INVALID;
    const role = roleIn(payload, settings);
    if (role === null) return { kind: 'refused', code: 'rest_no_role' };
    const caller = await admit({ issuer, subject, role, ...profileIn(payload) });
    return caller === null ? { kind: 'refused', code: 'rest_user_removed' } : { kind: 'caller', caller };
  };
}

/**
 * The issuer's keys, fetched when first needed and when a token names an unknown one. Cached keys stay valid while the
 * issuer is unavailable.
 */
function openKeys(
  { createRemoteJWKSet, customFetch, errors }: Jose,
  { settings, elapsed, coolDownMs = COOL_DOWN_MS }: SignOnOptions,
): JWTVerifyGetKey {
  let silentUntil = Number.NEGATIVE_INFINITY;
  let fetchedAt = elapsed();

  async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
    if (elapsed() < silentUntil) throw new KeysUnavailable();
    fetchedAt = elapsed();
    try {
      const response = await fetch(url, init);
      if (!response.ok) throw new KeysUnavailable();
      return response;
    } catch (error) {
      silentUntil = elapsed() + PAUSE_MS;
      throw error;
    }
  }

  /** Whether keys were there, and none or several of them match the token. */
  const isVerdict = (error: unknown): boolean =>
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported;

  const remote = createRemoteJWKSet(new URL(settings.jwksUrl), {
    cooldownDuration: coolDownMs,
    timeoutDuration: TIME_OUT_MS,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: fetchKeys,
  });

  return async (header, token) => {
    if (elapsed() - fetchedAt > REFRESH_AFTER_MS) void remote.reload().catch(() => {});
    try {
      return await remote(header, token);
    } catch (error) {
      if (isVerdict(error)) throw error;
      throw new KeysUnavailable();
    }
  };
}

/** The highest role in the claim; null if there is none. */
function roleIn(payload: JWTPayload, { roleClaim, roles }: SignOnSettings): Role | null {
  const claim = claimNamed(payload, roleClaim);
  const values = (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string');
  const named = values.map((value) => (roles === null ? value : roles.get(value)));
  return ROLES.find((role) => named.includes(role)) ?? null;
}

function claimNamed(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((within, member) => memberOf(within, member), payload);
}

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? Object.getOwnPropertyDescriptor(value, member)?.value
    : undefined;

function profileIn(payload: JWTPayload): Pick<SignOnClaims, 'claimed' | 'name' | 'login' | 'email'> {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  return {
    // Fallback if a token does not say when it was issued: later tokens expire later.
    claimed: payload.iat ?? payload.exp ?? 0,
    name: text(payload.name),
    login: text(payload.preferred_username),
    email: payload.email_verified === false ? undefined : text(payload.email),
  };
}

// Users of single sign-on: those in the log, cached for as long as the log has nothing newer.

/** A user as the log has it. */
interface Admitted {
  readonly user: UserAccount;
  readonly revision: number;
}

interface BearerOptions {
  /** Finds the bearer's user in the log, adds a new one, and records changes; null: the user was removed. */
  readonly admit: (claims: SignOnClaims) => Promise<Admitted | null>;
  readonly newest: Pick<NewestRevisions, 'look' | 'isOutdated' | 'note'>;
}

const MAX_CACHED = 10_000;

/** Reads the log for a bearer once; then only if the log has something newer, or the token does. */
export function openBearers({ admit, newest }: BearerOptions): AdmitBearer {
  const cache = new LRUCache<string, Admitted>({ max: MAX_CACHED });
  const admitting = singleFlight<Admitted | null>();

  function put(key: string, admitted: Admitted | null): void {
    if (admitted) newest.note(admitted.user.id, admitted.revision);
    cache.set(key, admitted ?? undefined);
  }

  async function askLog(key: string, claims: SignOnClaims): Promise<Admitted | null> {
    const flight = JSON.stringify([key, claims.role, claims.name, claims.claimed]);
    return admitting(flight, async () => {
      const admitted = await admit(claims);
      put(key, admitted);
      return admitted;
    });
  }

  async function cached(key: string, claims: SignOnClaims): Promise<Admitted | null> {
    const admitted = cache.get(key);
    if (!admitted) return null;
    const { user, revision } = admitted;
    await newest.look(user.id);
    return newest.isOutdated(user.id, revision) || differsSince(claims, user) ? null : admitted;
  }

  return async (claims) => {
    const key = JSON.stringify([claims.issuer, claims.subject]);
    const admitted = (await cached(key, claims)) ?? (await askLog(key, claims));
    return admitted && callerOf(admitted.user, claims);
  };
}

/** Whether a token has newer claims than what is recorded, and different ones. */
const differsSince = ({ role, name, claimed }: SignOnClaims, user: UserAccount): boolean =>
  (user.claimed === undefined || claimed > user.claimed) &&
  (role !== user.role || (name !== undefined && name !== user.name));

/** The role of a request is that of its own token, whatever is recorded. */
const callerOf = ({ id, login, name: recorded }: UserAccount, { role, name = recorded }: SignOnClaims): User => ({
  id,
  login,
  name,
  role,
});
