// Changing a series: all of its dates, or one of them and all that follow.
import { may } from '../../auth/policy.ts';
import {
  type CalendarEvent,
  changeEvent,
  type EventFact,
  type EventInput,
  type EventPatch,
  evolveEvent,
} from '../../domain/calendar-event.ts';
import { accepted, type Decision, evolveAll } from '../../domain/decider.ts';
import { invalidParameter, type Rejection } from '../../domain/rejections.ts';
import { reschedule } from '../../domain/schedule.ts';
import { draftedAgain, evolveSeries, joining, scheduleOf } from '../../domain/series/occurrences.ts';
import {
  changeDates,
  continuationOf,
  type DateChange,
  dateOfEvent,
  type KnownDate,
  openSeries,
  planChange,
  planOpening,
  presentDates,
  type Repeating,
  rescheduleSeries,
  type Scope,
  type Series,
  type SeriesFact,
  splitSeries,
} from '../../domain/series/series.ts';
import { fold } from '../../event-store/envelope.ts';
import { EVENT_PREFIX, SERIES_PREFIX } from '../../event-store/occurrences.ts';
import { oneLine } from '../../text/plain-text.ts';
import { parseCivil } from '../../time/civil-time.ts';
import type { WallClock } from '../../time/zone.ts';
import type { CommandContext, CommandDependencies } from '../context.ts';
import { attendanceOf, contentOf, EVENTS, noticeProblem } from '../events.ts';
import { type Attempt, type CommandResult, handleCommand, refused } from '../handle-command.ts';
import { postPatch, trashFacts } from '../post-input.ts';
import { normalisedSlug } from '../reservations/reservations.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { seriesSlug } from './create.ts';
import { datedAt, dayOf, nameDates } from './naming.ts';

type WideScope = Exclude<Scope, 'this'>;

export interface SeriesChange {
  readonly input: EventInput;
  /** Absent: the rules stay. */
  readonly repeating?: Partial<Repeating>;
}

/** A date of a series that a command is about. */
interface Asked {
  readonly event: CalendarEvent;
  readonly series: Series;
  readonly date: KnownDate;
}

type Step = (asked: Asked) => Promise<{ readonly rejection: Rejection } | undefined>;

/**
 * Changes all dates, or one and those that follow. Dates that have been changed apart from the others stay as they are.
 * Rejections: those of an event, `invalid_parameter` of `scope` for an event that does not repeat, of `recurrence` with
 * the reason, of `start_date` for another day, of what dates do not share (`slug`, `timezone`, `post_parent`).
 */
export function changeRepeatingEvent(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  scope: WideScope,
  change: SeriesChange,
): Promise<CommandResult<CalendarEvent>> {
  return onSeries(dependencies, context, id, 'update', async (unit, asked) => {
    const problem = await noticeProblem(dependencies, context, change.input, asked.event);
    if (problem) return { rejection: problem };
    const { series, date } = asked;
    const isSplit = scope === 'following' && date.wallClock > (presentDates(series)[0]?.wallClock ?? '');
    const target = isSplit ? await split(unit, dependencies, series, date.wallClock) : series;
    if ('rejection' in target) return target;
    return applied(unit, dependencies, context, { ...asked, series: target }, change);
  });
}

/** Takes one date, one and those that follow, or all out of the calendar. */
export function trashRepeatingEvent(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  scope: Scope,
): Promise<CommandResult<CalendarEvent>> {
  return onSeries(dependencies, context, id, 'delete', async (unit, { event, series, date }) => {
    if (event.status === 'trash') return { rejection: { code: 'event_in_trash' } };
    const from =
      scope === 'following' && date.wallClock > (presentDates(series)[0]?.wallClock ?? '') ? date.wallClock : '';
    const change: DateChange =
      scope === 'this'
        ? { kind: 'skip', date: date.wallClock }
        : from === ''
          ? { kind: 'trash' }
          : { kind: 'end', from };
    const after = await redated(unit, dependencies, series, change);
    if ('rejection' in after) return after;
    const apart = [...series.dates.values()].filter(
      ({ isDetached, isThere, wallClock }) =>
        isDetached && isThere && (scope === 'this' ? wallClock === date.wallClock : wallClock >= from),
    );
    for (const one of apart) await trashApart(unit, context, one);
    return undefined;
  });
}

