// What proxies say of a request in `X-Forwarded-*`, whether they are trusted or not. Fastify's `trustProxy` reads it
// otherwise: decision 15.
import type { IncomingHttpHeaders } from 'node:http';

/** They name the site that a client has asked for. */
export const SITE_HEADERS = ['x-forwarded-proto', 'x-forwarded-host'] as const;

/** Scheme and host that the client used; a scheme that is not known is none. */
export const forwardedSite = (headers: IncomingHttpHeaders) => ({
  scheme: firstOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http',
  host: firstOf(headers['x-forwarded-host']) ?? headers.host,
});

/** Proxies append: the first entry is what the client's own connection said. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',', 1)[0]?.trim();
}

const MAX_CHAIN_LENGTH = 2_000;

/** The addresses in `X-Forwarded-For`, the nearest first, none if they are too many. They may be any text. */
export function forwardedAddresses(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join() : header;
  if (text === undefined || text.length > MAX_CHAIN_LENGTH) return [];
  return text.split(',').map(bare).reverse();
}

/** Without blanks, brackets and port. */
function bare(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
