// The parameters by which things are read as they were.
import type { DescriptionKey } from '../../locales/language.ts';
import type { Check, PlainCheck } from './keywords.ts';
import { integer, optional, text } from './primitives.ts';

/** What is wrong with these two is said in words of their own, by the handler. */
const instant = (description: DescriptionKey) =>
  text(description, 'anything', { format: 'date-time', alsoTakes: ['number'] });

/** For lists. */
export const asOf = instant('list.as_of');

/**
 * What lists filter by must exist; what is asked of the past need not exist any more, or not by this name: there it is
 * enough that the value has the form.
 */
export const existing = (today: PlainCheck, form: PlainCheck): Check => ['existing', today, form];

/** For single reads; at most one of them. */
export const oldState = optional({
  as_of: instant('old_state.as_of'),
  revision: integer('old_state.revision', 'anything'),
});
