// The headers of answers, built once and not for every request.
import type { FastifyRequest } from 'fastify';

export type HeaderSet = { readonly [name: string]: string };

/** Names that were sent and that the route does not have. */
export const UNKNOWN_PARAMETERS = 'X-Daybook-Unknown-Parameters';

const EXPOSED = [
  'X-TEC-Total',
  'X-TEC-TotalPages',
  'X-WP-Total',
  'X-WP-TotalPages',
  'Link',
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-Daybook-Position',
  'X-Daybook-Lag',
  'X-Daybook-Views',
  'X-Daybook-Read-As',
  UNKNOWN_PARAMETERS,
].join(', ');

const ACCEPTED = [
  'Authorization',
  'X-WP-Nonce',
  'Content-Disposition',
  'Content-MD5',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Change-Reason',
  'X-Bypass-Review',
  'X-Daybook-Position',
  'X-HTTP-Method-Override',
].join(', ');

export const JSON_CONTENT_TYPE = 'application/json; charset=UTF-8';

/** Headers in the form that Node handles fastest: names and values in turn. */
export type HeaderLines = readonly string[];

export const linesOf = (headers: HeaderSet): HeaderLines => Object.entries(headers).flat();

/** On every answer of the API. `site` is the site's address, named by the discovery link. */
export const commonHeaders = (site: string): HeaderSet => ({
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  link: `<${site}/>; rel="https://api.w.org/"`,
  'access-control-expose-headers': EXPOSED,
  'access-control-allow-headers': ACCEPTED,
});

/** On answers to signed-in callers: they are for that caller alone. */
export const PRIVATE_HEADERS: HeaderSet = {
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
};

/** What an answer depends on besides its address: signed-in readers may see more. */
export const PUBLIC_VARY: HeaderSet = { vary: 'Origin, Authorization' };

/** On answers to requests from a page of `origin`, together with `Vary`. */
export const originHeaders = (origin: string): HeaderSet => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-credentials': 'true',
});

/** The answer to a preflight, the same for every path. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * The answer to a preflight for requests of a page, valid for this many seconds; browsers cache it for two hours at
 * most.
 */
export const PREFLIGHT_HEADERS: HeaderSet = { 'access-control-max-age': '7200' };

/** What the answer to a request for a list depends on besides its address. */
export const LIST_VARY = 'Origin, Accept-Encoding, Authorization';

/**
 * On public lists. Without this header a proxy would choose a lifetime itself, and any lifetime would show outdated
 * lists; revalidating with the tag costs a `304` and is never stale. Any cache may store the list.
 */
export const REVALIDATED = 'no-cache';

/** On lists that were opened by a password: the same, but for that reader's own cache only. */
export const PRESENTED = 'private, no-cache';

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  ['ETag', 'X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'WWW-Authenticate'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** `retry-after` → `Retry-After`: a body that wraps headers shows them in their usual spelling. */
export const spelled = (name: string): string =>
  IRREGULAR.get(name) ?? name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Lists carry their totals under two names each; an answer with one gets the other. */
export function totalsUnderBothNames(headers: HeaderSet): HeaderSet {
  const total = headers['X-TEC-Total'];
  const pages = headers['X-TEC-TotalPages'];
  if (total === undefined || pages === undefined || 'X-WP-Total' in headers) return headers;
  return { ...headers, 'X-WP-Total': total, 'X-WP-TotalPages': pages };
}

/** A header that may occur on a request once. */
export const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
