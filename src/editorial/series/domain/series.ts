// The decisions about a series: events that repeat by one rule set. Pure: ids of dates and the horizon come in with the
// commands.
// decision 20

import type { EventFact } from '../../../calendar/event/domain/calendar-event.ts';
import { accepted, type Decision, rejected } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection } from '../../../domain/rejections.ts';
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import {
  type EpochSeconds,
  resolveZone,
  toInstant,
  toWallClock,
  type WallClock,
  type Zone,
} from '../../../kernel/time/zone.ts';
import type { DateChanges, DateTimes, KnownDate, Opening, Recurrence, Repeating, Series, SeriesFact } from './facts.ts';
import { parseSeriesRule, type RefusedRuleSet, type SeriesDate, type SeriesRule, seriesDates } from './rule-set.ts';
import { countFrom, ruleBefore } from './rules-from.ts';

export type DateChange =
  | (Repeating & { readonly kind: 'rules' })
  | { readonly kind: 'add' | 'skip' | 'restore'; readonly date: WallClock }
  | { readonly kind: 'end'; readonly from: WallClock }
  | { readonly kind: 'trash' | 'untrash' }
  | { readonly kind: 'horizon'; readonly horizon: EpochSeconds };

/** What dates come and go, before those that come have ids. */
export interface PlannedDates {
  readonly come: readonly SeriesDate[];
  readonly disappear: readonly WallClock[];
  readonly kept: number;
  /** How many ids are missing. */
  readonly toDraw: number;
  /** Whether there are dates behind the horizon. */
  readonly goesOn: boolean;
}

/** What a decision needs to give new dates their ids and addresses. */
export interface Naming {
  /** The ids that were drawn, at least as many as the plan needs: later dates use those that are left. */
  readonly drawn: readonly number[];
  /** The slug of a new date. */
  readonly slugOf: (wallClock: WallClock) => string;
}

type Timed = Opening & Pick<Series, 'inTrash'>;
type Known = Pick<Series, 'dates' | 'spare'>;

const NONE: Known = { dates: new Map(), spare: [] };

/** The dates that `openSeries` leads to. */
export const planOpening = (opening: Opening, dates: readonly KnownDate[] = []): PlannedDates | RefusedRuleSet =>
  planned(knownFrom(dates), { ...opening, inTrash: false });

/** `taken`: dates that it has from the series that it is split from. */
export function openSeries(
  opening: Opening,
  drafted: readonly EventFact[],
  naming: Naming,
  taken: readonly KnownDate[] = [],
): Decision<SeriesFact> {
  const plan = planOpening(opening, taken);
  if ('fault' in plan) return rejected(rulesRejection(plan.detail));
  const changes = numbered(knownFrom(taken), opening, plan, naming);
  return accepted([{ type: 'SeriesOpened', data: { ...opening, drafted, taken, ...changes } }]);
}

const knownFrom = (dates: readonly KnownDate[]): Known => ({
  ...NONE,
  dates: new Map(dates.map((date) => [date.wallClock, date])),
});

/** The dates that `changeDates` leads to; also the answer to a dry run. */
export function planChange(series: Series, change: DateChange): PlannedDates | RefusedRuleSet {
  const next = changedBy(series, change);
  const kept = presentDates(series).length;
  const { goesOn } = series;
  return next === null ? { come: [], disappear: [], kept, toDraw: 0, goesOn } : planned(series, next);
}

export function changeDates(series: Series, change: DateChange, naming: Naming): Decision<SeriesFact> {
  const next = changedBy(series, change);
  if (next === null) return accepted([]);
  const plan = planned(series, next);
  if ('fault' in plan) return rejected(rulesRejection(plan.detail));
  return accepted([factOf(change, next, numbered(series, next, plan, naming))]);
}

/** Gives the event of a date a stream of its own. */
export function detachDate(series: Series, date: WallClock): Decision<SeriesFact> {
  const known = series.dates.get(date);
  if (!known) return rejected(invalidParameter('date'));
  return accepted(known.isDetached ? [] : [{ type: 'OccurrenceDetached', data: { date } }]);
}

/** Ends the series where another one, `into`, goes on; none if there is nothing before or behind it. */
export function splitSeries(series: Series, from: WallClock, into: number): Decision<SeriesFact> {
  const next = endedBefore(series, from);
  if (next === null) return accepted([]);
  const leave = [...series.dates.keys()].filter((wallClock) => wallClock >= from);
  const { rules, added } = next;
  return accepted([{ type: 'SeriesSplit', data: { from, into, rules, added, leave } }]);
}

