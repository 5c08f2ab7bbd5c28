// Shared by reading routes.
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { bodyOf, type Described, type Documentation, type DocumentedAnswer, documented } from './documentation.ts';
import { FOR_ALL, type Right } from './rights.ts';
import type { AnswerHeader } from './shared.ts';

interface Reading extends Omit<Described, 'right' | 'example'> {
  /** Default: all callers. */
  readonly right?: Right;
  readonly answer: TSchema;
}

export const notModified = (carries: readonly AnswerHeader[]): DocumentedAnswer => ({
  description: 'answer.not_modified',
  type: 'null',
  carries,
});

/** A read with an ETag. */
export const reading = ({ answer, takes = [], right = FOR_ALL, ...rest }: Reading): Documentation =>
  documented(
    { ...rest, right, takes: [...takes, 'IfNoneMatch'] },
    {
      200: { description: 'answer.read', ...bodyOf(answer), carries: ['ETag'] },
      304: notModified(['ETag']),
    },
  );

/** How current a list is; lists of the past do not say so. */
export const SHOWN: readonly AnswerHeader[] = ['ShownPosition', 'Lag', 'Views'];

const TOTALS: readonly AnswerHeader[] = ['Total', 'TotalPages', 'TotalTwin', 'TotalPagesTwin'];

/** A list with totals in its headers. */
export function listing(list: Reading): Documentation {
  const carries: readonly AnswerHeader[] = ['ETag', ...TOTALS, ...SHOWN];
  return {
    ...reading(list),
    response: {
      200: { description: 'answer.list', ...bodyOf(list.answer), carries: [...carries, 'ContentEncoding'] },
      304: notModified(carries),
    },
  };
}

/** Errors of `with`. */
export const AHEAD_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_not_found',
  'rest_proposal_closed',
  'rest_proposal_conflict',
  'rest_target_in_trash',
  'rest_set_not_found',
  'rest_set_closed',
  'rest_set_empty',
  'rest_set_unfit',
];

/** Errors of `as_of` and `revision` on single reads. */
export const OLD_STATE_ERRORS: readonly ErrorCode[] = [
  'rest_forbidden',
  'rest_revision_not_found',
  'rest_not_there_then',
];
