// A record that repeats now, or does not any more, and a series that begins on another day: what it was here before goes into
// the trash, and comes out of it once the record is that again.

import { changeCalendarEvent, trashCalendarEvent } from '../../../calendar/event/commands/events.ts';
import { type CalendarEvent, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { loadEvent } from '../../../calendar/resource/commands/references.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { type Answered, takeOver } from '../../../commands/handle-command.ts';
import { revertCalendarEvent } from '../../../editorial/reverts/commands/revert.ts';
import { trashRepeatingEvent } from '../../../editorial/series/commands/change.ts';
import { revertSeries } from '../../../editorial/series/commands/revert.ts';
import type { Series, SeriesFact } from '../../../editorial/series/domain/facts.ts';
import { evolveSeries } from '../../../editorial/series/domain/occurrences.ts';
import { presentDates } from '../../../editorial/series/domain/series.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../../editorial/series/facts/occurrences.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { fold, type RecordedEvent } from '../../../log/envelope.ts';
import { startOf } from '../../sources/compare.ts';
import type { Origin, PlannedEvent } from '../import-plan.ts';
import {
  answersTo,
  contextOf,
  importReason,
  type Likeness,
  presentOf,
  refuse,
  type Target,
  type Writing,
} from './writing.ts';

/** The removals of sources are known by these reasons: what editors have put into the trash stays there. */
const REPLACED = 'replaced by what was ';
export const GONE = 'no longer at ';

const isRemoval = (last: RecordedEvent | undefined): last is RecordedEvent =>
  [REPLACED, GONE].some((reason) => last?.metadata.reason?.startsWith(reason));

export async function loadSeries({ commands: { store } }: Writing, id: number): Promise<Series | null> {
  return fold<Series, SeriesFact>(await store.readStream(`${SERIES_PREFIX}${id}`), evolveSeries);
}

/** The series of an event, with one of its dates that takes place if there is any: any other one cannot be put away. */
export async function seriesOf(
  writing: Writing,
  id: number,
): Promise<{ readonly id: number; readonly series: Series } | null> {
  const event = await loadEvent(writing.commands.store, id);
  const series = event?.series ? await loadSeries(writing, event.series.id) : null;
  return series && { id: presentDates(series)[0]?.id ?? id, series };
}

/** The event that an earlier run has made of the record; null if there is none. */
export const presentEvent = (writing: Writing, planned: PlannedEvent): Promise<Target<CalendarEvent> | null> =>
  presentOf(writing, planned.origin, evolveEvent, {
    origin: planned.origin,
    likeness: (event) => likenessTo(planned, event, writing),
  });

function likenessTo(
  { input: { title = '', times } }: PlannedEvent,
  event: CalendarEvent,
  { commands: { siteZone } }: Writing,
): Likeness {
  const hasTitle = slugFrom(event.title) === slugFrom(title);
  const hasStart = event.schedule.startsAt === startOf(times, siteZone);
  if (hasTitle && hasStart) return 'full';
  return hasTitle || hasStart ? 'some' : 'none';
}

const OLDER = 'its SEQUENCE is lower than before, so it is an older version: it is ignored';

/**
 * Whether the record is an older version of what it has become here, or of the same event in a file of another name; a note
 * tells it. A newer number is kept.
 */
export async function isOlderVersion(writing: Writing, planned: PlannedEvent): Promise<boolean> {
  const { origin } = planned;
  const { sequence, owner } = origin;
  if (sequence === undefined) return false;
  const { own, others } = await answersTo(writing, origin);
  const isNewer = (answer: Answered | null): boolean => BigInt(answer?.sequence ?? 0) > BigInt(sequence);
  let isOlder = isNewer(own);
  const isOfFile = (of: string | undefined): boolean => of !== undefined && !URL.canParse(of);
  for (const other of own || !isOfFile(owner) ? [] : others.filter((one) => isOfFile(one.owner) && isNewer(one))) {
    const event = await loadEvent(writing.commands.store, other.id);
    isOlder ||= event !== null && likenessTo(planned, event, writing) !== 'none';
  }
  if (isOlder) {
    writing.summary.note('event', origin, OLDER);
    writing.summary.count('event', origin, 'unchanged');
  } else if (own && own.sequence !== sequence)
    await takeOver(writing.commands, contextOf(writing, origin), evolveEvent, own);
  return isOlder;
}

/** Takes away what the record was as long as it repeated, or as long as it did not. */
export async function replaceOtherKinds(writing: Writing, planned: PlannedEvent): Promise<void> {
  const { instead = [], origin } = planned;
  const own = (await presentEvent(writing, planned))?.state.series;
  for (const key of instead) {
    const present = await presentEvent(writing, { ...planned, origin: { ...origin, key } });
    if (!present) continue;
    const { series } = present.state;
    // A date of it that was changed apart has a record of its own.
    if (series && series.id === own?.id) continue;
    const isGone = series ? (await loadSeries(writing, series.id))?.inTrash : present.state.status === 'trash';
    if (isGone || !(await putAway(writing, origin, present.id))) continue;
    const text = series
      ? 'it does not repeat here any more: the dates of its series are in the trash'
      : 'it repeats now: the single event of before is in the trash';
    writing.summary.note('event', origin, text);
  }
}

/** Whether it is in the trash now: with all its dates, or a date that was changed apart alone. */
export async function putAway(
  writing: Writing,
  origin: Origin,
  id: number,
  what: 'with all its dates' | 'alone' = 'with all its dates',
): Promise<boolean> {
  const { commands } = writing;
  const context = {
    ...contextOf(writing, origin),
    ...{ idempotencyKey: undefined, reason: `${REPLACED}${importReason(origin)}` },
  };
  const whole = what === 'alone' ? null : await seriesOf(writing, id);
  const result = await (whole
    ? trashRepeatingEvent(commands, context, whole.id, 'all')
    : trashCalendarEvent(commands, context, id));
  // Another date of the series, told alone as well, was faster.
  if (result.kind === 'rejected' && result.rejection.code !== 'event_in_trash')
    refuse(writing, 'event', origin, result.rejection);
  return result.kind === 'written';
}

/** Brings an event back, or a series, if that was what a removal for such a reason was the last to do. */
export async function bringOut(writing: Writing, origin: Origin, id: number): Promise<boolean> {
  const { commands } = writing;
  const context = { ...contextOf(writing, origin), idempotencyKey: undefined };
  const series = (await loadEvent(commands.store, id))?.series;
  if (!series) return bringOutAlone(writing, context, id);
  const last = (await commands.store.readStream(`${SERIES_PREFIX}${series.id}`)).at(-1);
  const isOut = isRemoval(last);
  if (isOut && last.type === 'SeriesTrashed') await revertSeries(commands, context, series.id, last.revision - 1);
  await bringOutDates(writing, origin, await loadSeries(writing, series.id));
  return isOut;
}

/** Dates that were changed apart went into the trash with the others, or because they were no date any more. */
export async function bringOutDates(writing: Writing, origin: Origin, series: Series | null): Promise<void> {
  const context = { ...contextOf(writing, origin), idempotencyKey: undefined };
  for (const { id, isDetached, isThere } of series?.dates.values() ?? [])
    if (isDetached && isThere) await bringOutAlone(writing, context, id);
}

async function bringOutAlone({ commands }: Writing, context: CommandContext, id: number): Promise<boolean> {
  const events = await commands.store.readStream(`${EVENT_PREFIX}${id}`);
  const last = events.at(-1);
  if (!isRemoval(last)) return false;
  if (last.type !== 'EventTrashed') return true;
  const result = await revertCalendarEvent(commands, context, id, last.revision - 1);
  const before = fold(events.slice(0, -1), evolveEvent);
  // Its address may be that of something else by now: then it gets another one.
  if (result.kind === 'rejected' && before) await changeCalendarEvent(commands, context, id, { status: before.status });
  return true;
}
