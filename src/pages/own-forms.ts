// Forms of this site: browsers name the site that a form comes from.
import type { FastifyRequest } from 'fastify';

/** `site`: the public address of this one. */
export function isOwnForm({ headers }: Pick<FastifyRequest, 'headers'>, site: string): boolean {
  const { origin, host, 'sec-fetch-site': from = 'same-origin' } = headers;
  const own = [host?.toLowerCase(), new URL(site).host];
  const isOwn = origin === undefined || (URL.canParse(origin) && own.includes(new URL(origin).host));
  return isOwn && (from === 'same-origin' || from === 'none');
}
