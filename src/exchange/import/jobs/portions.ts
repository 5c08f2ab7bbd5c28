// What a source holds, put together from the portions in which its thread sends it.
import { EMPTY_PLAN, type ImportPlan, joined, type Reading } from '../import-plan.ts';
import type { ImportSummary } from '../import-summary.ts';
import type { ReadEnd, ReadPortion } from './reading-worker.ts';

/** Refusals and notes go to the summary. */
export async function collectPortions(
  portions: AsyncGenerator<ReadPortion, ReadEnd>,
  summary: ImportSummary,
): Promise<{ readonly plan: ImportPlan; readonly end: ReadEnd }> {
  const parts: Reading[] = [];
  for (;;) {
    const next = await portions.next();
    if (next.done) return { plan: joined(parts).plan, end: next.value };
    const { plan, refused = [], notes = [], mergers = [] } = next.value;
    parts.push({ plan: { ...EMPTY_PLAN, ...plan }, faults: [] });
    for (const fault of refused) summary.refuse(fault);
    for (const merger of mergers) summary.merge(merger);
    for (const { kind, name, place, reason } of notes)
      summary.note(kind, { key: JSON.stringify(place), name, place }, reason);
  }
}
