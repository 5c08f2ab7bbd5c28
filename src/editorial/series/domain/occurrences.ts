// What the facts of a series mean for the events of its dates: the facts that each of them has in its own stream, as if
// it were an event like any other.

import { type CalendarEvent, type EventFact, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { attendanceFacts } from '../../../calendar/event/domain/event-status.ts';
import { type Schedule, sameSchedule, scheduleUnder } from '../../../calendar/event/domain/schedule.ts';
import { firstStatusFacts } from '../../../calendar/resource/domain/post.ts';
import { type Evolve, evolveAll, UnexpectedFact } from '../../../domain/decider.ts';
import { trashedSlug } from '../../../kernel/text/slug.ts';
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import type { EpochSeconds, WallClock, ZoneRules } from '../../../kernel/time/zone.ts';
import type { DateChanges, DateTimes, KnownDate, Recurrence, Series, SeriesFact } from './facts.ts';
import { repeatingOf, withAdded, withoutSkipped } from './series.ts';

/** What happens to the event of one date. Its first fact has the revision after `after`. */
export interface Happening {
  readonly id: number;
  readonly after: number;
  /** Made when they are asked for: a fold of the series needs none, and a reader of one date those of one in a thousand. */
  readonly facts: () => readonly EventFact[];
}

interface SeriesStep {
  readonly series: Series;
  readonly happenings: readonly Happening[];
}

export const evolveSeries: Evolve<Series, SeriesFact> = (series, fact, at) => afterFact(series, fact, at).series;

/** The series after a fact, and what that does to the events of its dates. */
export function afterFact(before: Series | null, fact: SeriesFact, at: EpochSeconds): SeriesStep {
  if (fact.type === 'SeriesOpened') return opened(fact.data, at);
  if (before === null) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'SeriesRuleChanged':
      return withDates({ ...before, ...repeatingOf(fact.data) }, fact.data);
    case 'DateAdded':
      return withDates({ ...before, ...withAdded(before, fact.data.date) }, fact.data);
    case 'DateSkipped':
      return withDates({ ...before, skipped: [...before.skipped, fact.data.date] }, fact.data);
    case 'DateRestored':
      return withDates({ ...before, ...withoutSkipped(before, fact.data.date) }, fact.data);
    case 'SeriesEnded':
      return withDates({ ...before, rules: fact.data.rules, added: fact.data.added }, fact.data);
    case 'SeriesTrashed':
      return withDates({ ...before, inTrash: true }, fact.data);
    case 'SeriesRestored':
      return withDates({ ...before, inTrash: false }, fact.data);
    case 'HorizonMoved':
      return withDates({ ...before, horizon: fact.data.horizon }, fact.data);
    case 'SeriesSplit':
      return { series: splitOff(before, fact.data), happenings: [] };
    case 'DatesTakenBack':
      return takenOver(before, fact.data.taken);
    case 'SeriesReverted':
      return { series: before, happenings: [] };
    case 'OccurrenceDetached':
      return detached(before, fact.data.date);
    case 'SeriesContentChanged':
      return withContent(before, fact.data.facts, at);
    case 'SeriesAdjustedToZoneRules':
      return adjusted(before, fact.data);
    case 'SeriesRescheduled':
      return rescheduled(before, fact.data);
    default:
      throw new UnexpectedFact(fact);
  }
}

type DataOf<Type extends SeriesFact['type']> = Extract<SeriesFact, { readonly type: Type }>['data'];

function opened(data: DataOf<'SeriesOpened'>, at: EpochSeconds): SeriesStep {
  const { drafted, taken, appear, disappear, reserved, goesOn, ...opening } = data;
  const template = evolveAll(evolveEvent, null, drafted, at);
  if (template === null) throw new UnexpectedFact({ type: 'SeriesOpened' });
  const none: Series = {
    ...opening,
    template,
    inTrash: false,
    dates: new Map(),
    left: [],
    goesOn,
    spare: [],
    counted: 0,
  };
  const withTaken = takenOver(
    none,
    taken.map((date, at) => ({ ...date, index: at + 1 })),
  );
  const changes = { appear, disappear, goesOn, ...(reserved && { reserved }) };
  const step = withDates({ ...withTaken.series, counted: taken.length }, changes);
  return { ...step, happenings: [...withTaken.happenings, ...step.happenings] };
}

