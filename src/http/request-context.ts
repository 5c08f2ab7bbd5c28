// One request on its way: what is known of it so far, and what its parts mean.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Language } from '../locales/language.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';
import type { Site } from './base-url.ts';
import { ApiError, invalidParameters } from './errors.ts';
import { emptyMap, type ParameterMap } from './parameters/parameter-map.ts';
import { decodePercent, parseParameters } from './parameters/query-string.ts';
import { collectParameters } from './parameters/request-body.ts';
import { methodOnWire, type RouteMatch } from './plugins/routing.ts';
import type { ApiRequest, Links, Method } from './route.ts';
import { URL_LIMIT } from './settings.ts';

/** Filled in step by step: an answer is framed by what is known when something fails. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly correlationId: string;
  readonly body: Uint8Array | undefined;
  site: Site;
  language: Language;
  query: ParameterMap;
  match: RouteMatch | null;
  /** Undefined until the credentials are read. */
  caller: Caller | undefined;
}

const NO_PARAMETERS: ParameterMap = Object.freeze(emptyMap());

export const beginExchange = (
  request: FastifyRequest,
  correlationId: string,
  site: Site,
  language: Language,
  body: Uint8Array | undefined,
): Exchange => ({ request, correlationId, body, site, language, query: NO_PARAMETERS, match: null, caller: undefined });

/** The query of a URL as it stands in the request line. Throws when it is out of bounds. */
export function openUrl(url: string): ParameterMap {
  if (url.length > URL_LIMIT) throw new ApiError('rest_uri_too_long');
  const mark = url.indexOf('?');
  return mark < 0 ? NO_PARAMETERS : parseParameters(url.slice(mark + 1));
}

/** Everything that was sent, the path included. */
export interface SentParameters {
  readonly sent: ParameterMap;
  /** Those that only the path said: they are checked, but nobody gave them to be written. */
  readonly fromPath: readonly string[];
}

const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** What query and body say. */
export async function readParameters({ request, body, query }: Exchange): Promise<ParameterMap> {
  const contentType = request.headers['content-type'];
  return body === undefined
    ? query
    : collectParameters(query, { method: methodOnWire(request), contentType, bytes: body });
}

/** The path's id wins over any other; its slug too, except that a write may say a new one. */
export function withPath(elsewhere: ParameterMap, { id, slug }: RouteMatch, method: Method): SentParameters {
  if (id === undefined && slug === undefined) return { sent: elsewhere, fromPath: NO_NAMES };
  const sent = elsewhere === NO_PARAMETERS ? emptyMap() : Object.assign(emptyMap(), elsewhere);
  if (id !== undefined) {
    sent.id = id;
    return { sent, fromPath: ID_NAME };
  }
  if (WRITING.has(method) && (elsewhere.slug ?? null) !== null) return { sent, fromPath: NO_NAMES };
  sent.slug = slug;
  return { sent, fromPath: SLUG_NAME };
}

const NO_NAMES: readonly string[] = [];
const ID_NAME: readonly string[] = ['id'];
const SLUG_NAME: readonly string[] = ['slug'];

export interface Circumstances {
  readonly method: Method;
  readonly match: RouteMatch;
  readonly caller: Caller;
  readonly given: ParameterMap;
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  readonly links: Links;
  readonly client: ApiRequest['client'];
  /** Begins to try a password on a thing. */
  readonly guess?: ApiRequest['guess'];
}

/** The request as routes see it. */
export function apiRequest(exchange: Exchange, circumstances: Circumstances): ApiRequest {
  const { headers } = exchange.request;
  const { method, match, caller, given, now, siteZone, links, client, guess } = circumstances;
  return {
    method,
    id: match.id,
    slug: match.slug,
    ...(match.credential !== undefined && { credential: match.credential }),
    given,
    caller,
    now,
    siteZone,
    links,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    idempotencyKey: single(headers['idempotency-key']),
    reason: reasonOf(method, single(headers['x-change-reason']), given._reason),
    atLeast: single(headers['x-daybook-position']),
    correlationId: exchange.correlationId,
    headers,
    client,
    language: exchange.language,
    ...(guess && { guess }),
  };
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const LONGEST_REASON = 1_000;
/** Line ends and other controls, and the marks that turn the direction of what is shown after them. */
const DISORDERLY = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Why a write is made, as one line. The header counts more than the member; it holds ASCII, so others come
 * percent-encoded (what is no UTF-8 then stays as it is), or as the plain bytes of UTF-8. Throws 400 when it is too long.
 */
function reasonOf(method: Method, header: string | undefined, member: unknown): string | undefined {
  const sent = header === undefined ? member : decodePercent(asUtf8(header));
  if (typeof sent !== 'string' || method === 'GET') return undefined;
  const reason = sent.toWellFormed().replace(DISORDERLY, ' ').trim();
  if (reason.length > LONGEST_REASON) throw invalidParameters(header === undefined ? '_reason' : 'X-Change-Reason');
  return reason === '' ? undefined : reason;
}

/** Node hands over each byte of a header as a character. */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  const bytes = Buffer.from(header, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
