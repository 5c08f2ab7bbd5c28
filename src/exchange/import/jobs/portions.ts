// What a source holds, put together from the portions in which its thread sends it.
import type { ImportPlan } from '../import-plan.ts';
import type { ImportSummary } from '../import-summary.ts';
import type { ReadEnd, ReadPortion } from './reading-worker.ts';

type Lists = { -readonly [Name in keyof ImportPlan]: ImportPlan[Name][number][] };

/** Refusals and notes go to the summary. */
export async function collectPortions(
  portions: AsyncGenerator<ReadPortion, ReadEnd>,
  summary: ImportSummary,
): Promise<{ readonly plan: ImportPlan; readonly end: ReadEnd }> {
  const plan: Lists = { terms: [], venues: [], organizers: [], events: [] };
  for (;;) {
    const next = await portions.next();
    if (next.done) return { plan, end: next.value };
    const { plan: part = {}, refused = [], notes = [], mergers = [] } = next.value;
    plan.terms.push(...(part.terms ?? []));
    plan.venues.push(...(part.venues ?? []));
    plan.organizers.push(...(part.organizers ?? []));
    plan.events.push(...(part.events ?? []));
    for (const fault of refused) summary.refuse(fault);
    for (const merger of mergers) summary.merge(merger);
    for (const { kind, name, place, reason } of notes)
      if (kind !== 'record' && kind !== 'source')
        summary.note(kind, { source: '', key: JSON.stringify(place), name, place }, reason);
  }
}
