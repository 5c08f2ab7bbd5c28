// Requests to other servers whose addresses users have given: the address is checked when it is connected to, and redirects
// are not followed.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { bareHost, isPrivate } from './networks.ts';

/** Hosts of private networks that may be reached, in small letters: `name` for all its ports, or `name:port`. */
export type PrivateHosts = ReadonlySet<string>;

interface OutsideRequest {
  /** GET unless given. */
  readonly method?: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal;
}

/** Why a host was not asked. Its message tells no address, only the host that was given. */
export class PrivateNetwork extends Error {
  override readonly name = 'PrivateNetwork';

  constructor(host: string) {
    super(`${host} is in a private network, which is not fetched from here`);
  }
}

/**
 * Resolves names for a connection: the addresses that are checked are those that are connected to, so a name cannot
 * lead elsewhere in between.
 */
const publicLookup: LookupFunction = (host, options: LookupOptions, done) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || first === undefined) return done(error ?? new Error(`${host} has no address`), '', 0);
    if (addresses.some(({ address }) => isPrivate(address))) return done(new PrivateNetwork(host), '', 0);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * What the work answers; rejects with the reason of the signal as soon as it is aborted. A server can bring a connection into
 * states in which Node tells neither an answer nor an error: the deadline must not depend on what it tells.
 */
export async function endedBy<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const end = (): void => late.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return Promise.race([work, late.promise]).finally(() => signal.removeEventListener('abort', end));
}

/**
 * Like `fetch`, but with redirects as answers of their own. `address` is http or https. Rejects with `PrivateNetwork` for a
 * host of a private network that is not among `privateHosts`, with the reason of the signal once it is aborted, and with the
 * error of the connection otherwise, also if the server wants to speak another protocol.
 */
export async function fetchOutside(
  address: string,
  { method = 'GET', headers, body, signal }: OutsideRequest,
  privateHosts: PrivateHosts,
): Promise<Response> {
  const url = new URL(address);
  const host = bareHost(url.hostname);
  const isAllowed = privateHosts.has(url.hostname) || privateHosts.has(url.host);
  if (!isAllowed && isIP(host) > 0 && isPrivate(host)) throw new PrivateNetwork(url.host);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // An import would load `fetch` as well, at each start.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const options = {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    signal,
    agent: false,
    ...(!isAllowed && { lookup: publicLookup }),
  };
  request(url, options, resolve)
    .on('error', reject)
    .on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('it switches to another protocol'));
    })
    .on('close', () => reject(new Error('it ends the connection without an answer')))
    .end(body);
  const incoming = await endedBy(signal, promise);
  const { statusCode: status = 500, statusMessage: statusText = '' } = incoming;
  const fields = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  // The declared types of the two kinds of streams differ, the objects do not.
  const text = BODILESS.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Response(text, { status, statusText, headers: Object.fromEntries(fields) });
}
