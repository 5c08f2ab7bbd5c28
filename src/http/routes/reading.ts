// What reading routes of single things share: conditional answers.
import type { ApiAnswer, ApiRequest } from '../api.ts';
import { isKnown } from '../etag.ts';

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