/** How many `joining` are. */
const JOINING = 2;

/** The facts by which the event of a date belongs to a series from now on. */
export const joining = (series: Pick<Series, 'id'>, { wallClock, index }: KnownDate): readonly EventFact[] => [
  { type: 'EventJoinedSeries', data: { series: { id: series.id, date: wallClock, index } } },
  { type: 'EventPlacedUnder', data: { parent: series.id } },
];

function splitOff(series: Series, { rules, added, leave }: DataOf<'SeriesSplit'>): Series {
  const dates = new Map(series.dates);
  for (const wallClock of leave) dates.delete(wallClock);
  return { ...series, rules, added, dates, left: [...series.left, ...leave], goesOn: false };
}

function takenOver(series: Series, dates: readonly KnownDate[]): SeriesStep {
  const steps = openSteps(series);
  for (const date of dates) steps.add(date, JOINING, () => joining(series, date));
  const back = new Set(dates.map(({ wallClock }) => wallClock));
  const left = series.left.filter((wallClock) => !back.has(wallClock));
  return { series: { ...series, dates: steps.dates, left }, happenings: steps.happenings };
}

/** Collects what happens to single dates. */
function openSteps(series: Series) {
  const dates = new Map(series.dates);
  const happenings: Happening[] = [];
  return {
    dates,
    happenings,
    /** So many facts become the next ones of its event, unless that has a stream of its own. */
    add(date: KnownDate, count: number, facts: Happening['facts']): void {
      const next = date.isDetached ? 0 : count;
      if (next > 0) happenings.push({ id: date.id, after: date.revision, facts });
      dates.set(date.wallClock, { ...date, revision: date.revision + next });
    },
  };
}

function withDates(series: Series, { appear, disappear, goesOn, reserved = [] }: DateChanges): SeriesStep {
  const steps = openSteps(series);
  let { counted } = series;
  for (const wallClock of disappear) {
    const known = series.dates.get(wallClock);
    if (known) steps.add({ ...known, isThere: false }, 1, () => [goneFact(series, known)]);
  }
  const drafted = 1 + firstStatusFacts('Event', series.template, series.template).length;
  for (const date of appear) {
    const known = series.dates.get(date.wallClock);
    if (known) {
      steps.add({ ...known, isThere: true }, 1, () => [backFact(series, known)]);
      continue;
    }
    counted += 1;
    const fresh: KnownDate = { ...date, index: counted, revision: -1, isThere: true, isDetached: false };
    steps.add(fresh, drafted, () => newFacts(series, fresh));
  }
  const used = new Set(appear.map(({ id }) => id));
  const spare = [...series.spare, ...reserved].filter((id) => !used.has(id));
  return { series: { ...series, dates: steps.dates, goesOn, counted, spare }, happenings: steps.happenings };
}

const goneFact = ({ template }: Series, { slug }: KnownDate): EventFact => ({
  type: 'EventTrashed',
  data: { slug: trashedSlug(slug), date: template.date },
});

const backFact = ({ template }: Series, { slug }: KnownDate): EventFact => ({
  type: 'EventRestored',
  data: { status: template.status, slug, date: template.date },
});

/** The event of a new date, with what all dates have in common. */
function newFacts(series: Series, date: KnownDate): readonly EventFact[] {
  const place = { id: series.id, date: date.wallClock, index: date.index };
  const { id, slug } = date;
  return draftedAgain(series.template, {
    id,
    slug,
    parent: series.id,
    series: place,
    schedule: scheduleOf(series, date),
  });
}

/** The facts of a new event that is like another one but for these members. */
export function draftedAgain(
  template: CalendarEvent,
  members: Pick<CalendarEvent, 'id' | 'slug' | 'schedule'> & Partial<Pick<CalendarEvent, 'parent' | 'series'>>,
): readonly EventFact[] {
  const {
    status,
    before: _before,
    created: _created,
    modified: _modified,
    formerSlugs: _former,
    ...content
  } = template;
  const data = { ...content, ...members };
  return [{ type: 'EventDrafted', data }, ...firstStatusFacts('Event', { status, author: data.author }, data)];
}

