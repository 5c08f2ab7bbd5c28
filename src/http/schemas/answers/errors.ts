// Errors on the wire: one envelope for all, and what some codes put into it beside.
import Type, { type TObject, type TProperties } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { eitherOf, emptyList, instant, integer, listOf, mapOf, object, oneOf, optional, text } from './members.ts';

const why = text('Why it was refused.');

const mistyped = object('A value of another type than declared.', {
  code: oneOf('Always the same.', ['rest_invalid_type']),
  message: why,
  data: object('What it is about.', { param: text('Name of the parameter.') }),
});

const conflict = object('Something that stands in the way.', {
  field: text('The field that cannot be had back.'),
  ...optional({
    thing: object('What has it, or what is no longer there.', {
      kind: text('Kind of the thing.'),
      id: integer('Id of the thing.'),
    }),
    slug: text('The slug that is taken.'),
  }),
  why: oneOf('The obstacle.', ['taken', 'in_trash', 'deleted', 'gone', 'circle']),
});

interface Extras {
  /** Members of `data` beside `status`. */
  readonly data?: TProperties;
  /** Members beside `code`, `message` and `data`. */
  readonly extra?: TProperties;
}

const EXTRAS: { readonly [code in ErrorCode]?: Extras } = {
  rest_missing_callback_param: { data: { params: listOf(text('A parameter.'), 'Names of what is missing.') } },
  rest_invalid_param: {
    data: {
      params: mapOf(why, 'The refused parameters by name.'),
      details: eitherOf('More about values of the wrong type.', [
        emptyList('Nothing more.'),
        mapOf(mistyped, 'The parameters by name.'),
      ]),
    },
  },
  rest_invalid_json: {
    data: { json_error_code: integer('Number of the fault.'), json_error_message: text('What is wrong with it.') },
  },
  term_exists: {
    data: { term_id: integer('Id of the term that exists.') },
    extra: { additional_data: listOf(integer('Id of the term that exists.'), 'The same id, twice.') },
  },
  rest_revision_not_found: {
    data: { revision: integer('The revision asked for.'), last_revision: integer('The last one that there is.') },
  },
  rest_user_exists: { data: { params: listOf(text('A parameter.'), 'Names of what somebody else has.') } },
  rest_revert_conflict: { data: { conflicts: listOf(conflict, 'Everything that stands in the way.') } },
  rest_not_there_then: {
    data: {
      as_of: instant('The instant asked for.'),
      ...optional({ since: instant('The first instant of which something is known.') }),
    },
  },
};

/** The body of answers with this code, under one of these statuses. */
export function errorSchema(code: ErrorCode, statuses: readonly number[]): TObject {
  const { data = {}, extra = {} } = EXTRAS[code] ?? {};
  return object('An error.', {
    code: oneOf('What went wrong, for programs.', [code]),
    message: text('What went wrong and what to do about it, for people.'),
    data: object('Details.', {
      status: Type.Integer({ description: 'The HTTP status.', enum: [...statuses] }),
      ...data,
    }),
    ...extra,
  });
}

/** `rest_invalid_param` becomes `RestInvalidParamError`. */
export const errorName = (code: ErrorCode): string =>
  `${code
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Error`;
