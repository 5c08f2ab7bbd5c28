// What reading endpoints have in common.

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import {
  type Documentation,
  type DocumentedAnswer,
  FOR_ALL,
  type Group,
  JSON_TYPE,
  type Right,
} from './documentation.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

interface Reading {
  readonly group: Group;
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  /** Everybody when not given. */
  readonly right?: Right;
  readonly answer: TSchema;
  readonly errors?: readonly ErrorCode[];
  readonly takes?: readonly SharedParameter[];
}

const unchanged = (headers: readonly AnswerHeader[]): DocumentedAnswer => ({
  status: 304,
  description: 'answer.not_modified',
  bodies: {},
  headers,
});

/** A read with an ETag. */
export function reading({ answer, errors = [], takes = [], right = FOR_ALL, ...rest }: Reading): Documentation {
  return {
    ...rest,
    right,
    answers: [
      { status: 200, description: 'answer.read', bodies: { [JSON_TYPE]: answer }, headers: ['ETag'] },
      unchanged(['ETag']),
    ],
    errors,
    takes: [...takes, 'IfNoneMatch'],
  };
}

/** How new a list is; lists of the past do not say so. */
export const SHOWN: readonly AnswerHeader[] = ['ShownPosition', 'Lag', 'Views'];

const TOTALS: readonly AnswerHeader[] = ['Total', 'TotalPages', 'TotalTwin', 'TotalPagesTwin'];

/** A list with totals in its headers. */
export function listing(reads: Reading): Documentation {
  const documentation = reading(reads);
  const headers: readonly AnswerHeader[] = ['ETag', ...TOTALS, ...SHOWN];
  const [page, ...others] = documentation.answers;
  return {
    ...documentation,
    answers: page
      ? [
          { ...page, description: 'answer.list', headers: [...headers, 'ContentEncoding'] },
          ...others.map((other) => ({ ...other, headers })),
        ]
      : [],
  };
}

/** Errors of `as_of` and `revision` on single reads. */
export const OLD_STATE_ERRORS: readonly ErrorCode[] = [
  'rest_forbidden',
  'rest_revision_not_found',
  'rest_not_there_then',
];
