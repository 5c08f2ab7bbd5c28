// Which series have the dates of a series that was split, as its facts say.

import { accepted, type Decision } from '../../../domain/decider.ts';
import type { WallClock } from '../../../kernel/time/zone.ts';
import type { Recurrence, SeriesFact } from './facts.ts';

/** Ids of the series that hold dates which were split off from this one, in the order in which they got them. */
export function successorsOf(facts: readonly SeriesFact[]): readonly number[] {
  const parent = parentIn(facts);
  const successors = new Set<number>();
  for (const { type, data } of facts) {
    if (type === 'SeriesSplit' && data.into !== parent) successors.add(data.into);
    if (type === 'DatesTakenBack') successors.delete(data.of);
  }
  return [...successors];
}

/** The id of the series that this one was split from and that has all its dates again; null: it has its own. */
export function joinedTo(facts: readonly SeriesFact[]): number | null {
  const parent = parentIn(facts);
  let isJoined = false;
  for (const { type, data } of facts) {
    if (type === 'SeriesSplit' && data.into === parent) isJoined = true;
    if (type === 'DatesTakenBack' && data.of === parent) isJoined = false;
  }
  return isJoined ? parent : null;
}

/** How often a series has got dates of another one: what that one has left to it less often has not arrived. */
export const arrivalsFrom = (facts: readonly SeriesFact[], other: number): number =>
  facts.filter(
    ({ type, data }) =>
      (type === 'SeriesOpened' && data.splitFrom === other) || (type === 'DatesTakenBack' && data.of === other),
  ).length;

/** Leaves dates to a series that exists. `rest`: what this one repeats by without them, and from where they go. */
export const leaveTo = (
  into: number,
  { from, rules, added }: Pick<Recurrence, 'from' | 'rules' | 'added'>,
  leave: readonly WallClock[],
): Decision<SeriesFact> => accepted([{ type: 'SeriesSplit', data: { from, into, rules, added, leave } }]);

const parentIn = (facts: readonly SeriesFact[]): number | null =>
  facts.find((fact) => fact.type === 'SeriesOpened')?.data.splitFrom ?? null;