export const scheduleOf = ({ zone, allDay, duration }: Recurrence, date: DateTimes): Schedule => ({
  timezone: zone,
  allDay,
  start: date.start ?? date.wallClock,
  end: date.end ?? formatCivil(parseCivil(date.wallClock) + duration),
  startsAt: date.startsAt,
  endsAt: date.endsAt,
  given: { start: 'wall_clock', end: 'wall_clock' },
});

function detached(series: Series, wallClock: WallClock): SeriesStep {
  const date = series.dates.get(wallClock);
  if (!date) throw new UnexpectedFact({ type: 'OccurrenceDetached' });
  const steps = openSteps(series);
  steps.add(date, 1, () => [{ type: 'EventSetApart', data: {} }]);
  const { dates } = steps;
  dates.set(wallClock, { ...date, revision: date.revision + 1, isDetached: true });
  return { series: { ...series, dates }, happenings: steps.happenings };
}

/** Facts that a date in the trash does not take: it comes back with the status of the series. */
const OF_STATUS = /^Event(Published|PublicationScheduled|ReturnedToDraft|SubmittedForReview|MadePrivate)$/;

function withContent(series: Series, facts: readonly EventFact[], at: EpochSeconds): SeriesStep {
  const template = evolveAll(evolveEvent, series.template, facts, at);
  if (template === null) throw new UnexpectedFact({ type: 'SeriesContentChanged' });
  const steps = openSteps(series);
  const inTrash = facts.filter(({ type }) => !OF_STATUS.test(type));
  for (const date of series.dates.values()) {
    const own = date.isThere ? facts : inTrash;
    steps.add(date, own.length, () => own);
  }
  return { series: { ...series, template, dates: steps.dates }, happenings: steps.happenings };
}

/** Whether the clock of the zone shows another time depends on the instant. */
const untimed = ({ start: _start, end: _end, ...date }: KnownDate): KnownDate => date;

function adjusted(series: Series, { rules, dates }: DataOf<'SeriesAdjustedToZoneRules'>): SeriesStep {
  const steps = openSteps(series);
  for (const times of dates) {
    const known = series.dates.get(times.wallClock);
    if (!known) continue;
    const schedule = scheduleOf(series, times);
    const adjustment: EventFact = { type: 'EventAdjustedToZoneRules', data: { ...schedule, rules } };
    steps.add({ ...untimed(known), ...times }, 1, () => [adjustment]);
  }
  return { series: { ...series, dates: steps.dates }, happenings: steps.happenings };
}

/** The fact by which coming dates adopt these zone rules; none if they change nothing. */
export function seriesZoneRulesFacts(series: Series, rules: ZoneRules, now: EpochSeconds): readonly SeriesFact[] {
  const dates = [...series.dates.values()].flatMap((date): DateTimes[] => {
    const before = scheduleOf(series, date);
    const { start, end, startsAt, endsAt } = scheduleUnder(before, rules, now);
    if (date.isDetached || sameSchedule(before, { ...before, start, end, startsAt, endsAt })) return [];
    return [{ wallClock: date.wallClock, startsAt, endsAt, start, end }];
  });
  if (dates.length === 0) return [];
  return [{ type: 'SeriesAdjustedToZoneRules', data: { rules: rules.release, dates } }];
}

function rescheduled(series: Series, data: DataOf<'SeriesRescheduled'>): SeriesStep {
  const { text, dates: moved, ...recurrence } = data;
  const steps = openSteps({ ...series, dates: new Map() });
  for (const { was, ...times } of moved) {
    const known = series.dates.get(was);
    if (!known) continue;
    // A date in the trash tells the public nothing.
    const status = known.isThere ? series.template.status : 'trash';
    const event = { ...series.template, status, schedule: scheduleOf(series, known) };
    const facts = attendanceFacts(event, { notice: text }, { status, schedule: scheduleOf(recurrence, times) });
    steps.add({ ...untimed(known), ...times }, facts.length, () => facts);
  }
  const [first] = moved;
  const schedule = first ? scheduleOf(recurrence, first) : series.template.schedule;
  const template = { ...series.template, schedule };
  return { series: { ...series, ...recurrence, template, dates: steps.dates }, happenings: steps.happenings };
}
