// Why a command may not be carried out. Values, not exceptions; src/http/errors.ts says what each is on the wire.
import type { RevertConflict } from './revert.ts';

/** `parameter` names the field at fault, as clients call it; `details` are members that the answer's `data` shows. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly parameter?: string;
  readonly details?: { readonly [key: string]: string | number | readonly string[] };
  /** Only with `revert_conflict`: every conflict. */
  readonly conflicts?: readonly RevertConflict[];
}

export type RejectionCode =
  | 'invalid_parameter'
  | 'forbidden'
  | 'precondition_failed'
  | 'event_not_found'
  | 'not_an_event'
  | 'event_in_trash'
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
  | 'busy';

export const invalidParameter = (parameter: string): Rejection => ({ code: 'invalid_parameter', parameter });