/** A date with a stream of its own takes no part in what happens to the series. */
async function trashApart(unit: UnitOfWork, context: CommandContext, { id }: KnownDate): Promise<void> {
  const stream = `${EVENT_PREFIX}${id}`;
  const { state } = await unit.load(stream, evolveEvent);
  if (!state || state.status === 'trash') return;
  await unit.record(stream, await trashFacts(unit, { kind: 'event', noun: 'Event' }, state, context));
}

/** Brings one date back that was left out, or taken out with its series. */
export async function restoreDate(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  event: CalendarEvent,
): Promise<{ readonly rejection: Rejection } | 'restored' | 'apart'> {
  const series = event.series && (await loadSeries(unit, event.series.id));
  const date = series && dateOfEvent(series, event.id);
  if (!series || !date || date.isDetached) return 'apart';
  if (!series.skipped.includes(date.wallClock)) return 'apart';
  const after = await redated(unit, dependencies, series, { kind: 'restore', date: date.wallClock });
  return 'rejection' in after ? after : 'restored';
}

async function onSeries(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  action: 'update' | 'delete',
  steps: (unit: UnitOfWork, asked: Asked) => ReturnType<Step>,
): Promise<CommandResult<CalendarEvent>> {
  const { store } = dependencies;
  const stream = `${EVENT_PREFIX}${id}`;
  return handleCommand<CalendarEvent, EventFact>(
    dependencies,
    context,
    [],
    async (unit): Promise<Attempt<CalendarEvent, EventFact>> => {
      // Not by the unit, which would take it for what is there after the append.
      const events = await store.readStream(stream);
      const event = fold<CalendarEvent, EventFact>(events, evolveEvent);
      if (!may(context.caller, action, 'event', event ?? undefined)) return refused({ code: 'forbidden' });
      if (!event) return refused({ code: 'event_not_found', parameter: 'id' });
      const { ifRevision } = context;
      if (ifRevision !== undefined && ifRevision !== events.at(-1)?.revision)
        return refused({ code: 'precondition_failed' });
      const series = event.series ? await loadSeries(unit, event.series.id) : null;
      const date = series && dateOfEvent(series, id);
      if (!series || !date) return refused(invalidParameter('scope'));
      const problem = await steps(unit, { event, series, date });
      if (problem) return refused(problem.rejection);
      return { kind: 'planned', id, stream, evolve: EVENTS.evolve, created: false };
    },
  );
}

const streamOfSeries = (id: number): string => `${SERIES_PREFIX}${id}`;

const loadSeries = async (unit: UnitOfWork, id: number): Promise<Series | null> =>
  (await unit.load<Series, SeriesFact>(streamOfSeries(id), evolveSeries)).state;

/** Records a decision about a series; the series after it. */
async function recorded(
  unit: UnitOfWork,
  series: Series | null,
  id: number,
  decision: Decision<SeriesFact>,
): Promise<Series | { readonly rejection: Rejection }> {
  if (decision.kind === 'rejected') return { rejection: decision.rejection };
  await unit.record(streamOfSeries(id), decision.facts);
  const after = evolveAll(evolveSeries, series, decision.facts, Math.floor(Date.parse(unit.metadata.instant) / 1000));
  if (!after) throw new Error(`series ${id} has no beginning`);
  return after;
}

/** The series after a change of its dates. */
export async function redated(
  unit: UnitOfWork,
  dependencies: Pick<CommandDependencies, 'postIds'>,
  series: Series,
  change: DateChange,
): Promise<Series | { readonly rejection: Rejection }> {
  const plan = planChange(series, change);
  if ('fault' in plan) return { rejection: { ...invalidParameter('recurrence'), details: { reason: plan.detail } } };
  const days = new Set([...series.dates.keys(), ...series.left].map(dayOf));
  const fresh = { ...plan, come: plan.come.filter(({ wallClock }) => !series.dates.has(wallClock)) };
  const naming = await nameDates(unit, dependencies, { id: series.id, slug: series.template.slug, days }, fresh);
  return recorded(unit, series, series.id, changeDates(series, change, naming));
}

