// The dates of a series: rules, single dates added to them and left out, by the wall clock of one zone. A date is known
// by the wall clock at which the rules put it; the zone says which instant that is.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../kernel/time/civil-time.ts';
import { type RecurrenceBounds, type RuleFault, recurrenceStarts } from '../../../kernel/time/recurrence.ts';
import { type EpochSeconds, toInstant, type WallClock, type Zone } from '../../../kernel/time/zone.ts';

/** Most dates of one series up to its horizon. */
export const MAX_SERIES_DATES = 2_000;
/** Most rules of one series. */
export const MAX_SERIES_RULES = 10;

/** The last moment of a rule, as written: a whole day, a wall clock of the series' zone, or an instant (`…Z`). */
export interface RuleEnd {
  readonly kind: 'day' | 'wall-clock' | 'instant';
  readonly wallClock: WallClock;
}

export interface SeriesRule {
  /** The value of an RRULE without `UNTIL`. */
  readonly text: string;
  readonly end: RuleEnd | null;
}

export interface RuleSet {
  /** The first date, whether or not a rule yields it; all days start at 00:00:00. */
  readonly start: WallClock;
  readonly zone: Zone;
  readonly rules: readonly SeriesRule[];
  readonly added: readonly WallClock[];
  readonly skipped: readonly WallClock[];
}

export interface SeriesDate {
  /** Where the rules put it. In a gap of daylight saving the zone's clock shows a later time of the same day. */
  readonly wallClock: WallClock;
  readonly instant: EpochSeconds;
}

export interface RefusedRuleSet {
  readonly fault: RuleFault;
  /** One line for people, with the limit or what is allowed. */
  readonly detail: string;
}

const END = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;
/** More than any two zones differ, so that an instant bounds the wall clocks of every zone. */
const SLACK_SECONDS = 2 * SECONDS_PER_DAY;

/** Reads an RRULE, with or without its name. Whether it can be expanded is known from `seriesDates` alone. */
export function parseSeriesRule(value: string): SeriesRule | RefusedRuleSet {
  const parts = value
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';');
  const ends = parts.filter((part) => part.startsWith('UNTIL='));
  const text = parts.filter((part) => !ends.includes(part)).join(';');
  if (ends.length > 1) return { fault: 'invalid', detail: 'a rule has one UNTIL' };
  const [end] = ends;
  if (end === undefined) return { text, end: null };
  const written = end.slice('UNTIL='.length);
  const parsed = ruleEndOf(written);
  if (parsed) return { text, end: parsed };
  return { fault: 'invalid', detail: `UNTIL is a day (20301231) or a time (20301231T180000Z), not ${written}` };
}

function ruleEndOf(text: string): RuleEnd | null {
  const [, year, month, day, hour, minute = '00', second = '00', utc = ''] = END.exec(text) ?? [];
  if (year === undefined) return null;
  const wallClock = `${year}-${month}-${day} ${hour ?? '00'}:${minute}:${second}`;
  try {
    parseCivil(wallClock);
  } catch {
    return null;
  }
  if (hour === undefined) return { kind: 'day', wallClock };
  return { kind: utc === '' ? 'wall-clock' : 'instant', wallClock };
}

/**
 * The dates of a series up to an instant, in order. A skipped date still counts for `COUNT`, as in iCalendar. Of two
 * wall clocks that are one instant, as in a gap of daylight saving, the earlier one is the date.
 */
export function seriesDates(set: RuleSet, until: EpochSeconds): readonly SeriesDate[] | RefusedRuleSet {
  if (set.rules.length > MAX_SERIES_RULES)
    return { fault: 'too-many', detail: `a series has at most ${MAX_SERIES_RULES} rules` };
  const wallClocks = new Set([set.start, ...set.added]);
  for (const rule of set.rules) {
    const starts = startsOf(rule, set, until);
    if ('fault' in starts) return starts;
    for (const wallClock of starts) wallClocks.add(wallClock);
  }
  for (const skipped of set.skipped) wallClocks.delete(skipped);
  const byInstant = new Map<EpochSeconds, SeriesDate>();
  for (const wallClock of [...wallClocks].sort()) {
    const instant = toInstant(wallClock, set.zone);
    if (instant <= until && !byInstant.has(instant)) byInstant.set(instant, { wallClock, instant });
  }
  const dates = [...byInstant.values()].sort((one, other) => one.instant - other.instant);
  return dates.length > MAX_SERIES_DATES ? tooMany(until) : dates;
}

function startsOf(rule: SeriesRule, set: RuleSet, until: EpochSeconds): readonly WallClock[] | RefusedRuleSet {
  const starts = recurrenceStarts(rule.text, boundsOf(rule, set.start, until));
  if (!('fault' in starts)) return starts.filter((wallClock) => isWithin(wallClock, rule.end, set.zone));
  return starts.fault === 'too-many' ? tooMany(until) : starts;
}

function boundsOf({ end }: SeriesRule, first: WallClock, until: EpochSeconds): RecurrenceBounds {
  const last = Math.min(until, end ? parseCivil(end.wallClock) : until) + SLACK_SECONDS;
  // Dates within the slack are dropped again, so they must not count against the limit.
  return { first, last: formatCivil(last), most: 2 * MAX_SERIES_DATES };
}

/** The end is a date if the rule puts one there; a last day counts as a whole. */
export function isWithin(wallClock: WallClock, end: RuleEnd | null, zone: Zone): boolean {
  if (end === null) return true;
  if (end.kind === 'day') return wallClock.slice(0, 10) <= end.wallClock.slice(0, 10);
  if (end.kind === 'wall-clock') return wallClock <= end.wallClock;
  return toInstant(wallClock, zone) <= parseCivil(end.wallClock);
}

const tooMany = (until: EpochSeconds): RefusedRuleSet => ({
  fault: 'too-many',
  detail: `it has more than ${MAX_SERIES_DATES} dates until ${formatCivil(until).slice(0, 10)}`,
});
