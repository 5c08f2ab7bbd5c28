// What reading routes share: who reads, and conditional answers.
import type { Reader } from '../../queries/reader.ts';
import type { ApiAnswer, ApiRequest } from '../api.ts';
import { isKnown } from '../etag.ts';

/** Whoever sent a request, as queries see it. */
export const readerOf = (request: ApiRequest): Reader => ({
  caller: request.caller,
  now: request.now,
  links: request.links,
  password: typeof request.given.password === 'string' ? request.given.password : undefined,
});

/** A body with its tag, or 304 when the reader has it already. */
export function conditional(
  request: ApiRequest,
  body: ApiAnswer['body'],
  etag: string,
  headers: ApiAnswer['headers'] = {},
): ApiAnswer {
  if (isKnown(request.ifNoneMatch, etag)) return { status: 304, body: '', headers: { ...headers, ETag: etag } };
  return { status: 200, body, headers: { ...headers, ETag: etag } };
}
