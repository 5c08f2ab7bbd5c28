// A series that goes on as another one: the dates from one on are taken over with their ids.
//
// The end of the one is written before the beginning of the other. Where these are two appends, a writer may die between
// them; until the split is completed the dates stay as they are.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, type StepDependencies } from '../../../commands/handle-command.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import type { WallClock } from '../../../kernel/time/zone.ts';
import { factOf, fold, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { systemActor } from '../../../log/writing.ts';
import type { Series, SeriesFact } from '../domain/facts.ts';
import { draftedAgain, evolveSeries, joining, scheduleOf } from '../domain/occurrences.ts';
import { continuationOf, openSeries, planOpening, rulesRejection, splitSeries } from '../domain/series.ts';
import { arrivalsFrom } from '../domain/split-off.ts';
import { EVENT_PREFIX } from '../facts/occurrences.ts';
import { dayOf, nameDates, seriesSlug } from './naming.ts';
import { recorded, streamOfSeries } from './record.ts';

/** Ends the series before a date, and opens the one that goes on from there. */
export async function splitAt(
  unit: UnitOfWork,
  dependencies: Pick<CommandDependencies, 'postIds'>,
  series: Series,
  from: WallClock,
): Promise<Series | Rejected> {
  const into = await unit.nextId(dependencies.postIds, 'series');
  const before = await recorded(unit, series, series.id, splitSeries(series, from, into));
  return 'rejection' in before ? before : goOn(unit, dependencies, series, from, into);
}

/** Opens the series that goes on from a date; `series` is as it was before it ended there. */
async function goOn(
  unit: UnitOfWork,
  dependencies: Pick<CommandDependencies, 'postIds'>,
  series: Series,
  from: WallClock,
  into: number,
): Promise<Series | Rejected> {
  const opening = continuationOf(series, from, into);
  const moved = [...series.dates.values()].filter(({ wallClock }) => wallClock >= from);
  const plan = planOpening(opening, moved);
  if ('fault' in plan) return rejected(rulesRejection(plan.detail));
  const slug = await seriesSlug(unit, into, { base: series.template.slug, origin: 'derived' });
  const fresh = { ...plan, come: plan.come.filter(({ wallClock }) => !series.dates.has(wallClock)) };
  const days = new Set(moved.map(({ wallClock }) => dayOf(wallClock)));
  const naming = await nameDates(unit, dependencies, { id: into, slug, days }, fresh);
  const [first] = moved.toSorted((one, other) => one.startsAt - other.startsAt);
  const schedule = first ? scheduleOf(series, first) : series.template.schedule;
  const drafted = draftedAgain(series.template, { id: into, slug, schedule });
  const after = await recorded(unit, null, into, openSeries(opening, drafted, naming, moved));
  if ('rejection' in after) return after;
  for (const date of after.dates.values())
    if (date.isDetached) await unit.record(`${EVENT_PREFIX}${date.id}`, joining(after, date));
  return after;
}

const ABANDONED_SECONDS = 60;
const COMPLETER = systemActor('completer');

/** Completes every split of a series whose writer died before the other one had the dates. Rejects like the store. */
export async function completeSplits(
  dependencies: StepDependencies & Pick<CommandDependencies, 'postIds'>,
  { now, correlationId }: Pick<CommandContext, 'now' | 'correlationId'>,
  id: number,
): Promise<number> {
  const context = { caller: null, actor: COMPLETER, now, correlationId };
  const events = await dependencies.store.readStream(streamOfSeries(id));
  let completed = 0;
  const splits = new Map<number, number>();
  for (const event of events) {
    const fact = factOf<SeriesFact>(event);
    if (fact.type !== 'SeriesSplit') continue;
    const { from, into } = fact.data;
    const split = (splits.get(into) ?? 0) + 1;
    splits.set(into, split);
    // Younger ones may still be written.
    if (now - instantOf(event) < ABANDONED_SECONDS) continue;
    const stream = streamOfSeries(into);
    const series = before(events, event);
    const known = (await dependencies.store.readStream(stream)).length - 1;
    const result = await handleCommand(dependencies, context, [stream], async (unit) => {
      const { state } = await unit.load(stream, evolveSeries);
      const after = state
        ? await takeDates(unit, series, state, { leave: fact.data.leave, split })
        : await goOn(unit, dependencies, series, from, into);
      if ('rejection' in after) return after;
      return { kind: 'planned', id: into, stream, evolve: evolveSeries, created: true };
    });
    if (result.kind === 'written' && result.written.revision > known) completed += 1;
  }
  return completed;
}

/** Takes dates over that another series has left to it; `split`: for the how-manieth time, unless they have arrived. */
async function takeDates(
  unit: UnitOfWork,
  other: Series,
  series: Series,
  { leave, split }: { readonly leave: readonly WallClock[]; readonly split: number },
): Promise<Series | Rejected> {
  const facts = (await unit.store.readStream(streamOfSeries(series.id))).map((event) => factOf<SeriesFact>(event));
  if (arrivalsFrom(facts, other.id) >= split) return series;
  const dates = leave.flatMap((wallClock) => other.dates.get(wallClock) ?? []);
  const back: SeriesFact = { type: 'DatesTakenBack', data: { of: other.id, taken: dates } };
  return recorded(unit, series, series.id, { kind: 'accepted', facts: [back] });
}

/** The series as it was before one of its facts. */
function before(events: readonly RecordedEvent[], { revision }: RecordedEvent): Series {
  const earlier = events.filter((event) => event.revision < revision);
  const series = fold(earlier, evolveSeries);
  if (!series) throw new Error('a series has no beginning');
  return series;
}
