// The parameters by which things are read as they were.

import type { DescriptionKey } from '../../locales/language.ts';
import type { ValidationContext, Validator } from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { integer, text } from './primitives.ts';

/** What is wrong with these two is said in words of their own, by the handler. */
const anyValue = (): true => true;

const instant = (description: DescriptionKey): Parameter =>
  text(description, anyValue, {
    format: 'date-time',
    alsoTakes: ['number'],
  });

/** For lists. */
export const asOf: Parameter = instant('list.as_of');

/**
 * What lists filter by must exist; what is asked of the past need not exist any more, or not by this name: there it is
 * enough that the value has the form.
 */
export const existing = (today: Validator, form: Validator = anyValue): Validator =>
  Object.assign(
    (value: unknown, context: ValidationContext) =>
      context.sent.as_of === undefined ? today(value, context) : form(value, context),
    today.allowed && { allowed: today.allowed },
  );

/** For single reads; at most one of them. */
export const oldState: ParameterTable = {
  as_of: instant('old_state.as_of'),
  revision: integer('old_state.revision', anyValue),
};
