// Whether an event is in a list, condition by condition, and where in it.
import type { EventDocument } from '../../../read-model/documents.ts';
import type { EventQuery } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { type Condition, conditionsOf, isBehindMask } from './conditions.ts';

export interface Verdict extends Condition {
  readonly passes: boolean;
}

export interface Verdicts {
  readonly verdicts: readonly Verdict[];
  /** From 1, among all that the list has; null when the event is not in it. */
  readonly place: number | null;
  /** How many events the list has. */
  readonly total: number;
}

/** `public as of`: if the status fails, the event was not public then, and nothing else is revealed. */
export type Telling = 'all' | 'public as of';

/** What the list of a query does with an event. Conditions that are not for this reader to know are left out. */
export async function verdictsOn(
  readModel: Pick<ReadModel, 'explainEvent'>,
  query: EventQuery,
  { id }: Pick<EventDocument, 'id'>,
  telling: Telling,
): Promise<Verdicts> {
  const conditions = conditionsOf(query, id);
  const { place, total, met } = await readModel.explainEvent(
    query,
    id,
    conditions.map((condition) => condition.query),
  );
  const all = conditions.map((condition, index): Verdict => ({ ...condition, passes: met[index] === true }));
  const told = tellable(all, telling);
  const isAskedFirst = query.collapse && all.every(({ passes }) => passes);
  return { verdicts: isAskedFirst ? [...told, firstOfSeries(query, place)] : told, place, total };
}

/** It depends on others, so it is only said of an event that meets everything else: then it is listed, or an earlier date is. */
const firstOfSeries = (query: EventQuery, place: number | null): Verdict => ({
  ...{ name: 'collapse', query, passes: place !== null },
});

function tellable(verdicts: readonly Verdict[], telling: Telling): readonly Verdict[] {
  const failed = (name: Condition['name']): Verdict[] =>
    verdicts.filter((verdict) => verdict.name === name && !verdict.passes);
  const closed = telling === 'public as of' ? failed('status') : [];
  if (closed.length > 0) return closed;
  return failed('password').length > 0 ? verdicts.filter((verdict) => !isBehindMask(verdict)) : verdicts;
}
