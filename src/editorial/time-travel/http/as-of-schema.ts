// The parameters of time travel.

import type { Check, PlainCheck } from '../../../http/schemas/keywords.ts';
import { integer, optional, text } from '../../../http/schemas/primitives.ts';
import type { DescriptionKey } from '../../../locales/language.ts';

/** The handler reports errors of these two in its own words. */
const instant = (description: DescriptionKey) =>
  text(description, 'anything', { format: 'date-time', alsoTakes: ['number'] });

/** For lists. */
export const asOf = instant('list.as_of');

/** For feeds, which show no past. */
export const aheadInstant = instant('old_state.as_of_ahead');

/** What counts as carried out although it is not scheduled. */
export const withProposals = text('old_state.with', 'anything');

/**
 * Filters of lists must name existing resources; those of the past need not exist any more, or not by this name: there
 * a valid form is enough.
 */
export const existing = (today: PlainCheck, form: PlainCheck): Check => ['existing', today, form];

/** For single reads; at most one of them. */
export const oldState = optional({
  as_of: instant('old_state.as_of'),
  with: withProposals,
  revision: integer('old_state.revision', 'anything'),
  proposal: integer('old_state.proposal', 'positiveInt'),
});
