// A record that repeats now, or does not any more, and a series that begins on another day: what it was here before goes into
// the trash, and comes out of it once the record is that again.

import { trashCalendarEvent } from '../../commands/events.ts';
import { loadEvent } from '../../commands/references.ts';
import { revertCalendarEvent } from '../../commands/reverts/revert.ts';
import { trashRepeatingEvent } from '../../commands/series/change.ts';
import { revertSeries } from '../../commands/series/revert.ts';
import { type CalendarEvent, evolveEvent } from '../../domain/calendar-event.ts';
import type { Series, SeriesFact } from '../../domain/series/facts.ts';
import { evolveSeries } from '../../domain/series/occurrences.ts';
import { fold } from '../../event-store/envelope.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../event-store/occurrences.ts';
import { slugFrom } from '../../text/slug.ts';
import type { Origin, PlannedEvent } from '../import-plan.ts';
import { startOf } from '../sources/compare.ts';
import { contextOf, importReason, type Present, presentOf, refuse, type Writing } from './writing.ts';

/** By it such removals are known: what editors have put into the trash stays there. */
const REPLACED = 'replaced by what was ';

export async function loadSeries({ commands: { store } }: Writing, id: number): Promise<Series | null> {
  return fold<Series, SeriesFact>(await store.readStream(`${SERIES_PREFIX}${id}`), evolveSeries);
}

/** The event that an earlier run has made of the record; null if there is none. */
export const presentEvent = (
  writing: Writing,
  { origin, input: { title = '', times } }: PlannedEvent,
): Promise<Present<CalendarEvent> | null> =>
  presentOf(writing, origin, evolveEvent, {
    origin,
    likeness(event) {
      const hasTitle = slugFrom(event.title) === slugFrom(title);
      const hasStart = event.schedule.startsAt === startOf(times, writing.commands.siteZone);
      if (hasTitle && hasStart) return 'full';
      return hasTitle || hasStart ? 'some' : 'none';
    },
  });

/** Takes away what the record was as long as it repeated, or as long as it did not. */
export async function replaceOtherKinds(writing: Writing, planned: PlannedEvent): Promise<void> {
  const { instead = [], origin } = planned;
  for (const key of instead) {
    const present = await presentEvent(writing, { ...planned, origin: { ...origin, key } });
    if (!present) continue;
    const { series } = present.state;
    const isGone = series ? (await loadSeries(writing, series.id))?.inTrash : present.state.status === 'trash';
    if (isGone || !(await putAway(writing, origin, present.id))) continue;
    const text = series
      ? 'it does not repeat here any more: the dates of its series are in the trash'
      : 'it repeats now: the single event of before is in the trash';
    writing.summary.note('event', origin, text);
  }
}

/** Whether it is in the trash now, with all its dates. */
export async function putAway(writing: Writing, origin: Origin, id: number): Promise<boolean> {
  const { commands } = writing;
  const context = {
    ...contextOf(writing, origin),
    ...{ idempotencyKey: undefined, reason: `${REPLACED}${importReason(origin)}` },
  };
  const repeats = (await loadEvent(commands.store, id))?.series !== undefined;
  const result = await (repeats
    ? trashRepeatingEvent(commands, context, id, 'all')
    : trashCalendarEvent(commands, context, id));
  if (result.kind === 'rejected') refuse(writing, 'event', origin, result.rejection);
  return result.kind === 'written';
}

/** Brings an event back, or a series, if that was what a removal for such a reason was the last to do. */
export async function bringOut(writing: Writing, origin: Origin, id: number, reason = REPLACED): Promise<boolean> {
  const { commands } = writing;
  const context = { ...contextOf(writing, origin), idempotencyKey: undefined };
  const series = (await loadEvent(commands.store, id))?.series;
  const stream = series ? `${SERIES_PREFIX}${series.id}` : `${EVENT_PREFIX}${id}`;
  const last = (await commands.store.readStream(stream)).at(-1);
  if (!last?.metadata.reason?.startsWith(reason)) return false;
  if (last.type === 'EventTrashed') await revertCalendarEvent(commands, context, id, last.revision - 1);
  if (last.type === 'SeriesTrashed' && series) await revertSeries(commands, context, series.id, last.revision - 1);
  return true;
}
