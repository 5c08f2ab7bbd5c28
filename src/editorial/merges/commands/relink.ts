// Links events to another resource. Dates of a series are linked by one fact of the series: they stay its dates, and those
// to come are linked alike.
import { setImmediate as endOfRound } from 'node:timers/promises';
import { type CalendarEvent, type EventFact, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { loadSeries, streamOfSeries } from '../../series/commands/record.ts';

/** How many events are decided before other requests have their turn. */
const PORTION = 10;

/** What links an event; `stream` is null for what the dates of a series have in common. */
type LinkFacts = (event: CalendarEvent, stream: string | null) => readonly EventFact[] | Promise<readonly EventFact[]>;

/** Plans what links these events, and the series of those that are dates; returns the ids of those that change. */
export async function relink(unit: UnitOfWork, ids: readonly number[], facts: LinkFacts): Promise<number[]> {
  const relinked: number[] = [];
  const detached = new Map<number, ReadonlySet<number>>();
  const linked = new Set<number>();
  for (const [index, id] of ids.entries()) {
    if (index % PORTION === PORTION - 1) await endOfRound();
    const stream = streamOf('event', id);
    const { state: event } = await unit.load(stream, evolveEvent);
    if (!event) continue;
    const own = await facts(event, stream);
    const series = event.series?.id;
    if (series !== undefined && !detached.has(series)) detached.set(series, await detachedFrom(unit, series));
    if (own.length === 0) continue;
    relinked.push(id);
    if (series === undefined || detached.get(series)?.has(id)) await unit.record(stream, own);
    else if (!linked.has(series)) {
      linked.add(series);
      await recordInSeries(unit, series, own);
    }
  }
  for (const id of detached.keys()) if (!linked.has(id)) await relinkTemplate(unit, id, facts);
  return relinked;
}

/** Ids of the dates of a series that have a stream of their own. */
async function detachedFrom(unit: UnitOfWork, id: number): Promise<ReadonlySet<number>> {
  const dates = (await loadSeries(unit.store, id))?.dates.values() ?? [];
  return new Set([...dates].flatMap((date) => (date.isDetached ? [date.id] : [])));
}

/** All dates that it has may have been changed apart; others are to come. */
async function relinkTemplate(unit: UnitOfWork, id: number, facts: LinkFacts): Promise<void> {
  const series = await loadSeries(unit.store, id);
  if (series) await recordInSeries(unit, id, await facts(series.template, null));
}

async function recordInSeries(unit: UnitOfWork, id: number, facts: readonly EventFact[]): Promise<void> {
  if (facts.length > 0) await unit.record(streamOfSeries(id), [{ type: 'SeriesContentChanged', data: { facts } }]);
}
