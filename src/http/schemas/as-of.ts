// The parameters by which things are read as they were.

import type { ValidationContext, Validator } from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { integer, text } from './primitives.ts';

/** What is wrong with these two is said in words of their own, by the handler. */
const anyValue = (): true => true;

const instant = (what: string): Parameter =>
  text(`${what} at this instant, in the zone of the site unless the value says its own.`, anyValue, {
    format: 'date-time',
    alsoTakes: ['number'],
  });

/** For lists. */
export const asOf: Parameter = instant('What the public calendar showed');

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
  as_of: instant('The state'),
  revision: integer('The state at this revision, from 0. For those who may read the history.', anyValue),
};
