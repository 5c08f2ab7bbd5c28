// Errors as clients see them: one envelope for all, from the catalogue, and the mapping of lower errors.

import { present } from '../domain/present.ts';
import type { Rejection, RejectionCode } from '../domain/rejections.ts';
import { MemoryShort } from '../kernel/memory/watch.ts';
import { conflictClause } from '../locales/conflicts.ts';
import { ERROR_STATUSES, type ErrorCode } from '../locales/error-catalogue.ts';
import type { Language } from '../locales/language.ts';
import { ENGLISH } from '../locales/languages.ts';
import { clauses, phrase, type Wording } from '../locales/phrases.ts';
import { CannotFold } from '../log/envelope.ts';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../log/event-store.ts';
import { UnknownSchemaVersion } from '../log/upcasting/upcast.ts';
import type { Caller } from '../people/auth/caller.ts';
import { ReadModelChanging } from '../queries/one-state.ts';
import { ReadModelUnavailable } from '../read-model/read-model.ts';

interface ApiErrorOptions {
  /** Overrides the catalogue's. */
  readonly status?: number;
  readonly text?: Wording;
  /** Members of `data` besides `status`; those with texts depend on the reader's language. */
  readonly data?: Members | ((language: Language) => Members);
  /** Members besides `code`, `message` and `data`. */
  readonly extra?: { readonly [member: string]: unknown };
  readonly headers?: { readonly [name: string]: string };
}

type Members = { readonly [member: string]: unknown };

/**
 * Thrown by routes to refuse a request. The error handler turns it into the envelope. Its `message` is English, for the
 * log.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: Wording;
  /** In English; see `dataIn`. */
  readonly data: Members;
  readonly dataIn: (language: Language) => Members;
  readonly extra: { readonly [member: string]: unknown };
  readonly headers: { readonly [name: string]: string };

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { data = {}, text = (language: Language) => language.errors[code] } = options;
    super(text(ENGLISH));
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code];
    this.text = text;
    this.data = typeof data === 'function' ? data(ENGLISH) : data;
    this.dataIn = typeof data === 'function' ? data : () => data;
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
    text: phrase('missing_parameters', { names }),
    data: { params: names },
  });

/** Parameters with invalid values, each with a sentence that says what is allowed, if there is one; 400. */
export function refusedParameters(refused: ReadonlyMap<string, Wording | undefined>): ApiError {
  const names = [...refused.keys()];
  const reasons = [...refused.values()].filter((why) => why !== undefined);
  const why: Wording = (language) => reasons.map((one) => one(language)).join(' ');
  return new ApiError('rest_invalid_param', {
    text:
      reasons.length === 0
        ? phrase('invalid_parameters', { names })
        : phrase('refused_parameter', { name: names, why }),
    data: (language) => ({
      params: Object.fromEntries(
        [...refused].map(([name, one]) => [name, one?.(language) ?? language.phrases.invalid_parameter]),
      ),
      details: [],
    }),
  });
}

/** Parameters whose value a handler refuses; 400. */
export const invalidParameters = (...names: readonly string[]): ApiError =>
  refusedParameters(new Map(names.map((name) => [name, undefined])));

/** A parameter with an invalid value, and why; 400. */
export const refusedParameter = (name: string, why: Wording): ApiError => refusedParameters(new Map([[name, why]]));

/** Parameters whose value has another type than declared (name to type); 400. */
export function mistypedParameters(types: ReadonlyMap<string, string>): ApiError {
  const entries = [...types].map(([name, type]) => [name, phrase('mistyped_parameter', { name, type })] as const);
  return new ApiError('rest_invalid_param', {
    text: phrase('invalid_parameters', { names: [...types.keys()] }),
    data: (language) => ({
      params: Object.fromEntries(entries.map(([name, text]) => [name, text(language)])),
      details: Object.fromEntries(
        entries.map(([name, text]) => [
          name,
          { code: 'rest_invalid_type', message: text(language), data: { param: name } },
        ]),
      ),
    }),
  });
}

/** 308: a merged resource was asked for, and another one stays. */
export const movedPermanently = (location: string, stays: number): ApiError =>
  new ApiError('rest_moved_permanently', {
    headers: { Location: location },
    data: { merged_into: stays },
    extra: { merged_into: stays },
  });

/** 301: the resource has another slug now. `location` keeps the query. Another one may be given the former slug. */
export const slugChanged = (location: string): ApiError =>
  new ApiError('rest_slug_changed', { headers: { Location: location, 'Cache-Control': 'no-cache' } });

/** A missing right on a write: 401 for anonymous callers, 403 for signed-in ones. */
export const forbidden = (caller: Caller): ApiError =>
  caller === null ? new ApiError('rest_forbidden', { status: 401 }) : new ApiError('rest_forbidden');

/** What was found; where nothing was, the answer is `code`. */
export async function foundOr<T>(code: ErrorCode, finding: Promise<T | null>): Promise<T> {
  const result = await finding;
  if (result === null) throw new ApiError(code);
  return result;
}

/** 429; `seconds` until a retry makes sense. */
export const rateLimited = (seconds: number): ApiError =>
  new ApiError('rest_rate_limited', { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });

