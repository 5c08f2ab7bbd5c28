// Shared by writing routes.
import Type, { type TSchema } from 'typebox';
import type { DescriptionKey } from '../../../locales/language.ts';
import { bodyOf, type Described, type Documentation, documented, type Group } from './documentation.ts';
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

/** Groups whose resources the rules of review are about. */
const REVIEWED: ReadonlySet<Group> = new Set(['Events', 'Venues', 'Organizers', 'Categories', 'Tags']);

/** What is in the trash cannot be changed by a proposal. */
const WITH_TRASH: ReadonlySet<Group> = new Set(['Events', 'Venues', 'Organizers']);

const REVIEW_ERRORS = ['rest_review_required', 'rest_bypass_refused'] as const;

/** Where the rules of review turn the write into a proposal. */
const PROPOSED: Documentation['response'] = {
  202: {
    description: 'answer.proposed',
    ...bodyOf(Type.Ref('Proposal')),
    carries: ['ETag', 'Position', 'Views', 'Location'],
  },
};

function written(
  { answer, errors = [], takes = [], ...rest }: Writing,
  { status, description, carries }: Result,
): Documentation {
  const isReviewed = REVIEWED.has(rest.group);
  return documented(
    {
      ...rest,
      // Also for a condition that nothing can meet.
      errors: ['rest_forbidden', 'rest_precondition_failed', ...(isReviewed ? REVIEW_ERRORS : []), ...errors],
      takes: ['ChangeReason', ...(isReviewed ? (['BypassReview'] as const) : []), ...takes],
    },
    { [status]: { description, ...bodyOf(answer), carries }, ...(isReviewed && PROPOSED) },
  );
}

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
  changed(
    {
      description: 'write.merge',
      ...writes,
      errors: [...(WITH_TRASH.has(writes.group) ? (['rest_target_in_trash'] as const) : []), ...(writes.errors ?? [])],
    },
    'answer.changed',
  );

export const trashing = (writes: Writing): Documentation => changed(writes, 'answer.trashed');

export const deleting = (writes: Writing): Documentation => changed(writes, 'answer.deleted');
