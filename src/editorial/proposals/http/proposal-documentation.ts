// The documentation of the routes of proposals.
import Type from 'typebox';
import type { Documentation } from '../../../http/openapi/documentation/documentation.ts';
import { POST_EXAMPLES, TERM_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { listing, reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import { changing, creating } from '../../../http/openapi/documentation/writes.ts';
import { page } from '../../../http/schemas/lists.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayProposeNew } from '../../../people/auth/proposal-rights.ts';
import { type ProposalStep, TARGET_KINDS, type TargetKind } from '../domain/proposal.ts';

const EXAMPLES = { ...POST_EXAMPLES, ...TERM_EXAMPLES };

const toPropose = (kind: TargetKind): Right => ({ of: 'endpoint', may: (caller) => mayProposeNew(caller, kind) });

/** Which proposals they may see, and what they may do to them, follows from the resources. */
const toReview: Right = {
  of: 'endpoint',
  may: (caller: Caller) => TARGET_KINDS.some((kind) => mayProposeNew(caller, kind)),
};

const answer = Type.Ref('Proposal');

/** How the command of a kind refuses a wish. */
const WISH_ERRORS: { readonly [Kind in TargetKind]: readonly ErrorCode[] } = {
  event: ['could-not-create-venue', 'could-not-create-organizer'],
  venue: ['could-not-create-venue'],
  organizer: ['could-not-create-organizer', 'organizer-is-erased'],
  category: ['term_exists', 'duplicate_term_slug'],
  tag: ['term_exists', 'duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
};

const PROPOSE_ERRORS = [
  'rest_nothing_proposed',
  'rest_target_in_trash',
  'rest_proposal_not_found',
  'rest_proposal_closed',
] as const;

/** Only an event is looked for by a command: the check of parameters looks for the others. */
const ID_ERRORS = ['rest-event-not-found', 'rest-invalid-event-id'] as const;

/** Of a proposed merge. */
const MERGE_ERRORS = ['rest_merged', 'rest_cannot_merge'] as const;

/** Of a resource as a proposal would make it. */
export const PROPOSED_STATE_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_not_found',
  'rest_proposal_closed',
  'rest_target_in_trash',
];

/** 201 for a new proposal, 200 for a revised one. */
export function proposeDocumentation(kind: TargetKind, what: 'create' | 'change'): Documentation {
  const proposing = {
    group: 'Proposals',
    summary: `proposal.propose_${what}`,
    description: 'proposal.propose',
    right: toPropose(kind),
    answer,
    errors: [
      ...PROPOSE_ERRORS,
      ...WISH_ERRORS[kind],
      ...(what === 'create' ? [] : kind === 'event' ? ID_ERRORS : MERGE_ERRORS),
    ],
    example: EXAMPLES[kind][what],
  } as const;
  const opening = creating(proposing);
  return { ...opening, response: { ...opening.response, ...changing(proposing).response } };
}

const APPROVE_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_conflict',
  'rest_already_approved',
  'rest_target_in_trash',
  ...MERGE_ERRORS,
  ...new Set(TARGET_KINDS.flatMap((kind) => WISH_ERRORS[kind])),
];

const stepping = (step: Exclude<ProposalStep, 'revise'>): Documentation =>
  changing({
    group: 'Proposals',
    summary: `proposal.${step}`,
    right: toReview,
    answer,
    errors: [
      'rest_proposal_not_found',
      ...(step === 'comment' ? [] : (['rest_proposal_closed'] as const)),
      ...(step === 'comment' || step === 'withdraw' ? [] : (['rest_own_proposal'] as const)),
      ...(step === 'approve' ? APPROVE_ERRORS : []),
    ],
    example: { text: 'Checked with the venue' },
  });

export const PROPOSAL_DOCUMENTATION = {
  list: listing({
    group: 'Proposals',
    summary: 'proposal.list',
    right: toReview,
    answer: page('proposals', 'proposal.page', answer),
    errors: ['rest_forbidden', 'rest_proposal_page_not_found'],
  }),
  read: reading({
    group: 'Proposals',
    summary: 'proposal.read',
    right: toReview,
    answer,
    errors: ['rest_forbidden', 'rest_proposal_not_found'],
  }),
  comment: stepping('comment'),
  request_changes: stepping('request_changes'),
  approve: stepping('approve'),
  reject: stepping('reject'),
  withdraw: stepping('withdraw'),
} as const;
