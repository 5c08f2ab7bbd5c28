// What handlers of pages share: their parameters, and the errors of what cannot be shown.
import type { FastifyRequest } from 'fastify';
import { ApiError, slugChanged } from '../../http/errors.ts';
import { queryOf } from '../../kernel/text/query-text.ts';
import type { Published } from '../calendar.ts';

export interface BySlug {
  readonly Params: { readonly slug: string };
}

export const notFound = (): ApiError => new ApiError('rest_no_route');

const MISSING = {
  unknown: 'rest_no_route',
  'in trash': 'rest_no_route',
  'not accessible': 'rest_no_route',
  'password needed': 'event-password-protected',
} as const;

/** The post of a page; throws the error of what is missing, or where it is now. */
export function publishedIn<Body>(result: Published<Body>, request: FastifyRequest) {
  if ('post' in result) return result;
  if ('movedTo' in result) throw slugChanged(result.movedTo + queryOf(request.url));
  throw new ApiError(MISSING[result.missing]);
}
