// Recurrence rules of iCalendar (RFC 5545) by wall clock alone, so that rules of zones stay in one place: what a rule
// yields is mapped to instants by `zone.ts`. Wraps rrule-rust; no other file uses that package.
// decision 20: why it is rrule-rust.

import { RRuleSet } from 'rrule-rust';
import { errorText } from '../text/error-text.ts';
import { civilSeconds, dayNumber, daysInMonth, formatCivil, type WallClock } from './civil-time.ts';

/** Why a rule has no dates: it is no rule, never yields a date, or yields more than were asked for. */
export type RuleFault = 'invalid' | 'never' | 'too-many';

export interface RefusedRule {
  readonly fault: RuleFault;
  /** One line for people. */
  readonly detail: string;
}

/** The part of time in which a rule is expanded. */
export interface RecurrenceBounds {
  /** The wall clock that the rule counts from; not a date of its own unless the rule yields it. */
  readonly first: WallClock;
  /** The last wall clock that may be yielded. */
  readonly last: WallClock;
  /** Most dates; a rule with more of them is refused. */
  readonly most: number;
}

const PART = /^([A-Z-]+)=([^=]+)$/;
const NAMES =
  'FREQ INTERVAL COUNT UNTIL BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS WKST RSCALE SKIP'.split(
    ' ',
  );
const VALUE = /^[A-Z0-9,-]+$/;
/** By what these may be limited: the package gives up, and does not say so, where the next date is 100,000 steps ahead. */
const LIMITS_OF_FINE: Readonly<Record<string, readonly string[]>> = {
  MINUTELY: ['BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND'],
  SECONDLY: ['BYHOUR', 'BYMINUTE', 'BYSECOND'],
};
const COUNTED = ['BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS'];

/**
 * The wall clocks that a rule yields, in order. `rule` is the value of an RRULE without `UNTIL`: an end is an instant or
 * a day, so it is for the caller to know (`last` is an upper bound of it). A rule that yields nothing up to `last` has
 * no dates; one that never yields anything is refused.
 */
export function recurrenceStarts(rule: string, bounds: RecurrenceBounds): readonly WallClock[] | RefusedRule {
  const parts = partsOf(rule);
  const detail = faultOf(parts);
  if (detail !== null) return { fault: 'invalid', detail };
  const limits = LIMITS_OF_FINE[parts.get('FREQ') ?? ''];
  if (limits && [...parts.keys()].some((name) => name.startsWith('BY') && !limits.includes(name)))
    return { fault: 'too-many', detail: `it repeats too often to be limited by other parts than ${limits.join(', ')}` };
  if (bounds.last < bounds.first) return [];
  try {
    return startsOf(rulesOf(parts), Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY), bounds);
  } catch (error) {
    return { fault: 'invalid', detail: errorText(error) };
  }
}

/** Why a text is no rule that can be followed, as far as that can be told without its dates; null for a rule. */
export function ruleProblem(rule: string): string | null {
  const parts = partsOf(rule);
  const detail = faultOf(parts);
  if (detail !== null) return detail;
  try {
    for (const { text } of rulesOf(parts)) RRuleSet.parse(`DTSTART:20000101T000000Z\nRRULE:${text}`);
    return null;
  } catch (error) {
    return errorText(error);
  }
}

/** A rule of which only some dates are meant. */
interface PartOfRule {
  readonly text: string;
  readonly isMeant: (wallClock: WallClock) => boolean;
}

function startsOf(
  rules: readonly PartOfRule[],
  count: number,
  { first, last, most }: RecurrenceBounds,
): readonly WallClock[] | RefusedRule {
  if (rules.every(({ text }) => datesOf(text, first, 1).length === 0))
    return { fault: 'never', detail: 'it names only days or times that never come' };
  const dateLists = rules.map(({ text }) => datesOf(`${text};UNTIL=${basic(last)}`, first, most + 1));
  if (dateLists.some(({ length }) => length > most))
    return { fault: 'too-many', detail: `it has more than ${most} dates` };
  const meant = dateLists.flatMap((starts, at) => starts.filter(rules[at]?.isMeant ?? (() => true)));
  return (rules.length === 1 ? meant : [...new Set(meant)].sort()).slice(0, count);
}

/**
 * The rules that have the dates of a rule together. The package takes weekdays with and without numbers for limits of each
 * other, and knows no -5MO of months and no -53MO of years; `COUNT` is left to the caller where there are several.
 */
