// Loading series, and recording what is decided about them, within a unit of work.

import type { CommandDependencies } from '../../../commands/context.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, evolveAll, type Rejected, rejected } from '../../../domain/decider.ts';
import { fold, instantOf } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import type { Series, SeriesFact } from '../domain/facts.ts';
import { evolveSeries } from '../domain/occurrences.ts';
import { changeDates, type DateChange, planChange, rulesRejection } from '../domain/series.ts';
import { SERIES_PREFIX } from '../facts/occurrences.ts';
import { dayOf, nameDates } from './naming.ts';

export const streamOfSeries = (id: number): string => `${SERIES_PREFIX}${id}`;

export const loadSeries = async (store: StreamReader, id: number): Promise<Series | null> =>
  fold(await store.readStream(streamOfSeries(id)), evolveSeries);

/** Records a decision about a series; the series after it. */
export async function recorded(
  unit: UnitOfWork,
  series: Series | null,
  id: number,
  decision: Decision<SeriesFact>,
  turn: Parameters<UnitOfWork['record']>[2] = 'in turn',
): Promise<Series | Rejected> {
  if (decision.kind === 'rejected') return decision;
  await unit.record(streamOfSeries(id), decision.facts, turn);
  const after = evolveAll(evolveSeries, series, decision.facts, instantOf(unit));
  if (!after) throw new Error(`series ${id} has no beginning`);
  return after;
}

/** The series after a change of its dates. */
export async function redated(
  unit: UnitOfWork,
  dependencies: Pick<CommandDependencies, 'postIds'>,
  series: Series,
  change: DateChange,
  turn: Parameters<UnitOfWork['record']>[2] = 'in turn',
): Promise<Series | Rejected> {
  const plan = planChange(series, change);
  if ('fault' in plan) return rejected(rulesRejection(plan.detail));
  const days = new Set([...series.dates.keys(), ...series.left].map(dayOf));
  const fresh = { ...plan, come: plan.come.filter(({ wallClock }) => !series.dates.has(wallClock)) };
  const naming = await nameDates(unit, dependencies, { id: series.id, slug: series.template.slug, days }, fresh);
  return recorded(unit, series, series.id, changeDates(series, change, naming), turn);
}
