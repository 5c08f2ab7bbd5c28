// The parameters of reverts.
import type { ThingKind } from '../../queries/history/resource.ts';
import type { ParameterTable } from '../route.ts';
import { anyId, integer, required } from './primitives.ts';

/** What is wrong with the revision is said in words of its own, by the handler; so is what the id names. */
export const revert = (what: ThingKind): ParameterTable => ({
  id: anyId(what),
  revision: required(integer('revert.revision', () => true)),
});