/** Rejections of one parameter, each with a phrase of its own that says what is allowed. */
const OF_PARAMETERS = {
  notice_unpublished: 'notice',
  notice_required: 'notice',
  password_not_proposed: 'password',
  organizer_not_proposed: 'organizer',
  zone_settled: 'timezone',
  password_length: 'password',
  merge_into_unknown: 'into',
} as const satisfies { readonly [Code in RejectionCode]?: string };

const isOfParameter = (code: RejectionCode): code is keyof typeof OF_PARAMETERS => Object.hasOwn(OF_PARAMETERS, code);

/** Rejections that clients know by the same name. */
type Named = { [Code in RejectionCode]: `rest_${Code}` extends ErrorCode ? Code : never }[RejectionCode];

const REJECTIONS: {
  readonly [code in Exclude<RejectionCode, Named | keyof typeof OF_PARAMETERS | 'invalid_parameter'>]: ErrorCode;
} = {
  event_not_found: 'rest-event-not-found',
  not_an_event: 'rest-invalid-event-id',
  event_in_trash: 'event-is-in-trash',
  venue_in_trash: 'venue-is-in-trash',
  organizer_in_trash: 'organizer-is-in-trash',
  organizer_erased: 'organizer-is-erased',
  could_not_create_venue: 'could-not-create-venue',
  could_not_create_organizer: 'could-not-create-organizer',
  term_exists: 'term_exists',
  term_slug_taken: 'duplicate_term_slug',
  tags_have_no_parent: 'rest_taxonomy_not_hierarchical',
  source_needs_review: 'rest_review_required',
  login_taken: 'rest_user_exists',
  email_taken: 'rest_user_exists',
  // Ids cannot be chosen by HTTP: another request was faster.
  id_taken: 'rest_unavailable',
  not_decided: 'internal_server_error',
  busy: 'rest_unavailable',
};

const isNamed = (code: RejectionCode): code is Named => !Object.hasOwn(REJECTIONS, code);

export const noSuchRevision = (revision: number | string, last: number | string): Wording =>
  phrase('no_such_revision', { revision, last });

function lockedOut({ role, kind, approvals = '', approvers = '' }: NonNullable<Rejection['details']>): Wording {
  const word =
    (name: unknown): Wording =>
    ({ sentences: { rules } }) =>
      Object.entries(rules.words).find(([key]) => key === name)?.[1] ?? String(name);
  return phrase('policy_locks_out', {
    role: word(role),
    kind: word(kind),
    approvals: String(approvals),
    approvers: String(approvers),
  });
}

function invalidParameter(name: string, reason: NonNullable<Rejection['details']>[string] | undefined): ApiError {
  if (reason === undefined) return invalidParameters(name);
  return refusedParameter(name, phrase('recurrence_refused', { name, reason: String(reason) }));
}

/** A domain rejection on the wire. */
export function rejectionError(rejection: Rejection, caller: Caller): ApiError {
  const { code, parameter = 'id', details, conflicts, fields } = rejection;
  if (code === 'forbidden') return forbidden(caller);
  if (code === 'invalid_parameter') return invalidParameter(parameter, details?.reason);
  if (isOfParameter(code)) return refusedParameter(OF_PARAMETERS[code], phrase(code));
  const termId = details?.term_id;
  return new ApiError(isNamed(code) ? `rest_${code}` : REJECTIONS[code], {
    data: present({ ...details, conflicts: conflicts ?? fields }),
    ...(code === 'policy_locks_out' && details && { text: lockedOut(details) }),
    ...(code === 'revision_not_found' &&
      details && {
        text: noSuchRevision(String(details.revision), String(details.last_revision)),
      }),
    ...(conflicts && {
      text: phrase('cannot_revert', { conflicts: clauses(conflicts.map(conflictClause)) }),
    }),
    ...(code === 'term_exists' && { extra: { additional_data: [termId, termId] } }),
    ...(['busy', 'id_taken'].includes(code) && { headers: { 'Retry-After': '1' } }),
  });
}

/** Anything thrown, as an error for clients: unknown errors reveal nothing. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailability(thrown)) return new ApiError('rest_unavailable');
  if (thrown instanceof CannotFold || thrown instanceof UnknownSchemaVersion)
    return new ApiError('rest_parked', { data: { position: thrown.position } });
  if (thrown instanceof MemoryShort) return new ApiError('rest_unavailable', { headers: { 'Retry-After': '10' } });
  const code = frameworkCode(thrown);
  return new ApiError(code ?? 'internal_server_error');
}

const isUnavailability = (thrown: unknown): boolean =>
  thrown instanceof EventStoreUnavailable ||
  thrown instanceof ReadModelUnavailable ||
  thrown instanceof ReadModelChanging ||
  thrown instanceof AppendOutcomeUnknown;

/** Fastify's own refusals; others that blame the client are bad requests. */
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

/** The envelope, in the language of the reader. */
export const errorBody = (error: ApiError, language: Language) => ({
  code: error.code,
  message: error.text(language),
  data: { status: error.status, ...error.dataIn(language) },
  ...error.extra,
});
