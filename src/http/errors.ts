// Errors as clients see them: one envelope for all, made from the catalogue, and how failures from below become one.
import type { Caller } from '../auth/caller.ts';
import type { Rejection, RejectionCode } from '../domain/rejections.ts';
import { conflictClause } from '../domain/revert-conflicts.ts';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../event-store/event-store.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';
import { ERRORS, type ErrorCode } from './error-catalogue.ts';

export interface ApiErrorOptions {
  /** Instead of the catalogue's. */
  readonly status?: number;
  readonly message?: string;
  /** Members of `data` beside `status`. */
  readonly data?: { readonly [member: string]: unknown };
  /** Members beside `code`, `message` and `data`. */
  readonly extra?: { readonly [member: string]: unknown };
  readonly headers?: { readonly [name: string]: string };
}

/** What a route throws to refuse. The transport turns it into the envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly data: { readonly [member: string]: unknown };
  readonly extra: { readonly [member: string]: unknown };
  readonly headers: { readonly [name: string]: string };

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message);
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.data = options.data ?? {};
    this.extra = options.extra ?? {};
    this.headers = { ...implied(this.status), ...options.headers };
  }
}

const RETRY_AFTER_SECONDS = '5';

function implied(status: number): { readonly [name: string]: string } {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  if (status === 503) return { 'Retry-After': RETRY_AFTER_SECONDS };
  return {};
}

/** Required parameters that were not sent; 400. */
export const missingParameters = (names: readonly string[]): ApiError =>
  new ApiError('rest_missing_callback_param', {
    message: `${ERRORS.rest_missing_callback_param.message}: ${names.join(', ')}`,
    data: { params: names },
  });

/** Parameters whose value was refused for what it is; 400. Also for handlers that find out later than the validators. */
export const invalidParameters = (...names: readonly string[]): ApiError =>
  new ApiError('rest_invalid_param', {
    message: `${ERRORS.rest_invalid_param.message}: ${names.join(', ')}`,
    data: { params: Object.fromEntries(names.map((name) => [name, 'Invalid parameter.'])), details: [] },
  });

/** A parameter whose value was refused, with why: a sentence that says what to send instead; 400. */
export const refusedParameter = (name: string, why: string): ApiError =>
  new ApiError('rest_invalid_param', {
    message: `${ERRORS.rest_invalid_param.message}: ${name}. ${why}`,
    data: { params: { [name]: why }, details: [] },
  });

/** Parameters whose value has another type than declared (name to type); 400. */
export function mistypedParameters(types: ReadonlyMap<string, string>): ApiError {
  const text = (name: string, type: string): string => `${name} is not of type ${type}.`;
  const entries = [...types];
  return new ApiError('rest_invalid_param', {
    message: `${ERRORS.rest_invalid_param.message}: ${[...types.keys()].join(', ')}`,
    data: {
      params: Object.fromEntries(entries.map(([name, type]) => [name, text(name, type)])),
      details: Object.fromEntries(
        entries.map(([name, type]) => [
          name,
          { code: 'rest_invalid_type', message: text(name, type), data: { param: name } },
        ]),
      ),
    },
  });
}

/** A right is missing on a write: 401 for nobody in particular, 403 for who is signed in. */
export const forbidden = (caller: Caller): ApiError =>
  caller === null ? new ApiError('rest_forbidden', { status: 401 }) : new ApiError('rest_forbidden');

/** 429; `seconds` until it makes sense to try again. */
export const rateLimited = (seconds: number): ApiError =>
  new ApiError('rest_rate_limited', { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });

const REJECTIONS: { readonly [code in Exclude<RejectionCode, 'invalid_parameter' | 'forbidden'>]: ErrorCode } = {
  precondition_failed: 'rest_precondition_failed',
  event_not_found: 'rest-event-not-found',
  not_an_event: 'rest-invalid-event-id',
  event_in_trash: 'event-is-in-trash',
  venue_in_trash: 'venue-is-in-trash',
  organizer_in_trash: 'organizer-is-in-trash',
  could_not_create_venue: 'could-not-create-venue',
  could_not_create_organizer: 'could-not-create-organizer',
  term_exists: 'term_exists',
  term_slug_taken: 'duplicate_term_slug',
  tags_have_no_parent: 'rest_taxonomy_not_hierarchical',
  revision_not_found: 'rest_revision_not_found',
  revert_conflict: 'rest_revert_conflict',
  busy: 'rest_unavailable',
};

/** What a domain rejection is on the wire. */
export function rejectionError(rejection: Rejection, caller: Caller): ApiError {
  if (rejection.code === 'forbidden') return forbidden(caller);
  if (rejection.code === 'invalid_parameter') return invalidParameters(rejection.parameter ?? 'id');
  const { details, conflicts } = rejection;
  const termId = details?.term_id;
  return new ApiError(REJECTIONS[rejection.code], {
    data: { ...details, ...(conflicts && { conflicts }) },
    ...(rejection.code === 'revision_not_found' &&
      details && {
        message: `There is no revision ${details.revision}: they run from 0 to ${details.last_revision}. Ask for one of them.`,
      }),
    ...(conflicts && {
      message: `Nothing was written, as it cannot look as it did: ${conflicts.map(conflictClause).join('; ')}.`,
    }),
    ...(rejection.code === 'term_exists' && { extra: { additional_data: [termId, termId] } }),
    ...(rejection.code === 'busy' && { headers: { 'Retry-After': '1' } }),
  });
}

/** Anything thrown, as an error that clients may see: nothing of an unknown one shows. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailability(thrown)) return new ApiError('rest_unavailable');
  const code = frameworkCode(thrown);
  return new ApiError(code ?? 'internal_server_error');
}

const isUnavailability = (thrown: unknown): boolean =>
  thrown instanceof EventStoreUnavailable ||
  thrown instanceof ReadModelUnavailable ||
  thrown instanceof AppendOutcomeUnknown;

/** Fastify's own refusals; others of it that blame the client are bad requests. */
const FRAMEWORK_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'rest_request_too_large'],
  ['FST_ERR_BAD_URL', 'rest_no_route'],
  ['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', 'rest_no_route'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'rest_uri_too_long'],
  ['ECONNRESET', 'rest_bad_request'],
]);

function frameworkCode(thrown: unknown): ErrorCode | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  const known = FRAMEWORK_CODES.get(thrown.code);
  if (known !== undefined || !String(thrown.code).startsWith('FST_')) return known;
  const status = 'statusCode' in thrown ? Number(thrown.statusCode) : 500;
  return status >= 400 && status < 500 ? 'rest_bad_request' : undefined;
}

/** The envelope. */
export const errorAnswer = (error: ApiError) => ({
  status: error.status,
  body: {
    code: error.code,
    message: error.message,
    data: { status: error.status, ...error.data },
    ...error.extra,
  },
  headers: error.headers,
});
