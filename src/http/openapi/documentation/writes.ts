// What writing endpoints have in common.

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { type Documentation, type DocumentedAnswer, type Group, JSON_TYPE, type Right } from './documentation.ts';
import type { Example } from './examples.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

interface Writing {
  readonly group: Group;
  readonly summary: DescriptionKey;
  readonly description?: DescriptionKey;
  readonly right: Right;
  /** What stands in the answer: the thing after the write. */
  readonly answer: TSchema;
  readonly errors: readonly ErrorCode[];
  readonly takes?: readonly SharedParameter[];
  readonly example?: Example;
}

const HEADERS: readonly AnswerHeader[] = ['ETag', 'Position', 'Views', 'ReadAs'];

const written = ({ answer, errors, takes = [], ...rest }: Writing, result: Result): Documentation => ({
  ...rest,
  answers: [{ ...result, bodies: { [JSON_TYPE]: answer } }],
  // Of a condition that nothing can meet, too.
  errors: ['rest_forbidden', 'rest_precondition_failed', ...errors],
  takes: ['ChangeReason', ...takes],
});

type Result = Omit<DocumentedAnswer, 'bodies'>;

/** A write of what is there already. */
const changed = (writes: Writing, description: DescriptionKey): Documentation =>
  written({ ...writes, takes: ['IfMatch', ...(writes.takes ?? [])] }, { status: 200, description, headers: HEADERS });

/** What `changing` endpoints say of their manners. */
export const MERGE = 'write.merge';

export const creating = (writes: Writing): Documentation =>
  written(
    { ...writes, takes: ['IdempotencyKey', ...(writes.takes ?? [])] },
    { status: 201, description: 'answer.created', headers: [...HEADERS, 'Location'] },
  );

export const changing = (writes: Writing): Documentation => changed(writes, 'answer.changed');

export const trashing = (writes: Writing): Documentation => changed(writes, 'answer.trashed');

export const deleting = (writes: Writing): Documentation => changed(writes, 'answer.deleted');
