// What a source holds, put together from the portions in which its thread sends it.
import { EMPTY_PLAN, type ImportPlan, joined, type PlannedEvent, type Reading } from '../import-plan.ts';
import type { ImportSummary } from '../import-summary.ts';
import type { DateOfSeries, ReadEnd, ReadPortion } from './reading-worker.ts';

/** Refusals and notes go to the summary. */
export async function collectPortions(
  portions: AsyncGenerator<ReadPortion, ReadEnd>,
  summary: ImportSummary,
): Promise<{ readonly plan: ImportPlan; readonly end: ReadEnd }> {
  const parts: Reading[] = [];
  for (;;) {
    const next = await portions.next();
    if (next.done) return { plan: joined(parts).plan, end: next.value };
    const { plan, dates = [], refused = [], notes = [], mergers = [] } = next.value;
    if (dates.length > 0) addDates(parts.at(-1)?.plan.events.at(-1), dates);
    else parts.push({ plan: { ...EMPTY_PLAN, ...plan }, faults: [] });
    for (const fault of refused) summary.refuse(fault);
    for (const merger of mergers) summary.merge(merger);
    for (const { kind, name, place, reason } of notes)
      summary.note(kind, { key: JSON.stringify(place), name, place }, reason);
  }
}

function addDates(of: PlannedEvent | undefined, dates: readonly DateOfSeries[]): void {
  if (!of?.series) return;
  // Lists that were made of a portion, and are in no other hands yet.
  const singles = of.series.singles as PlannedEvent[];
  const overrides = of.series.overrides as (readonly [string, PlannedEvent])[];
  const { description = '' } = of.input;
  for (const { event, date, isDescribed } of dates) {
    const whole = isDescribed ? { ...event, input: { ...event.input, description } } : event;
    singles.push(whole);
    if (date !== undefined) overrides.push([date, whole]);
  }
}
