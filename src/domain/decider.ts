// The shape of every resource's write side: state, decision, change.

import type { EpochSeconds } from '../kernel/time/zone.ts';
import type { Rejection, RejectionCode } from './rejections.ts';

/** A domain event as deciders see it: without actor, stream and position. */
export interface Fact<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** The result of a decision: the facts that follow (none if the command changes nothing), or the rejection. */
export type Decision<F extends Fact> = { readonly kind: 'accepted'; readonly facts: readonly F[] } | Rejected;

export interface Rejected {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
}

/** The state after a fact. `at` is the instant at which it was recorded. */
export type Evolve<State, F extends Fact> = (state: State | null, fact: F, at: EpochSeconds) => State | null;

export const accepted = <F extends Fact>(facts: readonly F[]): Decision<F> => ({ kind: 'accepted', facts });

/** Of most rejections the code says everything. */
export const rejected = (why: Rejection | RejectionCode): Rejected => ({
  kind: 'rejected',
  rejection: typeof why === 'string' ? { code: why } : why,
});

/** Folds facts onto a state, all recorded at one instant. */
export function evolveAll<State, F extends Fact>(
  evolve: Evolve<State, F>,
  state: State | null,
  facts: readonly F[],
  at: EpochSeconds,
): State | null {
  return facts.reduce<State | null>((current, fact) => evolve(current, fact, at), state);
}

/** A fact that this version does not know, or whose stream has no beginning: folding stops instead of guessing. */
export class UnexpectedFact extends Error {
  override readonly name = 'UnexpectedFact';

  constructor({ type }: Pick<Fact, 'type'>) {
    super(`cannot apply an event of type ${type}: the type is unknown, or its stream has no beginning`);
  }
}
