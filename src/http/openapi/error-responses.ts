// The answers to errors: one per status, shared by all operations with the same codes.
import { ERROR_STATUSES, type ErrorCode } from '../../locales/error-catalogue.ts';
import { errorName, errorSchema } from '../schemas/errors.ts';
import { refusesSignedIn } from './documentation/rights.ts';
import type { AnswerHeader } from './documentation/shared.ts';
import { headersOf, type Members, mapped, schemaReference } from './members.ts';
import { JSON_BODY, type Operation } from './operations.ts';

/** Any request may get these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
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
  'rest_parked',
  'internal_server_error',
  'rest_unavailable',
  'rest_sign_on_unavailable',
];

/** A POST may be a multipart form. */
const POST_ERRORS: readonly ErrorCode[] = ['rest_invalid_form'];

/** Statuses of a code: a missing right is 401 for the public, 403 for signed-in callers. */
const statusesOf = (code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' ? [401, 403] : [ERROR_STATUSES[code]];

/** The errors of an operation under one status. */
interface Errors {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** Every code that an operation may answer with. */
const codesOf = ({ method, required, documentation }: Operation): ReadonlySet<ErrorCode> =>
  new Set([
    ...COMMON_ERRORS,
    ...(method === 'POST' ? POST_ERRORS : []),
    ...(required.length > 0 ? (['rest_missing_callback_param'] as const) : []),
    ...documentation.errors,
  ]);

/** Lowest status first. */
function errorsOf(operation: Operation): readonly Errors[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(operation)) {
    for (const status of statusesUnder(operation, code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([one], [other]) => one - other).map(([status, codes]) => ({ status, codes }));
}

/** If all signed-in callers may, only the public lacks the right. */
const statusesUnder = ({ documentation }: Operation, code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' && !refusesSignedIn(documentation) ? [401] : statusesOf(code);

const COMMON: ReadonlySet<ErrorCode> = new Set(COMMON_ERRORS);

/** The answers to errors of an operation, by status. */
export const errorReferences = (operation: Operation): Members =>
  Object.fromEntries(
    errorsOf(operation).map((errors) => [errors.status, { $ref: `#/components/responses/${nameOf(errors)}` }]),
  );

/** The component of operations with the same errors: `Error400`, and `Error400.term_exists` if there are more. */
const nameOf = ({ status, codes }: Errors): string =>
  [`Error${status}`, ...codes.filter((code) => !COMMON.has(code))].join('.');

export const errorResponses = (operations: readonly Operation[]): Members =>
  mapped(Object.fromEntries(operations.flatMap(errorsOf).map((errors) => [nameOf(errors), errors])), errorResponse);

/** Headers of errors besides those of every answer. */
const ERROR_HEADERS: { readonly [status: number]: readonly AnswerHeader[] } = {
  301: ['Location'],
  308: ['Location'],
  401: ['Authenticate'],
  429: ['RetryAfter'],
  503: ['RetryAfter', 'Views'],
};

/** One status with all codes under it; their messages, inserted for `{code}` in each language, explain them. */
function errorResponse({ status, codes }: Errors): Members {
  const references = codes.map((code) => schemaReference(errorName(code)));
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${errorName(code)}`]));
  return {
    description: codes.map((code) => `\`${code}\`: {${code}}`).join('\n\n'),
    headers: headersOf(ERROR_HEADERS[status] ?? []),
    content: {
      [JSON_BODY]: {
        schema:
          references.length === 1
            ? references[0]
            : { oneOf: references, discriminator: { propertyName: 'code', mapping } },
      },
    },
  };
}

/** All codes of operations, in the order of the catalogue. */
export function errorSchemas(operations: readonly Operation[]): Members {
  const met = new Set(operations.flatMap((operation) => [...codesOf(operation)]));
  const codes = (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter((code) => met.has(code)); // Its keys are the codes.
  return Object.fromEntries(codes.map((code) => [errorName(code), errorSchema(code, statusesOf(code))]));
}
