// Fetches a text, with limits on everything that a server could draw out.

import { endedBy, fetchOutside, type PrivateHosts, PrivateNetwork } from '../../kernel/outbound/fetch-outside.ts';
import { redirectProblem } from '../../kernel/outbound/networks.ts';
import { decodeWithGuess, type EncodingGuess } from './decode-text.ts';
import { Unreadable } from './fields.ts';

export interface FetchLimits {
  /** A complete answer may take so long, from the look-up of the first name to the last byte, redirects included. */
  readonly timeoutMs: number;
  /** One answer may have so many bytes. */
  readonly bytes: number;
  readonly network: Network;
  /** The encoding that was chosen for what does not say its own. */
  readonly encoding?: string | undefined;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** These came with an earlier answer: the same one is not sent again. */
  readonly validators?: FetchValidators;
}

export interface FetchValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The answer is that of the validators. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}

/**
 * Which addresses are fetched: any, or those in public networks and the private hosts that are named, by whatever name or
 * redirect they are reached.
 */
export type Network = 'any' | { readonly privateHosts: PrivateHosts };

export interface Fetched {
  readonly text: string;
  readonly guess: EncodingGuess | null;
  /** The final address after redirects. */
  readonly address: string;
  readonly validators: FetchValidators;
}

const HEADERS = {
  accept: 'application/json, text/calendar, application/x-ndjson;q=0.9, */*;q=0.5',
  'user-agent': 'daybook-import',
};
const MAX_REDIRECTS = 5;

/** The body of an answer. Throws `Unreadable` with the reason, and `NotModified`. */
export async function fetchText(address: string, limits: FetchLimits): Promise<Fetched> {
  const late = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late;
  try {
    return await endedBy(signal, textAt(address, limits, signal));
  } catch (error) {
    throw explained(signal.aborted ? signal.reason : error, address, limits);
  }
}

async function textAt(address: string, limits: FetchLimits, signal: AbortSignal): Promise<Fetched> {
  const { response, at } = await follow(address, limits, signal);
  if (response.status === 304 && limits.validators) throw new NotModified();
  if (!response.ok) throw await refusal(response, address);
  const type = response.headers.get('content-type') ?? '';
  const bytes = await bodyOf(response, limits.bytes, address);
  const { text, guess } = decodeWithGuess(bytes, limits.encoding ?? charsetIn(type));
  const { headers: fields } = response;
  return {
    text,
    guess,
    address: at,
    validators: { etag: fields.get('etag'), lastModified: fields.get('last-modified') },
  };
}

const charsetIn = (type: string): string => /charset="?([\w-]+)/i.exec(type)?.[1] ?? '';

async function follow(address: string, { network, validators }: FetchLimits, signal: AbortSignal) {
  const headers = { ...HEADERS, ...conditions(validators) };
  const visits = new Set<string>();
  let at = new URL(address);
  for (;;) {
    visits.add(at.href);
    if (at.username !== '' || at.password !== '') throw new Unreadable(CREDENTIALS, withoutCredentials(at));
    const response =
      network === 'any'
        ? await fetch(at, { headers, redirect: 'manual', signal })
        : await fetchOutside(at.href, { headers, signal }, network.privateHosts);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null)
      return { response, /** The final address. */ at: at.href };
    await response.body?.cancel();
    if (!URL.canParse(location, at.href))
      throw new Unreadable('it redirects to something that is not an address', address);
    const next = new URL(location, at);
    if (visits.has(next.href)) throw new Unreadable('it redirects in a circle', address);
    if (visits.size > MAX_REDIRECTS) throw new Unreadable(`it redirects more than ${MAX_REDIRECTS} times`, address);
    const problem = await redirectProblem(at, next);
    if (problem !== null) throw new Unreadable(problem, address);
    at = next;
  }
}

const conditions = ({ etag, lastModified }: FetchValidators = { etag: null, lastModified: null }) => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(lastModified !== null && { 'if-modified-since': lastModified }),
});

const CREDENTIALS =
  'it holds a name or a password, and none is sent; fetch it with a program that signs in, and import the file';

/** Error messages are shown, kept in reports and forwarded. */
function withoutCredentials(address: URL): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

async function refusal(response: Response, address: string): Promise<Unreadable> {
  await response.body?.cancel();
  const { status, statusText } = response;
  return new Unreadable(`it answers ${status} ${statusText}`.trimEnd(), address, status);
}

async function bodyOf(response: Response, most: number, address: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > most) throw new Unreadable(`its answer is larger than ${most} bytes`, address);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`its answer breaks off after ${size} bytes`, address);
  }
  return Buffer.concat(chunks);
}

function explained(error: unknown, address: string, { timeoutMs }: FetchLimits): unknown {
  if (error instanceof Unreadable || error instanceof NotModified || !(error instanceof Error)) return error;
  if (error instanceof PrivateNetwork) return new Unreadable(error.message, address);
  if (error.name === 'TimeoutError') return new Unreadable(`it did not answer within ${timeoutMs / 1000} s`, address);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  return new Unreadable(`it cannot be reached (${cause.message || code || error.message})`, address);
}
