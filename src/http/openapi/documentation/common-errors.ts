// Errors that have nothing to do with what an endpoint is for.
import { ERROR_STATUSES, type ErrorCode } from '../../../locales/error-catalogue.ts';

/** Any request may meet these. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'rest_invalid_param',
  'rest_invalid_json',
  'rest_too_many_parameters',
  'rest_invalid_host',
  'rest_bad_request',
  'rest_callback_disabled',
  'invalid_username',
  'invalid_email',
  'incorrect_password',
  'rest_invalid_token',
  'rest_no_role',
  'rest_user_removed',
  'rest_request_timeout',
  'rest_request_too_large',
  'rest_uri_too_long',
  'rest_headers_too_large',
  'rest_rate_limited',
  'internal_server_error',
  'rest_unavailable',
  'rest_sign_on_unavailable',
];

/** A POST may be a multipart form. */
export const POST_ERRORS: readonly ErrorCode[] = ['rest_invalid_form'];

/** Statuses that a code may be answered with: a missing right is 401 for the public, 403 for callers who are signed in. */
export const statusesOf = (code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' ? [401, 403] : [ERROR_STATUSES[code]];
