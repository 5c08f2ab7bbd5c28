// Changing a series: all of its dates, or one of them and all that follow.

import { contentOf, EVENTS } from '../../../calendar/event/commands/events.ts';
import { attendanceOf, noticeProblem } from '../../../calendar/event/commands/notice-rule.ts';
import {
  type CalendarEvent,
  changeEvent,
  type EventFact,
  type EventInput,
  type EventPatch,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import { reschedule } from '../../../calendar/event/domain/schedule.ts';
import { postPatch, trashFacts } from '../../../calendar/resource/commands/post-input.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type CommandResult, handleCommand } from '../../../commands/handle-command.ts';
import { normalisedSlug } from '../../../commands/reservations/reservations.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { parseCivil } from '../../../kernel/time/civil-time.ts';
import type { WallClock } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import { may } from '../../../people/auth/policy.ts';
import type { KnownDate, Repeating, Scope, Series, SeriesFact } from '../domain/facts.ts';
import {
  type DateChange,
  dateOfEvent,
  presentDates,
  repeatingOf,
  rescheduleSeries,
  type Timing,
} from '../domain/series.ts';
import { EVENT_PREFIX } from '../facts/occurrences.ts';
import { datedAt, dayOf } from './naming.ts';
import { loadSeries, recorded, redated } from './record.ts';
import { splitAt } from './split.ts';

type WideScope = Exclude<Scope, 'this'>;

export interface SeriesChange {
  readonly input: EventInput;
  /** Absent: the rules stay. */
  readonly repeating?: Partial<Repeating>;
}

/** A date of a series that a command is about. */
interface Subject {
  readonly event: CalendarEvent;
  readonly series: Series;
  readonly date: KnownDate;
}

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
) {
  return onSeries(dependencies, context, id, 'update', async (unit, subject) => {
    const problem = await noticeProblem(dependencies, dependencies, context, change.input, subject.event);
    if (problem) return rejected(problem);
    const { series } = subject;
    const from = beginningOf(scope, subject);
    const target = from === '' ? series : await splitAt(unit, dependencies, series, from);
    if ('rejection' in target) return target;
    return applied(unit, dependencies, context, { ...subject, series: target }, change);
  });
}

/** Where a date and all that follow begin; '' where these are all dates. */
const beginningOf = (scope: Scope, { series, date: { wallClock } }: Subject): WallClock =>
  scope === 'following' && wallClock > (presentDates(series)[0]?.wallClock ?? '') ? wallClock : '';

/** Takes one date, one and those that follow, or all out of the calendar. */
export function trashRepeatingEvent(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  scope: Scope,
) {
  return onSeries(dependencies, context, id, 'delete', async (unit, subject) => {
    const { event, series, date } = subject;
    if (event.status === 'trash') return rejected('event_in_trash');
    const from = beginningOf(scope, subject);
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

/** Brings one date back that was left out; null for a date that is not there for another reason, or set apart. */
export async function restoreLeftOutDate(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
): Promise<CommandResult<CalendarEvent> | null> {
  const isLeftOut = ({ series, date }: Subject): boolean => !date.isDetached && series.skipped.includes(date.wallClock);
  let isOther = false;
  const result = await onSeries(dependencies, context, id, 'update', async (unit, subject) => {
    isOther = !isLeftOut(subject);
    if (isOther) return undefined;
    const { series, date } = subject;
    const after = await redated(unit, dependencies, series, { kind: 'restore', date: date.wallClock });
    return 'rejection' in after ? after : undefined;
  });
  return isOther ? null : result;
}

async function onSeries(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  action: 'update' | 'delete',
  steps: (unit: UnitOfWork, subject: Subject) => Promise<Rejected | undefined>,
) {
  const { store } = dependencies;
  const stream = `${EVENT_PREFIX}${id}`;
  return handleCommand(dependencies, context, [], async (unit): Promise<Attempt<CalendarEvent, EventFact>> => {
    // Not by the unit, which would take it for what is there after the append.
    const events = await store.readStream(stream);
    const event = fold(events, evolveEvent);
    if (!may(context.caller, action, 'event', event ?? undefined)) return rejected('forbidden');
    if (!event) return rejected({ code: 'event_not_found', parameter: 'id' });
    const { ifRevision } = context;
    if (ifRevision !== undefined && ifRevision !== events.at(-1)?.revision) return rejected('precondition_failed');
    const series = event.series ? await loadSeries(unit.store, event.series.id) : null;
    const date = series && dateOfEvent(series, id);
    if (!series || !date) return rejected(invalidParameter('scope'));
    const problem = await steps(unit, { event, series, date });
    if (problem) return problem;
    return { kind: 'planned', id, stream, evolve: EVENTS.evolve, created: false };
  });
}

/** Applies a change to all dates of a series. */
async function applied(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  { event, series, date }: Subject,
  { input, repeating }: SeriesChange,
): Promise<Rejected | undefined> {
  const { now } = context;
  const { siteZone } = dependencies;
  const { template } = series;
  if (input.slug !== undefined && normalisedSlug(input.slug) !== event.slug) return rejected(invalidParameter('slug'));
  if (input.parent !== undefined && input.parent !== event.parent) return rejected(invalidParameter('post_parent'));
  const { times, slug: _slug, parent: _parent, notice = '', ...shared } = input;
  const post = await postPatch(unit, dependencies, context, shared, template);
  if ('rejection' in post) return post;
  const filled = await contentOf(unit, dependencies, context, shared, template);
  if ('rejection' in filled) return filled;
  const timing = times && timingOf(event, date, times, { now, siteZone });
  if (timing && 'rejection' in timing) return timing;
  const patch: EventPatch = {
    ...filled.content,
    ...post.patch,
    ...attendanceOf(timing ? shared : { ...shared, notice }),
  };
  const decision = changeEvent(template, patch, { now, siteZone, slug: template.slug });
  if (decision.kind === 'rejected') return decision;
  const { facts } = decision;
  let after: Series | Rejected = await recorded(
    unit,
    series,
    series.id,
    accepted<SeriesFact>(facts.length === 0 ? [] : [{ type: 'SeriesContentChanged', data: { facts } }]),
  );
  if (timing && !('rejection' in after))
    after = await recorded(unit, after, series.id, rescheduleSeries(after, { ...timing, text: oneLine(notice) }));
  if (repeating && !('rejection' in after)) {
    const next = { ...repeatingOf(after), ...datedAt(repeating, after.start) };
    after = await redated(unit, dependencies, after, { kind: 'rules', ...next });
  }
  return 'rejection' in after ? after : undefined;
}

/** The time of day and the length that all dates get; their days stay. */
function timingOf(
  event: CalendarEvent,
  { wallClock }: KnownDate,
  times: NonNullable<EventInput['times']>,
  context: Parameters<typeof reschedule>[2],
): Timing | Rejected {
  const next = reschedule(event.schedule, times, context);
  if ('unreadable' in next) return rejected(invalidParameter(next.unreadable));
  const { start, end, timezone, allDay } = next.schedule;
  if (timezone !== event.schedule.timezone) return rejected(invalidParameter('timezone'));
  // Another day for all of them is another rule.
  if (dayOf(start) !== dayOf(event.schedule.start)) return rejected(invalidParameter('start_date'));
  const isSame = start === event.schedule.start;
  const time = isSame ? wallClock.slice(11) : start.slice(11);
  return { time, allDay, duration: parseCivil(end) - parseCivil(start) };
}
