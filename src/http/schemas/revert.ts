// The parameters of reverts.
import type { ParameterTable } from '../route.ts';
import { anyId, integer, required } from './primitives.ts';

/** What is wrong with the revision is said in words of its own, by the handler; so is what the id names. */
export const revert = (what: string): ParameterTable => ({
  id: anyId(what),
  revision: required(integer('The revision to look as at again, from 0.', () => true)),
});