/**
 * The series that goes on from a date when this one is split there. Its rules count from the same start, so every other
 * week stays that week and a `COUNT` what it was.
 */
export function continuationOf(series: Series, from: WallClock, id: number): Opening {
  const { start, zone, allDay, duration, rules, added, skipped, horizon } = series;
  return { id, start, from, zone, allDay, duration, rules, added, skipped, horizon, splitFrom: series.id };
}

/** The time of day and the length that all dates have. */
export interface Timing extends Pick<Recurrence, 'duration' | 'allDay'> {
  readonly time: string;
}

/** Another time of day or length for every date; the days stay. `text`: what the public is told about it. */
export function rescheduleSeries(
  series: Series,
  { time, duration, allDay, text }: Timing & { readonly text: string },
): Decision<SeriesFact> {
  const zone = resolveZone(series.zone);
  if (!zone) return rejected(invalidParameter('timezone'));
  const moved = (wallClock: WallClock): WallClock => `${wallClock.slice(0, 10)} ${time}`;
  const isSame = moved(series.start) === series.start && duration === series.duration && allDay === series.allDay;
  if (isSame) return accepted([]);
  const days = [...series.dates.keys()].map((wallClock) => wallClock.slice(0, 10));
  // The rules themselves say at which hours it is.
  if (new Set(days).size < days.length) return rejected(invalidParameter('start_date'));
  const { start, from, rules, added, skipped } = series;
  const shifted = { added: added.map(moved), skipped: skipped.map(moved), zone: series.zone };
  const recurrence = { start: moved(start), from: moved(from), allDay, duration, rules, ...shifted };
  const dates = [...series.dates.keys()].map((was) => ({ was, ...timesOf(moved(was), recurrence, zone) }));
  return accepted([{ type: 'SeriesRescheduled', data: { ...recurrence, text, dates } }]);
}

/** The dates that take place, by time. */
export const presentDates = ({ dates }: Pick<Series, 'dates'>): KnownDate[] =>
  [...dates.values()].filter(({ isThere }) => isThere).sort((one, other) => one.startsAt - other.startsAt);

/** The date whose event has an id; undefined if it is of another series, or none. */
export const dateOfEvent = ({ dates }: Pick<Series, 'dates'>, id: number): KnownDate | undefined =>
  [...dates.values()].find((date) => date.id === id);

/** The recurrence after a change; null if it changes nothing. */
function changedBy(series: Series, change: DateChange): Timed | null {
  switch (change.kind) {
    case 'rules':
      return isSame(series, change) ? null : { ...series, ...repeatingOf(change) };
    case 'add': {
      const isThere = series.added.includes(change.date) && !series.skipped.includes(change.date);
      return isThere ? null : { ...series, ...withAdded(series, change.date) };
    }
    case 'skip':
      return series.dates.get(change.date)?.isThere && !series.skipped.includes(change.date)
        ? { ...series, skipped: [...series.skipped, change.date] }
        : null;
    case 'restore':
      return series.skipped.includes(change.date) ? { ...series, ...withoutSkipped(series, change.date) } : null;
    case 'end':
      return endedBefore(series, change.from);
    case 'trash':
      return series.inTrash ? null : { ...series, inTrash: true };
    case 'untrash':
      return series.inTrash ? { ...series, inTrash: false } : null;
    case 'horizon':
      return change.horizon > series.horizon ? { ...series, horizon: change.horizon } : null;
  }
}

export const repeatingOf = ({ rules, added, skipped }: Repeating): Repeating => ({ rules, added, skipped });

const isSame = (one: Repeating, other: Repeating): boolean =>
  JSON.stringify(repeatingOf(one)) === JSON.stringify(repeatingOf(other));

type Single = Pick<Recurrence, 'added' | 'skipped'>;

export const withAdded = ({ added, skipped }: Single, date: WallClock): Single => ({
  added: added.includes(date) ? added : [...added, date],
  skipped: skipped.filter((one) => one !== date),
});

export const withoutSkipped = ({ skipped }: Single, date: WallClock): Pick<Recurrence, 'skipped'> => ({
  skipped: skipped.filter((one) => one !== date),
});

/** Every rule ends one second before, unless it is over already. At the first date there is nothing to end. */
export function endedBefore(series: Series, from: WallClock): Timed | null {
  if (from <= series.from || !presentDates(series).some(({ wallClock }) => wallClock >= from)) return null;
  const zone = zoneOf(series);
  const rules = series.rules.map((text) => ruleBefore(text, series.start, from, zone));
  return { ...series, rules, added: series.added.filter((wallClock) => wallClock < from) };
}

