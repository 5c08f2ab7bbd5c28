// Whether an event is in a list, condition by condition, and where in it.
import type { EventDocument } from '../../read-model/documents.ts';
import type { EventQuery } from '../../read-model/queries.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
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
  readModel: Pick<ReadModel, 'findEvents'>,
  query: EventQuery,
  event: Pick<EventDocument, 'id' | 'startsAt'>,
  telling: Telling,
): Promise<Verdicts> {
  const totalOf = async (one: EventQuery): Promise<number> => (await readModel.findEvents(one)).total;
  const verdictOn = async (condition: Condition): Promise<Verdict> => ({
    ...condition,
    passes: (await totalOf(condition.query)) > 0,
  });
  const [all, total] = await Promise.all([
    Promise.all(conditionsOf(query, event.id).map(verdictOn)),
    totalOf({ ...query, page: { offset: 0, limit: 0 } }),
  ]);
  const told = tellable(all, telling);
  if (!all.every((verdict) => verdict.passes)) return { verdicts: told, place: null, total };
  const place = await placeOf(readModel, query, event);
  return { verdicts: query.collapse ? [...told, firstOfSeries(query, place)] : told, place, total };
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

/** More than there are. */
const WITHOUT_END = 2 ** 31;

/** In the order of starts, earlier events are only counted. */
async function placeOf(
  readModel: Pick<ReadModel, 'findEvents'>,
  query: EventQuery,
  { id, startsAt }: Pick<EventDocument, 'id' | 'startsAt'>,
): Promise<number | null> {
  const { bounds, order, collapse } = query;
  // What is before it may not be left out: it decides which date of a series is the first.
  const isByStart = order === 'start' && collapse === undefined;
  const earlier: EventQuery = {
    ...query,
    bounds: { ...bounds, startsBefore: startsAt },
    page: { offset: 0, limit: 0 },
  };
  const sameStart = { ...bounds, startsFrom: startsAt, startsBefore: startsAt + 1 };
  const [before, { items }] = await Promise.all([
    isByStart ? readModel.findEvents(earlier) : { total: 0 },
    readModel.findEvents({
      ...query,
      bounds: isByStart ? sameStart : bounds,
      page: { offset: 0, limit: WITHOUT_END },
    }),
  ]);
  const index = items.indexOf(id);
  return index < 0 ? null : before.total + index + 1;
}
