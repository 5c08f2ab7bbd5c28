// Why a command was rejected. Values, not exceptions; src/http/errors.ts maps them to the wire.

/** `parameter` is the wire name of the invalid field; `details` are shown in the answer's `data`. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly parameter?: string;
  readonly details?: { readonly [key: string]: string | number | readonly string[] };
  /** Only with `revert_conflict`: all conflicts. */
  readonly conflicts?: readonly RevertConflict[];
  /** Only with `proposal_conflict`: every field that others have changed since. */
  readonly fields?: readonly ProposalConflict[];
  /** Only with `set_unfit`: every proposal that stands in the way. */
  readonly problems?: readonly MemberProblem[];
}

export type RejectionCode =
  | 'invalid_parameter'
  | 'forbidden'
  | 'precondition_failed'
  | 'event_not_found'
  | 'not_an_event'
  | 'event_in_trash'
  | 'notice_unpublished'
  | 'notice_required'
  | 'venue_in_trash'
  | 'organizer_in_trash'
  | 'organizer_erased'
  | 'could_not_create_venue'
  | 'could_not_create_organizer'
  | 'term_exists'
  | 'term_slug_taken'
  | 'tags_have_no_parent'
  | 'revision_not_found'
  | 'revert_conflict'
  | 'nothing_proposed'
  | 'password_not_proposed'
  | 'organizer_not_proposed'
  | 'own_proposal'
  | 'proposal_closed'
  | 'proposal_conflict'
  | 'proposal_not_found'
  | 'already_approved'
  | 'review_required'
  | 'bypass_refused'
  | 'policy_locks_out'
  | 'zone_settled'
  /** What a merge names as the one that stays. */
  | 'merge_into_unknown'
  | 'target_in_trash'
  | 'merged'
  | 'cannot_merge'
  | 'picture_not_found'
  | 'series_not_found'
  | 'series_joined'
  | 'picture_in_use'
  | 'set_not_found'
  | 'set_closed'
  | 'set_empty'
  | 'set_unfit'
  | 'own_set'
  | 'set_already_approved'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'too_many_webhooks'
  | 'guest_link_not_found'
  | 'source_not_found'
  | 'too_many_sources'
  | 'source_needs_review'
  | 'source_polling'
  | 'user_not_found'
  | 'credential_not_found'
  /** Another user signs in by this login, or by this e-mail address. */
  | 'login_taken'
  | 'email_taken'
  /** The id that a new user was to have. */
  | 'id_taken'
  /** Too short or too long. */
  | 'password_length'
  | 'last_administrator'
  /** A fault of ours, where what has begun must end all the same. */
  | 'not_decided'
  | 'busy';

/** A member that cannot be carried out, and why. */
export interface MemberProblem {
  readonly proposal: number;
  readonly code: RejectionCode;
  /** The fields in which a conflict lies. */
  readonly fields: readonly string[];
}

/** A field that was changed by the wish and, since its base, by others, to different values. */
export interface ProposalConflict {
  readonly field: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** What prevents a revert; src/locales/conflicts.ts has the texts. */
export interface RevertConflict {
  /** The wire name of the field that cannot be restored. */
  readonly field: string;
  /** The subject: the owner of the slug, or the missing resource. Absent if unknown. */
  readonly thing?: { readonly kind: string; readonly id: number };
  /** Only with `taken`. */
  readonly slug?: string;
  readonly why: ConflictReason;
}

type ConflictReason = 'taken' | 'in_trash' | 'deleted' | 'gone' | 'circle';

export const invalidParameter = (parameter: string): Rejection => ({ code: 'invalid_parameter', parameter });
