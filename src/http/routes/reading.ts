// What all reading routes share: conditional answers and list headers.
import type { ListAnswer, QueryRefusal } from '../../queries/post-list.ts';
import type { ApiAnswer, ApiRequest } from '../api.ts';
import type { ErrorCode } from '../error-catalogue.ts';
import { ApiError, invalidParameters } from '../errors.ts';
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

const totals = ({ total, pages }: ListAnswer): { readonly [name: string]: string } => ({
  'X-TEC-Total': String(total),
  'X-TEC-TotalPages': String(pages),
  'X-WP-Total': String(total),
  'X-WP-TotalPages': String(pages),
});

/** A list, or what kept it from being answered. */
export function listAnswer(
  request: ApiRequest,
  list: ListAnswer | QueryRefusal,
  pastTheEnd: ErrorCode,
  tagOf: (body: string) => string,
): ApiAnswer {
  if ('refused' in list) throw invalidParameters(list.refused);
  if (list.body === null) throw new ApiError(pastTheEnd);
  return conditional(request, list.body, tagOf(list.body), totals(list));
}
