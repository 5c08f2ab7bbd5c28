// Writes events that repeat by rules: as one series, whose dates are events.

import {
  type CalendarEvent,
  type EventFact,
  type EventInput,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import type { CommandContext } from '../../../commands/context.ts';
import { takeOver } from '../../../commands/handle-command.ts';
import { changeRepeatingEvent, type SeriesChange } from '../../../editorial/series/commands/change.ts';
import { compareDates } from '../../../editorial/series/commands/compare-dates.ts';
import { createRepeatingEvent } from '../../../editorial/series/commands/create.ts';
import type { KnownDate, Repeating, Series, SeriesFact } from '../../../editorial/series/domain/facts.ts';
import { evolveSeries } from '../../../editorial/series/domain/occurrences.ts';
import { presentDates } from '../../../editorial/series/domain/series.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../../editorial/series/facts/occurrences.ts';
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import { type EpochSeconds, resolveZone, toInstant, toWallClock, type WallClock } from '../../../kernel/time/zone.ts';
import { factOf, fold, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { NOTHING_SAID } from '../../sources/compare.ts';
import { changedOf, type Origin, type PlannedEvent, type PlannedSeries } from '../import-plan.ts';
import type { WrittenOutcome } from '../import-summary.ts';
import { followedStatus, keepUp, newInputOf, relations, writeEvent } from './events.ts';
import {
  bringOut,
  bringOutDates,
  isOlderVersion,
  loadSeries,
  presentEvent,
  putAway,
  replaceOtherKinds,
} from './replaced.ts';
import { answersTo, contextOf, isImported, refuse, type Target, tellOthers, type Writing } from './writing.ts';

/** Creates a series, or applies changes to it; its dates are counted as events. */
export async function writeSeries(writing: Writing, planned: PlannedEvent, plan: PlannedSeries): Promise<void> {
  const { origin } = planned;
  if (await isOlderVersion(writing, planned)) return;
  const present = await presentEvent(writing, planned);
  if (present) {
    await bringOut(writing, origin, present.id);
    await replaceOtherKinds(writing, planned);
    return followSeries(writing, planned, plan, (await presentEvent(writing, planned)) ?? present);
  }
  if (await areSingles(writing, plan)) return writeSingles(writing, plan);
  await tellOthers(writing, 'event', origin);
  return createSeries(writing, planned, plan, contextOf(writing, origin));
}

async function createSeries(
  writing: Writing,
  planned: PlannedEvent,
  plan: PlannedSeries,
  context: CommandContext,
): Promise<void> {
  const { commands, summary } = writing;
  const { origin } = planned;
  const result = await createRepeatingEvent(commands, context, newInputOf(writing, planned), plan.repeating);
  if (result.kind === 'rejected') {
    const { parameter, details } = result.rejection;
    if (parameter !== 'recurrence') return refuse(writing, 'event', origin, result.rejection);
    summary.note('event', origin, `taken as single events: ${details?.reason ?? 'its rules cannot be followed'}`);
    return writeSingles(writing, plan);
  }
  const { series } = result.written.state;
  const created = series && (await loadSeries(writing, series.id));
  if (!created) return;
  await replaceOtherKinds(writing, planned);
  countDates(writing, planned, plan, [null, created]);
  await writeOverrides(writing, plan, created, 'created');
}

/**
 * Whether an earlier run has taken its dates as single events: then they stay what they are. Those that differ may have been
 * all that it was told of the series, and a source follows what it is told.
 */
async function areSingles(writing: Writing, { singles, overrides }: PlannedSeries): Promise<boolean> {
  const apart = new Set(overrides.map(([, { origin }]) => origin.key));
  const others = singles.filter(({ origin: { key } }) => !apart.has(key) && !writing.formerKeys?.has(key));
  for (const single of others) if (await presentEvent(writing, single)) return true;
  return false;
}

async function writeSingles(writing: Writing, { singles }: PlannedSeries): Promise<void> {
  for (const single of singles) await writeEvent(writing, single);
}

/** What became of the dates; those that differ are counted where they are written. */
function countDates(
  { summary }: Writing,
  { origin }: PlannedEvent,
  plan: PlannedSeries,
  [before, after]: readonly [before: Series | null, after: Series],
): void {
  const differing = new Set(plan.overrides.map(([date]) => date));
  const singles = singlesByStart(plan);
  const { added, changed, removed } = compareDates(before ? [before] : [], [after]);
  const outcomes = new Map<WallClock, WrittenOutcome>();
  for (const { date } of added) outcomes.set(date, 'created');
  for (const { date } of changed) outcomes.set(date, 'changed');
  for (const { id, wallClock, startsAt } of presentDates(after))
    if (!differing.has(wallClock))
      summary.count('event', singles.get(startsAt)?.origin ?? origin, outcomes.get(wallClock) ?? 'unchanged', id);
  for (const { date, id } of removed)
    if (!differing.has(date)) summary.count('event', origin, 'changed', id ?? undefined);
}

/** The dates that take place. */
const singlesByStart = ({ singles }: PlannedSeries): ReadonlyMap<EpochSeconds | null, PlannedEvent> =>
  new Map(
    singles
      .filter(({ disposition }) => disposition !== 'gone')
      .map((single) => [startIn(single.input.times), single] as const),
  );

function startIn(times: EventInput['times']): EpochSeconds | null {
  const zone = resolveZone(times?.timezone ?? '');
  if (typeof times?.start !== 'string') return typeof times?.start === 'number' ? times.start : null;
  return zone && toInstant(times.start.length > 10 ? times.start : `${times.start} 00:00:00`, zone);
}

async function writeOverrides(
  writing: Writing,
  { overrides }: PlannedSeries,
  { dates }: Series,
  counting: 'created' | 'as it went',
): Promise<void> {
  const { commands, summary } = writing;
  for (const [date, planned] of overrides) {
    const event = dates.get(date);
    if (event === undefined) continue;
    const events = await commands.store.readStream(`${EVENT_PREFIX}${event.id}`);
    const state = fold(events, evolveEvent);
    if (state === null) continue;
    const present = { id: event.id, state, revision: events.at(-1)?.revision ?? -1 };
    // A new date says nothing of what it said before as another one.
    const record = counting === 'created' ? { ...planned, unchanged: new Set<string>() } : planned;
    const outcome = await keepUp(writing, record, present);
    if (outcome !== null) summary.count('event', planned.origin, counting === 'created' ? counting : outcome, event.id);
  }
}

/** What editors have done to a series stays: dates that they left out or added, and a series that they split. */
async function followSeries(
  writing: Writing,
  planned: PlannedEvent,
  plan: PlannedSeries,
  { state }: Target<CalendarEvent>,
): Promise<void> {
  const { commands, summary } = writing;
  const { origin } = planned;
  const before = state.series ? await loadSeries(writing, state.series.id) : null;
  const anchor = before?.inTrash === false ? anchorOf(before) : undefined;
  if (!before || !anchor || before.left.length > 0) {
    summary.note('event', origin, noteOn(before));
    return before ? countDates(writing, planned, plan, [before, before]) : undefined;
  }
  const { unchanged } = planned;
  const timesAsked = unchanged?.has('times') ? null : timesAt(anchor, before, planned.input.times);
  // What was changed apart does not tell when the others are.
  const timesInPlan = anchor.isDetached && timesAsked !== null ? 'other dates' : timesAsked;
  const isShorter = timesInPlan === 'other dates' && hasOnlyLostDates(before, plan);
  if (timesInPlan === 'other dates' && !isShorter) return replaceSeries(writing, planned, plan, anchor.id);
  const timing = isShorter ? null : timesInPlan;
  const { times: _, status: _status, ...content } = planned.input;
  const status = await followedStatus(writing, planned, { id: anchor.id, state });
  const change: SeriesChange = {
    input: changedOf(
      {
        ...content,
        ...status,
        ...relations(writing, planned, null),
        ...(timing !== null && timing !== 'other dates' && { times: timing }),
      },
      unchanged,
    ),
    ...(!isShorter &&
      !unchanged?.has('repeating') && { repeating: await repeatingAfter(writing, before, plan.repeating) }),
  };
  const result = await changeRepeatingEvent(commands, contextOf(writing, origin), anchor.id, 'all', change);
  if (result.kind === 'rejected') return refuse(writing, 'event', origin, result.rejection);
  const after = (await loadSeries(writing, before.id)) ?? before;
  countDates(writing, planned, plan, [before, after]);
  await bringOutDates(writing, origin, after);
  await writeOverrides(writing, plan, after, 'as it went');
  await takeBackOverrides(writing, origin, plan, after);
}

/** All dates are changed by this one, which is as the others, though they may all be left out now. */
function anchorOf(series: Series): KnownDate | undefined {
  const all = [...presentDates(series), ...series.dates.values()];
  return all.find(({ isDetached }) => !isDetached) ?? all[0];
}

/** It begins on another day, or in another zone: its dates are others. */
async function replaceSeries(writing: Writing, planned: PlannedEvent, plan: PlannedSeries, id: number): Promise<void> {
  const { commands, summary, correlationId } = writing;
  const { origin } = planned;
  if (!(await putAway(writing, origin, id))) return;
  summary.note(
    'event',
    origin,
    'it begins on another day or in another time zone now: it is a new series, the dates of before are in the trash',
  );
  const context = contextOf(writing, origin);
  await createSeries(writing, planned, plan, { ...context, idempotencyKey: `${origin.key} ${correlationId}` });
  const { own: created } = await answersTo(writing, { ...origin, key: `${origin.key} ${correlationId}` });
  if (created) await takeOver(commands, context, evolveEvent, created);
}

/** A calendar that tells only what is to come lets a series begin later and later. */
function hasOnlyLostDates(before: Series, plan: PlannedSeries): boolean {
  const starts = new Set(singlesByStart(plan).keys());
  const first = Math.min(...[...starts].filter((start) => start !== null));
  const dates = presentDates(before).filter(({ startsAt, isDetached }) => startsAt >= first && !isDetached);
  return dates.length > 0 && dates.length === starts.size && dates.every(({ startsAt }) => starts.has(startsAt));
}

/** Dates that the source had changed apart and says nothing of any more are as the others; what editors changed stays. */
async function takeBackOverrides(
  writing: Writing,
  origin: Origin,
  plan: PlannedSeries,
  { dates, template }: Series,
): Promise<void> {
  const { commands, summary } = writing;
  const differing = new Set(plan.overrides.map(([date]) => date));
  const singles = singlesByStart(plan);
  for (const { id, wallClock, startsAt, isDetached, isThere } of dates.values()) {
    if (!isDetached || differing.has(wallClock)) continue;
    const events = await commands.store.readStream(`${EVENT_PREFIX}${id}`);
    const state = fold<CalendarEvent, EventFact>(events, evolveEvent);
    if (!state || state.status === 'trash' || !isImported(events.at(-1))) continue;
    const single = singles.get(startsAt);
    if (!isThere || !single) {
      if (!isThere) await putAway(writing, origin, id, 'alone');
      continue;
    }
    const override = {
      ...single,
      input: { eventStatus: template.eventStatus ?? NOTHING_SAID.eventStatus, ...single.input },
    };
    const outcome = await keepUp(writing, override, { id, state, revision: events.at(-1)?.revision ?? -1 });
    if (outcome === 'changed') summary.note('event', single.origin, 'this date is as the others of its series again');
  }
}

function noteOn(series: Series | null): string {
  if (!series) return 'it does not repeat here; it stays as it is';
  if (series.left.length > 0) return 'it was split here; its dates stay as they are';
  return 'it is in the trash here; it stays there';
}

/** Another time of day for the dates; null if they have it. */
function timesAt(
  { wallClock }: KnownDate,
  { start, zone, allDay, duration }: Series,
  times: EventInput['times'],
): NonNullable<EventInput['times']> | null | 'other dates' {
  const [first, last] = [clockOf(times?.start, zone), clockOf(times?.end, zone)];
  if (!times || first === null || last === null) return 'other dates';
  if (times.timezone !== zone || first.slice(0, 10) !== start.slice(0, 10)) return 'other dates';
  const isAllDay = times.allDay === true;
  const [from, to] = isAllDay ? [`${first.slice(0, 10)} 00:00:00`, `${last.slice(0, 10)} 23:59:59`] : [first, last];
  const length = parseCivil(to) - parseCivil(from);
  if (from === start && isAllDay === allDay && length === duration) return null;
  const begin: WallClock = `${wallClock.slice(0, 10)}${from.slice(10)}`;
  return { ...times, start: begin, end: formatCivil(parseCivil(begin) + length) };
}

/** Times of UTC are instants in plans. */
function clockOf(time: NonNullable<EventInput['times']>['start'], zoneName: string): WallClock | null {
  if (typeof time === 'string') return time;
  const zone = resolveZone(zoneName);
  return typeof time === 'number' && zone ? toWallClock(time, zone) : null;
}

/** Rules are those of the calendar; dates that were left out or added are those of it and of editors. */
async function repeatingAfter({ commands: { store } }: Writing, { id }: Series, plan: Repeating): Promise<Repeating> {
  const own = ofEditors(await store.readStream(`${SERIES_PREFIX}${id}`));
  return {
    rules: plan.rules,
    added: [...new Set([...own.added, ...plan.added])],
    skipped: [...new Set([...own.skipped, ...plan.skipped])],
  };
}

const SINGLE_DATES = ['added', 'skipped'] as const;

/** What was not an import that added a date, or left it out. */
function ofEditors(events: readonly RecordedEvent[]): {
  readonly [Member in (typeof SINGLE_DATES)[number]]: Set<WallClock>;
} {
  const own = { added: new Set<WallClock>(), skipped: new Set<WallClock>() };
  let before: Series | null = null;
  for (const event of events) {
    const after = evolveSeries(before, factOf<SeriesFact>(event), instantOf(event));
    for (const member of SINGLE_DATES) {
      const former: ReadonlySet<WallClock> = new Set(before?.[member]);
      const there: ReadonlySet<WallClock> = new Set(after?.[member]);
      if (!isImported(event)) for (const date of there) if (!former.has(date)) own[member].add(date);
      for (const date of own[member]) if (!there.has(date)) own[member].delete(date);
    }
    before = after;
  }
  return own;
}
