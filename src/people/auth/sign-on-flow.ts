// Signing in with the page of an OpenID Connect provider: the authorization code flow with state, nonce and PKCE. The only
// file that imports openid-client. What the ID token says is judged by single-sign-on.ts, like every token.
import type * as openid from 'openid-client';
import type { EpochSeconds } from '../../kernel/time/zone.ts';

/** Daybook as the provider knows it. */
export interface SignOnClient {
  readonly id: string;
  /** Null: a public client, which PKCE alone protects. Never shown. */
  readonly secret: string | null;
  /** What people call the provider. */
  readonly name: string;
}

/**
 * `denied`: the provider says that there is no sign-in; `stale`: begun elsewhere, too long ago, or used before; `unreliable`: its answer is not
 * what was asked for; `unavailable`: it cannot be reached, or does not take this client.
 */
export type SignOnFailure = 'denied' | 'stale' | 'unreliable' | 'unavailable';

type ReturnedSignOn =
  | { readonly kind: 'token'; readonly idToken: string; readonly to: string }
  | { readonly kind: 'failed'; readonly why: SignOnFailure };

export type SignOnFlow = ReturnType<typeof openSignOnFlow>;

interface FlowOptions {
  readonly issuer: string;
  readonly client: SignOnClient;
  readonly now: () => EpochSeconds;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** Told why a sign-in failed, where operators may have to mend something. */
  readonly report: (error: unknown) => void;
}

const SCOPE = 'openid profile email';
const TIME_OUT_SECONDS = 5;
/** Addresses of a provider hardly ever change. */
const CACHED_FOR_MS = 3_600_000;
/** The code of the library for an answer without this sign-in's state. */
const OTHER_STATE = 'OAUTH_INVALID_RESPONSE';
/** Its codes for an ID token that is expired, or of another sign-in, client or issuer. */
const OTHER_TOKEN: ReadonlySet<string | undefined> = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
]);

/** The provider is asked for its addresses when first needed. */
export function openSignOnFlow({ issuer, client, now, elapsed, report }: FlowOptions) {
  let cached: { readonly server: openid.ServerMetadata; readonly at: number } | null = null;

  async function configured(library: typeof openid): Promise<openid.Configuration> {
    const { id, secret } = client;
    // Only an operator who names an issuer without encryption gets one.
    const insecurely = new URL(issuer).protocol === 'http:' ? { execute: [library.allowInsecureRequests] } : {};
    if (cached === null || elapsed() - cached.at > CACHED_FOR_MS) {
      const options = { ...insecurely, timeout: TIME_OUT_SECONDS };
      const provider = await library.discovery(new URL(issuer), id, undefined, library.None(), options);
      cached = { server: provider.serverMetadata(), at: elapsed() };
    }
    const skew = now() - Math.floor(Date.now() / 1000);
    const how = secret === null ? library.None() : secretly(library, secret);
    const configuration = new library.Configuration(cached.server, id, { [library.clockSkew]: skew }, how);
    configuration.timeout = TIME_OUT_SECONDS;
    for (const allow of insecurely.execute ?? []) allow(configuration);
    return configuration;
  }

  function failed(library: typeof openid, error: unknown): ReturnedSignOn {
    const why = reasonOf(library, error);
    if (why !== 'denied' && why !== 'stale') report(error);
    return { kind: 'failed', why };
  }

  return {
    name: client.name,
    /** `back`: the absolute address to return to; `to`: the path to lead to in the end. Null: the provider is unavailable. */
    async begin(back: string, to: string) {
      const library = await import('openid-client');
      try {
        const configuration = await configured(library);
        const [state, nonce, verifier] = [
          library.randomState(),
          library.randomNonce(),
          library.randomPKCECodeVerifier(),
        ];
        const address = library.buildAuthorizationUrl(configuration, {
          redirect_uri: back,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        // Where people are led, and what their browser keeps until it is back, in a cookie of this server alone.
        return { address: address.href, ticket: attemptText({ state, nonce, verifier, to }) };
      } catch (error) {
        report(error);
        return null;
      }
    },
    /** `address`: where the browser has returned to, with its query; `kept`: of `begin`. */
    async complete(address: URL, text: string | undefined): Promise<ReturnedSignOn> {
      const attempt = attemptIn(text);
      if (attempt === null) return { kind: 'failed', why: 'stale' };
      const library = await import('openid-client');
      try {
        const granted = await library.authorizationCodeGrant(await configured(library), address, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        });
        return { kind: 'token', idToken: granted.id_token ?? '', to: attempt.to };
      } catch (error) {
        return failed(library, error);
      }
    },
  };
}

/** In the header, as the standard expects it, unless the provider names other ways only. */
const secretly =
  (library: typeof openid, secret: string): openid.ClientAuth =>
  (server, metadata, body, headers) => {
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server;
    const way = ways.includes('client_secret_basic') ? library.ClientSecretBasic : library.ClientSecretPost;
    way(secret)(server, metadata, body, headers);
  };

/** Answers of the provider by which nothing is wrong with it. */
const DENIALS: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
]);

function reasonOf(library: typeof openid, error: unknown): SignOnFailure {
  if (error instanceof library.AuthorizationResponseError) return DENIALS.has(error.error) ? 'denied' : 'unavailable';
  if (error instanceof library.ResponseBodyError) return error.error === 'invalid_grant' ? 'stale' : 'unavailable';
  if (!(error instanceof library.ClientError)) return 'unavailable';
  if (error.code === OTHER_STATE) return 'stale';
  return OTHER_TOKEN.has(error.code) ? 'unreliable' : 'unavailable';
}

interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
}

const KEPT = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})\.([\w-]*)$/;

const attemptText = ({ state, nonce, verifier, to }: Attempt): string =>
  [state, nonce, verifier, Buffer.from(to).toString('base64url')].join('.');

function attemptIn(text: string | undefined): Attempt | null {
  const [, state, nonce, verifier, to] = KEPT.exec(text ?? '') ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined || to === undefined) return null;
  return { state, nonce, verifier, to: Buffer.from(to, 'base64url').toString() };
}
