// An issuer of a single sign-on for tests: keys made on the spot, a server that publishes them, and tokens of every sort.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

export const ISSUER = 'https://login.example/realm';
export const AUDIENCE = 'daybook';

export type Algorithm = 'RS256' | 'ES256' | 'PS256' | 'RS512' | 'EdDSA';

export interface IssuedKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  /** The public half as PEM, as an attacker might use it for a shared secret. */
  readonly pem: string;
}

export async function issuedKey(alg: Algorithm, kid: string): Promise<IssuedKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig' };
  return { kid, alg, privateKey, jwk, pem: await exportSPKI(publicKey) };
}

/** The same key, used with another algorithm that it would be good for. */
export const usedFor = async (key: IssuedKey, alg: Algorithm): Promise<IssuedKey> => ({
  ...key,
  alg,
  privateKey: await importPKCS8(await exportPKCS8(key.privateKey), alg),
});

export interface KeyServer {
  readonly url: string;
  /** How often its keys were asked for. */
  asked(): number;
  /** What it publishes from now on; null: it answers 500. */
  publish(keys: readonly IssuedKey[] | null): void;
  close(): Promise<void>;
}

export async function startKeyServer(keys: readonly IssuedKey[]): Promise<KeyServer> {
  let published: readonly IssuedKey[] | null = keys;
  let asked = 0;
  const server: Server = createServer((_request, response) => {
    asked += 1;
    response.statusCode = published ? 200 : 500;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: (published ?? []).map(({ jwk }) => jwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port of an address, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/keys`,
    asked: () => asked,
    publish(keys) {
      published = keys;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A token as the issuer signs it; `claims` go on top, an undefined one is left out. */
export function signed(
  { privateKey, alg, kid }: Pick<IssuedKey, 'privateKey' | 'alg' | 'kid'>,
  now: number,
  claims: { readonly [name: string]: unknown } = {},
): Promise<string> {
  const all = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', role: 'editor', iat: now, exp: now + 300, ...claims };
  const said = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new SignJWT(said as JWTPayload).setProtectedHeader({ alg, kid }).sign(privateKey);
}
