// The documentation of the routes of sets of proposals.
import Type from 'typebox';
import type { Documentation } from '../../../http/openapi/documentation/documentation.ts';
import { listing, reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { changing, creating, deleting } from '../../../http/openapi/documentation/writes.ts';
import { page } from '../../../http/schemas/lists.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import type { SetReviewStep } from '../commands/review.ts';

/** Sets are for those who may see every proposal. */
const right: Right = { of: 'endpoint', may: mayAssignAuthors };

const about = { group: 'Proposals', right } as const;
const answer = Type.Ref('ChangeSet');
const STEP_ERRORS = ['rest_set_not_found', 'rest_set_closed'] as const;

const JUDGE_ERRORS: readonly ErrorCode[] = [...STEP_ERRORS, 'rest_set_empty', 'rest_own_set'];

const REVIEW_ERRORS: { readonly [Step in SetReviewStep]: readonly ErrorCode[] } = {
  approve: [...JUDGE_ERRORS, 'rest_own_proposal', 'rest_set_already_approved'],
  request_changes: JUDGE_ERRORS,
  comment: ['rest_set_not_found'],
};

const reviewing = (step: SetReviewStep): Documentation =>
  changing({
    ...about,
    summary: `set.${step}`,
    ...(step === 'approve' && { description: 'set.approve_description' as const }),
    answer,
    errors: REVIEW_ERRORS[step],
    example: { text: 'Checked with the venues' },
  });

export const CHANGE_SET_DOCUMENTATION = {
  list: listing({
    ...about,
    summary: 'set.list',
    answer: page('sets', 'set.page', answer),
    errors: ['rest_forbidden'],
  }),
  read: reading({ ...about, summary: 'set.read', answer, errors: ['rest_forbidden', 'rest_set_not_found'] }),
  open: creating({
    ...about,
    summary: 'set.open',
    answer,
    errors: ['rest_proposal_not_found'],
    example: { name: 'Spring programme' },
  }),
  change: changing({
    ...about,
    summary: 'set.change',
    answer,
    errors: [...STEP_ERRORS, 'rest_proposal_not_found', 'rest_set_unfit'],
    example: { name: 'Spring programme' },
  }),
  collect: changing({
    ...about,
    summary: 'set.collect',
    answer,
    errors: [...STEP_ERRORS, 'rest_proposal_not_found', 'rest_set_unfit'],
    example: { proposals: '1' },
  }),
  apply: changing({
    ...about,
    summary: 'set.apply',
    answer,
    errors: [...STEP_ERRORS, 'rest_set_empty', 'rest_set_unfit'],
    example: { dry_run: true },
  }),
  review: {
    approve: reviewing('approve'),
    request_changes: reviewing('request_changes'),
    comment: reviewing('comment'),
  },
  schedule: changing({
    ...about,
    summary: 'set.schedule',
    answer,
    errors: [...STEP_ERRORS, 'rest_set_empty', 'rest_set_unfit'],
    example: { at: '2099-03-01T06:00:00Z' },
  }),
  unschedule: deleting({ ...about, summary: 'set.unschedule', answer, errors: STEP_ERRORS }),
  withdraw: deleting({ ...about, summary: 'set.withdraw', answer, errors: STEP_ERRORS }),
} as const;
