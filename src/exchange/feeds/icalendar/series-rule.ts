// How a series is said in iCalendar: where its rule begins, which dates are added and left out. Only where every reader
// of the standard finds the dates that there are.
import type { Opening, Recurrence } from '../../../editorial/series/domain/facts.ts';
import {
  parseSeriesRule,
  type RuleEnd,
  type SeriesDate,
  type SeriesRule,
  seriesDates,
} from '../../../editorial/series/domain/rule-set.ts';
import { countFrom, uncounted, yields } from '../../../editorial/series/domain/rules-from.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../kernel/time/civil-time.ts';
import {
  type EpochSeconds,
  resolveZone,
  toInstant,
  toWallClock,
  type WallClock,
  type Zone,
} from '../../../kernel/time/zone.ts';
import { dateOf, isUnambiguous, isWrittenAsUtc, utcDateTime } from './date-times.ts';
import { type Years, yearOf } from './time-zone.ts';

/** What repeats, and up to where its dates exist. */
export type SeriesTimes = Recurrence & Pick<Opening, 'horizon'>;

export interface SaidSeries {
  readonly zone: Zone;
  /** `DTSTART`, the first date. */
  readonly first: WallClock;
  /** The value of `RRULE`; null for none. */
  readonly rule: string | null;
  /** `RDATE` */
  readonly added: readonly WallClock[];
  /** `EXDATE` */
  readonly leftOut: readonly WallClock[];
  /** Dates that need a component of their own: their night is longer or shorter by an hour. */
  readonly odd: readonly WallClock[];
  /** The years whose rules of its zone a reader needs. */
  readonly years: Years;
}

/** A rule without an end is described for some years beyond the horizon; readers know the zone by its name as well. */
const YEARS_BEYOND = 10;
const ZERO_ZONE = /^(?:etc\/)?utc$/i;

/**
 * Null where a series cannot be said, and its dates have to be written one by one:
 * - it has several rules, which many readers do not read;
 * - its first date is one that the rule does not yield: readers disagree on whether it counts;
 * - a date is at a time that its zone's clock skips, or shows twice: readers leave it out, or choose the other one;
 * - its zone is an offset, which has no name that readers know.
 *
 * `hidden`: dates that this reader does not get. In steps of some milliseconds, whatever the number of dates.
 */
export function* sayingSeries(
  series: SeriesTimes,
  hidden: ReadonlySet<WallClock>,
): Generator<void, SaidSeries | null, void> {
  const zone = resolveZone(series.zone);
  const [text, ...others] = series.rules;
  if (zone === null || others.length > 0 || !isWritable(zone, series)) return null;
  const rule = text === undefined ? null : parseSeriesRule(text);
  if (rule !== null && 'fault' in rule) return null;
  // A date that is left out is a date of the rule.
  const all = datesOf(series, zone, rule, series.added);
  if (all === null) return null;
  yield;
  const nearChanges = series.allDay ? [] : all.filter((date) => isNearChange(date, series.duration, zone));
  if (!nearChanges.every(({ wallClock, instant }) => isUnambiguous(wallClock, zone, instant))) return null;
  yield;
  const skipped = new Set(series.skipped);
  const isLeftOut = ({ wallClock }: SeriesDate): boolean => skipped.has(wallClock) || hidden.has(wallClock);
  const there = all.filter((date) => !isLeftOut(date));
  const odd = wallClocks(nearChanges.filter((date) => !isLeftOut(date) && isOdd(date, series.duration, zone)));
  yield;
  const ruled = rule === null ? NONE : ruledDates(series, zone, rule, all);
  if (rule === null || ruled.size === 0) return sayDates(there, { zone, odd, duration: series.duration });
  const [first] = all;
  if (there.length === 0 || first === undefined || !ruled.has(first.wallClock)) return null;
  yield;
  const written = ruleFrom(rule, series, first.wallClock, zone);
  yield;
  const isLater = first.wallClock !== series.start;
  if (isLater && !isExact(written, first.wallClock, ruled, { zone, horizon: series.horizon })) return null;
  yield;
  return {
    zone,
    odd,
    rule: written,
    first: first.wallClock,
    added: wallClocks(there.filter(({ wallClock }) => !ruled.has(wallClock))),
    leftOut: wallClocks(all.filter((date) => ruled.has(date.wallClock) && isLeftOut(date))),
    years: yearsOf(all, series.duration, lastYear(rule, written, ruled.size, series.horizon)),
  };
}

const NONE: ReadonlySet<WallClock> = new Set();

/** Days need no zone. */
const isWritable = (zone: Zone, { allDay }: SeriesTimes): boolean =>
  allDay || !isWrittenAsUtc(zone) || ZERO_ZONE.test(zone.name);