function rulesOf(parts: ReadonlyMap<string, string>): readonly PartOfRule[] {
  const byDay = parts.get('BYDAY');
  const whole = (days: readonly string[], others = parts): PartOfRule => ({
    text: written(new Map([...others, ['BYDAY', days.join(',')]])),
    isMeant: () => true,
  });
  if (byDay === undefined) return [{ text: written(parts), isMeant: () => true }];
  const days = byDay.split(',');
  if (!hasNumberedDays(parts)) return [whole(days.map((day) => day.replace(NUMBER, '')))];
  const weeks = parts.get('FREQ') === 'YEARLY' && !parts.has('BYMONTH') ? 53 : 5;
  const numbers = Array.from({ length: weeks }, (_, index) => index + 1);
  const numbered = days.some((day) => NUMBER.test(day))
    ? days.flatMap((day) => (NUMBER.test(day) ? [day] : numbers.map((number) => `${number}${day}`)))
    : days;
  const isFarthest = (day: string): boolean => NUMBER.exec(day)?.[0] === `-${weeks}`;
  const farthest = numbered.filter(isFarthest);
  if (farthest.length === 0) return [whole(numbered)];
  if (parts.has('BYSETPOS')) throw new Error(`BYSETPOS cannot choose from BYDAY=${farthest[0]}`);
  const others = numbered.filter((day) => !isFarthest(day));
  const uncounted = new Map([...parts].filter(([name]) => name !== 'COUNT'));
  return [
    ...(others.length === 0 ? [] : [whole(others, uncounted)]),
    {
      ...whole(
        farthest.map((day) => day.replace(NUMBER, '')),
        uncounted,
      ),
      isMeant: (wallClock) => daysLeft(wallClock, weeks === 53 ? 'year' : 'month') >= (weeks - 1) * 7,
    },
  ];
}

/** The days of a year or month behind the day of a wall clock. */
function daysLeft(wallClock: WallClock, of: 'year' | 'month'): number {
  const [year = 0, month = 0, day = 0] = wallClock.slice(0, 10).split('-').map(Number);
  if (of === 'month') return daysInMonth(year, month) - day;
  return dayNumber(year + 1, 1, 1) - dayNumber(year, month, day) - 1;
}

const written = (parts: ReadonlyMap<string, string>): string =>
  [...parts].map(([name, value]) => `${name}=${value}`).join(';');

const basic = (wallClock: WallClock): string => `${wallClock.replace(/[-:]/g, '').replace(' ', 'T')}Z`;

// UTC has no gaps and no repeated hours, so its times are wall clocks.
const datesOf = (rule: string, first: WallClock, most: number): WallClock[] =>
  RRuleSet.parse(`DTSTART:${basic(first)}\nRRULE:${rule}`)
    .all(most)
    .map(({ year, month, day, hour, minute, second }) =>
      formatCivil(civilSeconds({ year, month, day, hour, minute, second })),
    );

function partsOf(rule: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of rule.toUpperCase().replace(/;+$/, '').replaceAll('+', '').split(';')) {
    const [, name = part, value = ''] = PART.exec(part) ?? [];
    parts.set(parts.has(name) ? `a second ${name}` : name, value);
  }
  return parts;
}

const NUMBER = /^-?\d+/;

/** Elsewhere a number before a weekday means nothing, and is ignored by other readers as well: `1MO` is `MO`. */
const hasNumberedDays = (parts: ReadonlyMap<string, string>): boolean =>
  ['MONTHLY', 'YEARLY'].includes(parts.get('FREQ') ?? '') && !parts.has('BYWEEKNO');

/** What the package would read as something else, or not at all. */
function faultOf(parts: ReadonlyMap<string, string>): string | null {
  if (!parts.has('FREQ') || ![...parts.values()].every((value) => VALUE.test(value)))
    return 'a rule is written like FREQ=WEEKLY;BYDAY=TU';
  if (parts.has('UNTIL')) return 'UNTIL belongs to the end of a rule';
  const unknown = [...parts.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return `${unknown} is no part of a rule; try one of ${NAMES.join(', ')}`;
  for (const name of ['INTERVAL', 'COUNT']) {
    const value = parts.get(name);
    if (value !== undefined && !/^0*[1-9]\d*$/.test(value)) return `${name} is a number from 1`;
  }
  const zero = COUNTED.find((name) =>
    parts
      .get(name)
      ?.split(',')
      .some((value) => Number(value) === 0),
  );
  if (zero !== undefined) return `${zero} has no 0`;
  const scale = parts.get('RSCALE') ?? 'GREGORIAN';
  if (scale !== 'GREGORIAN') return `the calendar ${scale} is not known, only GREGORIAN`;
  if ((parts.get('SKIP') ?? 'OMIT') !== 'OMIT') return 'days that a month does not have are left out (SKIP=OMIT)';
  return null;
}
