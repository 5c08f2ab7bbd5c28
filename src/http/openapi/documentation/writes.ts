// Shared by writing routes.
import type { TSchema } from 'typebox';
import type { DescriptionKey } from '../../../locales/language.ts';
import { bodyOf, type Described, type Documentation, documented } from './documentation.ts';
import type { AnswerHeader } from './shared.ts';

interface Writing extends Described {
  /** The body of the answer: the resource after the write. */
  readonly answer: TSchema;
}

interface Result {
  readonly status: 200 | 201;
  readonly description: DescriptionKey;
  readonly carries: readonly AnswerHeader[];
}

const HEADERS: readonly AnswerHeader[] = ['ETag', 'Position', 'Views', 'ReadAs'];

const written = (
  { answer, errors = [], takes = [], ...rest }: Writing,
  { status, description, carries }: Result,
): Documentation =>
  documented(
    {
      ...rest,
      // Also for a condition that nothing can meet.
      errors: ['rest_forbidden', 'rest_precondition_failed', ...errors],
      takes: ['ChangeReason', ...takes],
    },
    { [status]: { description, ...bodyOf(answer), carries } },
  );

/** A write of an existing resource. */
const changed = (writes: Writing, description: DescriptionKey): Documentation =>
  written({ ...writes, takes: ['IfMatch'] }, { status: 200, description, carries: HEADERS });

export const creating = (writes: Writing): Documentation =>
  written(
    { ...writes, takes: ['IdempotencyKey'] },
    { status: 201, description: 'answer.created', carries: [...HEADERS, 'Location'] },
  );

/** `write.merge` describes how omitted members are handled. */
export const changing = (writes: Writing): Documentation =>
  changed({ description: 'write.merge', ...writes }, 'answer.changed');

export const trashing = (writes: Writing): Documentation => changed(writes, 'answer.trashed');

export const deleting = (writes: Writing): Documentation => changed(writes, 'answer.deleted');