/** Dates without a rule. Some readers count `DTSTART` only if it is in the list. */
function sayDates(
  there: readonly SeriesDate[],
  { zone, odd, duration }: Pick<SaidSeries, 'zone' | 'odd'> & Pick<SeriesTimes, 'duration'>,
): SaidSeries | null {
  const [first, ...others] = wallClocks(there);
  if (first === undefined) return null;
  const added = others.length === 0 ? [] : [first, ...others];
  return { zone, odd, first, rule: null, added, leftOut: [], years: yearsOf(there, duration, null) };
}

const wallClocks = (dates: readonly SeriesDate[]): WallClock[] => dates.map(({ wallClock }) => wallClock);

/** Those from `from` on, with no date left out; null if they cannot be found. */
function datesOf(
  { start, from, horizon }: Pick<SeriesTimes, 'start' | 'from' | 'horizon'>,
  zone: Zone,
  rule: SeriesRule | null,
  added: readonly WallClock[],
): SeriesDate[] | null {
  const dates = seriesDates({ start, zone, rules: rule === null ? [] : [rule], added, skipped: [] }, horizon);
  return 'fault' in dates ? null : dates.filter(({ wallClock }) => wallClock >= from);
}

/** Those of `all` that the rule yields. */
function ruledDates(
  series: SeriesTimes,
  zone: Zone,
  rule: SeriesRule,
  all: readonly SeriesDate[],
): ReadonlySet<WallClock> {
  const alone = series.added.length === 0 ? all : (datesOf(series, zone, rule, []) ?? []);
  const dates = wallClocks(alone);
  return new Set(yields(rule, series.start, series.start) ? dates : dates.filter((one) => one !== series.start));
}

/** The rule as it goes on from its first date here. */
function ruleFrom(rule: SeriesRule, { start, allDay }: SeriesTimes, first: WallClock, zone: Zone): string {
  const count = countFrom(rule, start, first);
  if (count !== null) return `${uncounted(rule)};COUNT=${count}`;
  return rule.end === null ? rule.text : `${rule.text};UNTIL=${untilOf(rule.end, allDay, zone)}`;
}

/** The end of a rule as the standard wants it: a day for events of whole days, otherwise an instant. */
function untilOf({ kind, wallClock }: RuleEnd, isAllDay: boolean, zone: Zone): string {
  if (isAllDay) return dateOf(kind === 'instant' ? toWallClock(parseCivil(wallClock), zone) : wallClock);
  if (kind === 'instant') return utcDateTime(parseCivil(wallClock));
  return utcDateTime(toInstant(kind === 'day' ? `${wallClock.slice(0, 10)} 23:59:59` : wallClock, zone));
}

/** Whether the clock is changed within a day of its start or its end, or between them: of all others nothing is odd. */
function isNearChange({ instant }: SeriesDate, duration: number, zone: Zone): boolean {
  const offset = zone.offsetAt(instant);
  const ends = [instant, instant + duration];
  return !ends.every(
    (end) => zone.offsetAt(end - SECONDS_PER_DAY) === offset && zone.offsetAt(end + SECONDS_PER_DAY) === offset,
  );
}

/** By the clock it takes as long as the others, but not by a stopwatch: which one is meant is not agreed on. */
function isOdd({ wallClock, instant }: SeriesDate, duration: number, zone: Zone): boolean {
  const end = formatCivil(parseCivil(wallClock) + duration);
  const endsAt = toInstant(end, zone);
  return zone.offsetAt(endsAt) !== zone.offsetAt(instant) || !isUnambiguous(end, zone, endsAt);
}

/** From the first date to the last one, or to a later year. */
function yearsOf(dates: readonly SeriesDate[], duration: number, later: number | null): Years {
  const from = yearOf(dates[0]?.instant ?? 0);
  const last = yearOf((dates.at(-1)?.instant ?? 0) + duration + SECONDS_PER_DAY);
  return new Set(Array.from({ length: Math.max(last, later ?? last) - from + 1 }, (_, index) => from + index));
}

/** The last year of a rule that goes on behind the horizon; null if it does not. */
function lastYear(rule: SeriesRule, written: string, dates: number, horizon: EpochSeconds): number | null {
  const count = /;COUNT=(\d+)$/.exec(written)?.[1];
  if (count !== undefined && dates >= Number(count)) return null;
  const beyond = yearOf(horizon) + YEARS_BEYOND;
  return rule.end === null ? beyond : Math.min(beyond, yearOf(parseCivil(rule.end.wallClock) + SECONDS_PER_DAY));
}

/** A rule that begins later must yield what it yielded: read anew, as others will read it. */
function isExact(
  written: string,
  first: WallClock,
  ruled: ReadonlySet<WallClock>,
  { zone, horizon }: { readonly zone: Zone; readonly horizon: EpochSeconds },
): boolean {
  const parsed = parseSeriesRule(written);
  if ('fault' in parsed) return false;
  const again = datesOf({ start: first, from: first, horizon }, zone, parsed, []);
  return again !== null && again.length === ruled.size && again.every(({ wallClock }) => ruled.has(wallClock));
}