/** Ends the series before a date, and opens the one that goes on from there. */
async function split(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  series: Series,
  from: WallClock,
): Promise<Series | { readonly rejection: Rejection }> {
  const into = await unit.nextId(dependencies.postIds);
  const opening = continuationOf(series, from, into);
  const taken = [...series.dates.values()].filter(({ wallClock }) => wallClock >= from);
  const plan = planOpening(opening, taken);
  if ('fault' in plan) return { rejection: { ...invalidParameter('recurrence'), details: { reason: plan.detail } } };
  const slug = await seriesSlug(unit, into, series.template.slug);
  const fresh = { ...plan, come: plan.come.filter(({ wallClock }) => !series.dates.has(wallClock)) };
  const naming = await nameDates(
    unit,
    dependencies,
    { id: into, slug, days: new Set(taken.map(({ wallClock }) => dayOf(wallClock))) },
    fresh,
  );
  const before = await recorded(unit, series, series.id, splitSeries(series, from, into));
  if ('rejection' in before) return before;
  const first = taken.sort((one, other) => one.startsAt - other.startsAt)[0];
  const schedule = first ? scheduleOf(series, first) : series.template.schedule;
  const drafted = draftedAgain(series.template, { id: into, slug, schedule });
  const after = await recorded(unit, null, into, openSeries(opening, drafted, naming, taken));
  if ('rejection' in after) return after;
  for (const date of after.dates.values())
    if (date.isDetached) await unit.record(`${EVENT_PREFIX}${date.id}`, joining(after, date));
  return after;
}

/** Applies a change to all dates of a series. */
async function applied(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  { event, series, date }: Asked,
  { input, repeating }: SeriesChange,
): Promise<{ readonly rejection: Rejection } | undefined> {
  const { now } = context;
  const { siteZone } = dependencies;
  const { template } = series;
  if (input.slug !== undefined && normalisedSlug(input.slug) !== event.slug)
    return { rejection: invalidParameter('slug') };
  if (input.parent !== undefined && input.parent !== event.parent)
    return { rejection: invalidParameter('post_parent') };
  const { times, slug: _slug, parent: _parent, notice = '', ...shared } = input;
  const sent = await postPatch(unit, dependencies, context, shared, template);
  if ('rejection' in sent) return sent;
  const filled = await contentOf(unit, dependencies, context, shared, template);
  if ('rejection' in filled) return filled;
  const timing = times && timingOf(event, date, times, { now, siteZone });
  if (timing && 'rejection' in timing) return timing;
  const patch: EventPatch = {
    ...filled.content,
    ...sent.patch,
    ...attendanceOf(timing ? shared : { ...shared, notice }),
  };
  const decision = changeEvent(template, patch, { now, siteZone, slug: template.slug });
  if (decision.kind === 'rejected') return decision;
  const { facts } = decision;
  let after: Series | { readonly rejection: Rejection } = await recorded(
    unit,
    series,
    series.id,
    accepted<SeriesFact>(facts.length === 0 ? [] : [{ type: 'SeriesContentChanged', data: { facts } }]),
  );
  if (timing && !('rejection' in after))
    after = await recorded(unit, after, series.id, rescheduleSeries(after, { ...timing, text: oneLine(notice) }));
  if (repeating && !('rejection' in after)) {
    const { rules, added, skipped } = after;
    const next = { rules, added, skipped, ...datedAt(repeating, after.start) };
    after = await redated(unit, dependencies, after, { kind: 'rules', ...next });
  }
  return 'rejection' in after ? after : undefined;
}

interface Timing extends Pick<Series, 'duration' | 'allDay'> {
  readonly time: string;
}

/** The time of day and the length that all dates get; their days stay. */
function timingOf(
  event: CalendarEvent,
  { wallClock }: KnownDate,
  times: NonNullable<EventInput['times']>,
  context: Parameters<typeof reschedule>[2],
): Timing | { readonly rejection: Rejection } {
  const next = reschedule(event.schedule, times, context);
  if ('unreadable' in next) return { rejection: invalidParameter(next.unreadable) };
  const { start, end, timezone, allDay } = next.schedule;
  if (timezone !== event.schedule.timezone) return { rejection: invalidParameter('timezone') };
  // Another day for all of them is another rule.
  if (dayOf(start) !== dayOf(event.schedule.start)) return { rejection: invalidParameter('start_date') };
  const isSame = start === event.schedule.start;
  const time = isSame ? wallClock.slice(11) : start.slice(11);
  return { time, allDay, duration: parseCivil(end) - parseCivil(start) };
}
