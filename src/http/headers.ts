// The headers that stand on answers, made once and not for every request.

export type HeaderSet = { readonly [name: string]: string };

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
  'X-Daybook-Position',
  'X-HTTP-Method-Override',
].join(', ');

export const JSON_CONTENT_TYPE = 'application/json; charset=UTF-8';

/** Headers as Node takes them fastest: names and values in turn. */
export type HeaderLines = readonly string[];

export const linesOf = (headers: HeaderSet): HeaderLines => Object.entries(headers).flat();

/** On every answer. `site` is the site's address, which the discovery link names. */
export const commonLines = (site: string): HeaderLines =>
  linesOf({
    'Content-Type': JSON_CONTENT_TYPE,
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Link: `<${site}/>; rel="https://api.w.org/"`,
    'Access-Control-Expose-Headers': EXPOSED,
    'Access-Control-Allow-Headers': ACCEPTED,
  });

/** On answers to callers who signed in: they are nobody else's. */
export const PRIVATE_LINES: HeaderLines = linesOf({
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
});

/** On answers to requests from a page of `origin`; `Vary` goes with them. */
export const originLines = (origin: string): HeaderLines => [
  'Access-Control-Allow-Origin',
  origin,
  'Access-Control-Allow-Methods',
  'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Credentials',
  'true',
];

/**
 * On the answer to a browser that asks whether a page may send what it is about to send. It may ask again after so many
 * seconds; browsers remember it for two hours at most.
 */
export const PREFLIGHT_HEADERS: HeaderSet = { 'Access-Control-Max-Age': '7200' };

/** What decides about the answer to a request for a list, beside its address. */
export const LIST_VARY = 'Origin, Accept-Encoding, Authorization';

/**
 * On lists for the public. Without a word from us a proxy would choose a lifetime itself, and any lifetime would show
 * what has changed since; asking back with the tag costs a `304` and is never stale. Anybody may store the list.
 */
export const REVALIDATED_LINES: HeaderLines = linesOf({ 'Cache-Control': 'no-cache' });

/** On lists that somebody got for a password: the same, but for that reader's own cache only. */
export const PRESENTED_LINES: HeaderLines = linesOf({ 'Cache-Control': 'private, no-cache' });

/** Lists carry their totals under two names each; whoever answered with one gets the other. */
export function totalsUnderBothNames(headers: HeaderSet): HeaderSet {
  const total = headers['X-TEC-Total'];
  const pages = headers['X-TEC-TotalPages'];
  if (total === undefined || pages === undefined || 'X-WP-Total' in headers) return headers;
  return { ...headers, 'X-WP-Total': total, 'X-WP-TotalPages': pages };
}
