// Errors on the wire: one envelope for all, and additional members of some codes.
import { CHANGE_SET_STATES } from '../../editorial/change-sets/domain/change-set.ts';
import { memberProblem } from '../../editorial/change-sets/http/change-set-schema.ts';
import { PROPOSAL_STATES } from '../../editorial/proposals/domain/proposal.ts';
import { proposalConflict } from '../../editorial/proposals/http/proposal-schema.ts';
import { lockedOut } from '../../editorial/review-rules/http/review-policy-schema.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { eitherOf, emptyList, instant, integer, listOf, mapOf, object, oneOf, text } from './members.ts';
import { optional } from './primitives.ts';
import Type, { type TObject, type TProperties } from './type.ts';

const why = text('error.why');

const mistyped = object('error.mistyped', {
  code: oneOf('error.mistyped_code', ['rest_invalid_type']),
  message: why,
  data: object('error.mistyped_data', { param: text('error.mistyped_param') }),
});

const conflict = object('error.conflict', {
  field: text('error.conflict_field'),
  ...optional({
    thing: object('error.conflict_resource', {
      kind: text('resource.kind'),
      id: integer('resource.id'),
    }),
    slug: text('error.conflict_slug'),
  }),
  why: oneOf('error.conflict_why', ['taken', 'in_trash', 'deleted', 'gone', 'circle']),
});

interface Extras {
  /** Members of `data` besides `status`. */
  readonly data?: TProperties;
  /** Members besides `code`, `message` and `data`. */
  readonly extra?: TProperties;
}

const EXTRAS: { readonly [code in ErrorCode]?: Extras } = {
  rest_missing_callback_param: { data: { params: listOf(text('route.arg'), 'error.missing_params') } },
  rest_invalid_param: {
    data: {
      params: mapOf(why, 'error.params'),
      details: eitherOf('error.details', [emptyList('error.no_details'), mapOf(mistyped, 'route.args_by_name')]),
    },
  },
  rest_invalid_json: {
    data: { json_error_code: integer('error.json_error_code'), json_error_message: text('error.json_error_message') },
  },
  term_exists: {
    data: { term_id: integer('error.term_id') },
    extra: { additional_data: listOf(integer('error.term_id'), 'error.term_id_twice') },
  },
  rest_revision_not_found: {
    data: { revision: integer('error.revision'), last_revision: integer('error.last_revision') },
  },
  rest_user_exists: { data: { params: listOf(text('route.arg'), 'error.taken_params') } },
  rest_revert_conflict: { data: { conflicts: listOf(conflict, 'error.conflicts') } },
  rest_proposal_closed: { data: { state: oneOf('shown_proposal.state', [...PROPOSAL_STATES]) } },
  rest_set_closed: { data: { state: oneOf('shown_proposal.state', [...CHANGE_SET_STATES]) } },
  rest_set_unfit: { data: { problems: listOf(memberProblem, 'shown_set.problems') } },
  rest_proposal_conflict: {
    data: { conflicts: listOf(proposalConflict, 'shown_proposal.conflicts') },
  },
  rest_moved_permanently: {
    data: { merged_into: integer('error.merged_into') },
    extra: { merged_into: integer('error.merged_into') },
  },
  rest_series_joined: { data: { series: integer('error.joined_series'), revision: integer('error.joined_revision') } },
  rest_merged: { data: { merged_into: integer('error.merged_into') } },
  rest_cannot_merge: {
    data: {
      why: oneOf('error.merge_why', ['itself', 'below', 'in_trash', 'merged']),
      id: integer('error.merge_id'),
    },
  },
  rest_parked: { data: { position: text('error.position') } },
  rest_policy_locks_out: { data: lockedOut },
  rest_not_there_then: {
    data: {
      as_of: instant('error.as_of'),
      ...optional({ since: instant('error.since') }),
    },
  },
};

/** The body of answers with this code, under one of these statuses. */
export function errorSchema(code: ErrorCode, statuses: readonly number[]): TObject {
  const { data = {}, extra = {} } = EXTRAS[code] ?? {};
  return object('error', {
    code: oneOf('error.code', [code]),
    message: text('error.message'),
    data: object('error.data', {
      status: Type.Integer({ description: 'error.status', enum: [...statuses] }),
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
