// The answers of one operation: what it is for, and every error that it may meet.

import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Endpoint } from '../route.ts';
import { errorName } from '../schemas/answers/errors.ts';
import { COMMON_ERRORS, POST_ERRORS, statusesOf } from './documentation/common-errors.ts';
import { type DocumentedAnswer, JSON_TYPE, type Right } from './documentation/documentation.ts';
import { ANSWER_HEADERS, type AnswerHeader, COMMON_HEADERS } from './documentation/shared.ts';
import { type Place, requiredNames } from './parameters.ts';
import { refusesSignedIn } from './rights.ts';
import { openApiSchema, schemaReference } from './schemas.ts';
import type { Describe, Members, Words } from './wording.ts';

const headersOf = (names: readonly AnswerHeader[]): Members =>
  Object.fromEntries(
    [...names, ...COMMON_HEADERS].map((name) => [ANSWER_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );

function success({ description, bodies, headers }: DocumentedAnswer, describe: Describe): Members {
  const content = Object.entries(bodies).map(([type, schema]) => [type, { schema: openApiSchema(schema, describe) }]);
  return {
    description: describe(description),
    headers: headersOf(headers),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
}

/** Headers of errors beside those of every answer. */
const ERROR_HEADERS: { readonly [status: number]: readonly AnswerHeader[] } = {
  401: ['Authenticate'],
  429: ['RetryAfter'],
  503: ['RetryAfter', 'Views'],
};

/** One status with all codes under it; their messages say what they mean. */
function errorAnswer({ status, codes }: Errors, { errors }: Pick<Words, 'errors'>): Members {
  const references = codes.map((code) => schemaReference(errorName(code)));
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${errorName(code)}`]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code]}`).join('\n\n'),
    headers: headersOf(ERROR_HEADERS[status] ?? []),
    content: {
      [JSON_TYPE]: {
        schema:
          references.length === 1
            ? references[0]
            : { oneOf: references, discriminator: { propertyName: 'code', mapping } },
      },
    },
  };
}

/** The errors of an endpoint under one status. */
interface Errors {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** Lowest status first. */
function byStatus(codes: readonly ErrorCode[], right: Right): readonly Errors[] {
  const found = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    for (const status of statusesUnder(right, code)) found.set(status, [...(found.get(status) ?? []), code]);
  }
  return [...found].sort(([one], [other]) => one - other).map(([status, of]) => ({ status, codes: of }));
}

/** Where all who are signed in may, a missing right is that of nobody in particular. */
const statusesUnder = (right: Right, code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' && !refusesSignedIn(right) ? [401] : statusesOf(code);

const COMMON: ReadonlySet<ErrorCode> = new Set(COMMON_ERRORS);

/** What operations with the same errors refer to: `Error400`, and `Error400.term_exists` where there is more to it. */
const nameOf = ({ status, codes }: Errors): string =>
  [`Error${status}`, ...codes.filter((code) => !COMMON.has(code))].join('.');

/** Every code that an endpoint may answer with under this method. */
export const codesOf = (endpoint: Endpoint, { method, path }: Place): readonly ErrorCode[] => [
  ...COMMON_ERRORS,
  ...(method === 'POST' ? POST_ERRORS : []),
  ...(requiredNames(endpoint, path).length > 0 ? (['rest_missing_callback_param'] as const) : []),
  ...endpoint.documentation.errors,
];

/** What an operation refers to, by name. */
export const errorAnswers = (endpoint: Endpoint, place: Place, words: Words): Members =>
  Object.fromEntries(errorsOf(endpoint, place).map((errors) => [nameOf(errors), errorAnswer(errors, words)]));

const errorsOf = (endpoint: Endpoint, place: Place): readonly Errors[] =>
  byStatus(codesOf(endpoint, place), endpoint.documentation.right);

/** All answers of an operation, by status. */
export function answersOf(endpoint: Endpoint, place: Place, { describe }: Words): Members {
  const successes = endpoint.documentation.answers.map((answer) => [answer.status, success(answer, describe)] as const);
  const errors = errorsOf(endpoint, place).map(
    (of) => [of.status, { $ref: `#/components/responses/${nameOf(of)}` }] as const,
  );
  return Object.fromEntries([...successes, ...errors]);
}
