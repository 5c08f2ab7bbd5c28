// A small OpenID Connect provider for tests: it signs people in without asking, as whom the test says, and checks what clients
// send as strictly as the standard allows.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { issuedKey, signed } from './sign-on.ts';

export const CLIENT = 'daybook-desk';
export const SECRET = 'a secret / of: the desk';

export interface OpenIdProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** What it says of users who sign in from now on, on top of issuer, audience, subject and times. */
  claims: { readonly [name: string]: unknown };
  /** How it answers from now on. */
  mood: 'well' | 'denies' | 'codes are expired' | 'another nonce' | 'signs with another key' | 'fails';
  /** UTC seconds. */
  now: number;
  close(): Promise<void>;
}

interface Granted {
  readonly nonce: string;
  readonly challenge: string;
  readonly back: string;
}

export async function startOpenIdProvider(now: number): Promise<OpenIdProvider> {
  const [key, other] = [await issuedKey('ES256', 'one'), await issuedKey('ES256', 'one')];
  const codes = new Map<string, Granted>();
  const server: Server = createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, body = {} }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port of an address, not on a pipe.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}/realm`;

  interface Said {
    readonly status: number;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: object;
  }

  async function answer(request: IncomingMessage): Promise<Said> {
    if (provider.mood === 'fails') return { status: 500 };
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/realm/.well-known/openid-configuration')
      return {
        status: 200,
        body: {
          ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
          ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ['code'], subject_types_supported: ['public'] },
          id_token_signing_alg_values_supported: ['ES256'],
        },
      };
    if (url.pathname === '/realm/keys') return { status: 200, body: { keys: [key.jwk] } };
    if (url.pathname === '/realm/authorize') return authorize(url.searchParams);
    return url.pathname === '/realm/token' ? token(request, await textOf(request)) : { status: 404 };
  }

  function authorize(asked: URLSearchParams): Said {
    const get = (name: string): string => asked.get(name) ?? '';
    const isWhole =
      get('client_id') === CLIENT && get('response_type') === 'code' && get('code_challenge_method') === 'S256';
    if (!isWhole || !get('scope').split(' ').includes('openid')) return { status: 400 };
    const back = new URL(get('redirect_uri'));
    back.searchParams.set('state', get('state'));
    if (provider.mood === 'denies') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      codes.set(code, { nonce: get('nonce'), challenge: get('code_challenge'), back: get('redirect_uri') });
      back.searchParams.set('code', code);
    }
    return { status: 302, headers: { location: back.href } };
  }

  async function token({ headers }: IncomingMessage, text: string): Promise<Said> {
    const sent = new URLSearchParams(text);
    const pair = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    const [id, secret] = pair.map((half) => new URLSearchParams(`half=${half}`).get('half'));
    const isClient = id === CLIENT && secret === SECRET;
    if (!isClient) return { status: 401, body: { error: 'invalid_client' } };
    const code = sent.get('code') ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const isGranted = granted?.challenge === challenge && granted.back === sent.get('redirect_uri');
    if (!granted || !isGranted || provider.mood === 'codes are expired')
      return { status: 400, body: { error: 'invalid_grant' } };
    const { nonce } = granted;
    const id_token = await signed(provider.mood === 'signs with another key' ? other : key, provider.now, {
      ...{ iss: issuer, aud: CLIENT, role: undefined },
      nonce: provider.mood === 'another nonce' ? 'of another sign-in' : nonce,
      ...provider.claims,
    });
    return { status: 200, body: { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token } };
  }

  const provider: OpenIdProvider = {
    ...{ issuer, jwksUrl: `${issuer}/keys`, claims: {}, mood: 'well', now },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer); // Without an encoding, streams give bytes.
  return Buffer.concat(parts).toString();
}