const FACTS_OF_DATES = { add: 'DateAdded', skip: 'DateSkipped', restore: 'DateRestored' } as const;

function factOf(change: DateChange, { rules, added, skipped, horizon }: Opening, changes: DateChanges): SeriesFact {
  switch (change.kind) {
    case 'rules':
      return { type: 'SeriesRuleChanged', data: { rules, added, skipped, ...changes } };
    case 'add':
    case 'skip':
    case 'restore':
      return { type: FACTS_OF_DATES[change.kind], data: { date: change.date, ...changes } };
    case 'end':
      return { type: 'SeriesEnded', data: { from: change.from, rules, added, ...changes } };
    case 'trash':
      return { type: 'SeriesTrashed', data: changes };
    case 'untrash':
      return { type: 'SeriesRestored', data: changes };
    case 'horizon':
      return { type: 'HorizonMoved', data: { horizon, ...changes } };
  }
}

function planned({ dates, spare }: Known, recurrence: Timed): PlannedDates | RefusedRuleSet {
  const all = recurrence.inTrash ? [] : datesOf(recurrence);
  if ('fault' in all) return all;
  const goesOn = isGoingOn(recurrence);
  const wallClocks = new Set(all.map(({ wallClock }) => wallClock));
  const come = all.filter(({ wallClock }) => !dates.get(wallClock)?.isThere);
  const fresh = come.filter(({ wallClock }) => !dates.has(wallClock)).length;
  return {
    come,
    disappear: [...dates.values()]
      .filter(({ wallClock, isThere }) => isThere && !wallClocks.has(wallClock))
      .map(({ wallClock }) => wallClock),
    kept: all.length - come.length,
    toDraw: Math.max(0, fresh - spare.length),
    goesOn,
  };
}

/** Whether a rule may yield dates behind the horizon. */
function isGoingOn({ rules, start, horizon }: Opening): boolean {
  return rules.some((text) => {
    const rule = parseSeriesRule(text);
    if ('fault' in rule) return false;
    if (rule.end !== null) return parseCivil(rule.end.wallClock) > horizon;
    const left = countFrom(rule, start, formatCivil(horizon));
    return left === null || left > 0;
  });
}

/** The dates by the rules, up to the horizon. */
function datesOf(recurrence: Opening): readonly SeriesDate[] | RefusedRuleSet {
  const zone = resolveZone(recurrence.zone);
  if (!zone) return { fault: 'invalid', detail: `the time zone ${recurrence.zone} is not known` };
  const rules: SeriesRule[] = [];
  for (const text of recurrence.rules) {
    const rule = parseSeriesRule(text);
    if ('fault' in rule) return rule;
    rules.push(rule);
  }
  const all = seriesDates({ ...recurrence, zone, rules }, recurrence.horizon);
  return 'fault' in all ? all : all.filter(({ wallClock }) => wallClock >= recurrence.from);
}

/** Ids that dates had before, then spare ones, then drawn ones, in order of time. */
function numbered(
  { dates, spare }: Known,
  recurrence: Recurrence,
  { come, disappear, goesOn }: PlannedDates,
  { drawn, slugOf }: Naming,
): DateChanges {
  const zone = zoneOf(recurrence);
  const fresh = [...spare, ...drawn];
  const appear = come.map(({ wallClock }) => {
    const known = dates.get(wallClock);
    const id = known?.id ?? fresh.shift();
    if (id === undefined) throw new RangeError('fewer ids were drawn than dates come');
    return { id, slug: known?.slug ?? slugOf(wallClock), ...timesOf(wallClock, recurrence, zone) };
  });
  return { appear, disappear, goesOn, ...(drawn.length > 0 && { reserved: drawn }) };
}

function zoneOf({ zone: name }: Recurrence): Zone {
  const zone = resolveZone(name);
  if (!zone) throw new RangeError(`the time zone ${name} was known before`);
  return zone;
}

function timesOf(wallClock: WallClock, { duration }: Pick<Recurrence, 'duration'>, zone: Zone): DateTimes {
  const startsAt = toInstant(wallClock, zone);
  const last = formatCivil(parseCivil(wallClock) + duration);
  const endsAt = Math.max(toInstant(last, zone), startsAt);
  const [start, end] = [toWallClock(startsAt, zone), toWallClock(endsAt, zone)];
  return { wallClock, startsAt, endsAt, ...(start !== wallClock && { start }), ...(end !== last && { end }) };
}

/** Why rules cannot be followed, as a rejection of `recurrence`. */
export const rulesRejection = (reason: string): Rejection => ({
  ...invalidParameter('recurrence'),
  details: { reason },
});
