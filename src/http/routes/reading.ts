// Shared by reading routes: the reader, and conditional answers.
import type { FastifyRequest } from 'fastify';
import type { SingleSource } from '../../queries/log-fallback.ts';
import type { Reader } from '../../queries/reader.ts';
import { isKnown } from '../etag.ts';
import type { Read } from '../read-cache.ts';
import type { ApiAnswer } from '../route.ts';
import type { RouteDependencies } from './writing.ts';

/** The reader of a request, for queries. */
export const readerOf = (request: FastifyRequest): Reader => ({
  caller: request.caller,
  now: request.now,
  links: request.links,
  siteZone: request.siteZone,
  password: typeof request.given.password === 'string' ? request.given.password : undefined,
  ...(request.guess && { guess: request.guess }),
});

/** A single read: from the read model, where it may be cached, or from the log while the read model is unavailable. */
export const readOne = (
  { beyondViews, reads }: Pick<RouteDependencies, 'beyondViews' | 'reads'>,
  request: FastifyRequest,
  what: string,
  make: (source: SingleSource) => Promise<Read>,
): Promise<Read> => beyondViews.newest(() => reads.find(request, what, () => make(beyondViews.views)), make);

/** On public answers that a password opened, which may be in the body where no cache sees it. */
const PRESENTED = { 'Cache-Control': 'private, no-cache' };

/** A body with its tag, or 304 if the reader has it already. */
export function conditional(
  request: FastifyRequest,
  body: ApiAnswer['body'],
  etag: string,
  own: ApiAnswer['headers'] = {},
): ApiAnswer {
  const isPresented = request.caller === null && request.given.password !== undefined;
  const headers = isPresented ? { ...own, ...PRESENTED } : own;
  if (isKnown(request.headers['if-none-match'], etag))
    return { status: 304, body: '', headers: { ...headers, ETag: etag } };
  return { status: 200, body, headers: { ...headers, ETag: etag } };
}
