// What a recurrence rule of iCalendar says, in the shapes that there are words for.
import { daysInMonth, type WallClock } from '../../kernel/time/civil-time.ts';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Where in a month or year a date is. */
export type Place =
  | { readonly kind: 'day of month'; readonly day: number }
  | { readonly kind: 'date'; readonly month: number; readonly day: number }
  /** -1 is the last one. */
  | { readonly kind: 'nth'; readonly nth: number; readonly of: Weekday | 'working day' | 'day' };

/** `every`: 2 for every second one. No months are all of them. */
export type RuleShape =
  | { readonly kind: 'days'; readonly every: number; readonly months: readonly number[] }
  | {
      readonly kind: 'weekdays';
      readonly every: number;
      readonly days: readonly Weekday[];
      readonly months: readonly number[];
    }
  | {
      readonly kind: 'places';
      readonly every: number;
      readonly unit: 'months' | 'years';
      readonly months: readonly number[];
      readonly places: readonly Place[];
    }
  | {
      readonly kind: 'weeks of the year';
      readonly every: number;
      readonly weeks: readonly number[];
      readonly days: readonly Weekday[];
    };

interface NumberedDay {
  /** 0 for none. */
  readonly nth: number;
  readonly weekday: Weekday;
}

/** The parts of a rule, with what its start implies. */
interface Written {
  readonly every: number;
  readonly months: readonly number[];
  readonly monthDays: readonly number[];
  readonly weeks: readonly number[];
  readonly positions: readonly number[];
  readonly days: readonly NumberedDay[];
  readonly start: { readonly month: number; readonly day: number; readonly weekday: Weekday };
}

/** Longer lists are no sentence. */
const MAX_PLACES = 7;
const KNOWN = ['FREQ', 'INTERVAL', 'COUNT', 'WKST', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYWEEKNO', 'BYSETPOS'];
const LEAP_YEAR = 2024;

/** The shape of a rule, without its end and count; null if there are no words for it. */
export function shapeOf(rule: string, start: WallClock): RuleShape | null {
  const parts = new Map(rule.split(';').map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']));
  const isKnown = [...parts].every(([name, value]) => KNOWN.includes(name) || isTimeOf(start, name, value));
  const shape = isKnown ? shapeBy(parts.get('FREQ'), writtenOf(parts, start)) : null;
  return shape !== null && isSayable(shape) ? shape : null;
}

/** `BYHOUR=19` says nothing new about a series that starts at 19:00. */
function isTimeOf(start: WallClock, name: string, value: string): boolean {
  const [hour, minute, second] = start.slice(11).split(':').map(Number);
  const times: { readonly [part: string]: number | undefined } = { BYHOUR: hour, BYMINUTE: minute, BYSECOND: second };
  return times[name] !== undefined && Number(value) === times[name];
}

function writtenOf(parts: ReadonlyMap<string, string>, start: WallClock): Written {
  const members = (name: string): string[] => parts.get(name)?.split(',') ?? [];
  const numbers = (name: string): number[] => [...new Set(members(name).map(Number))].sort(fromTheEndLast);
  const [month = 1, day = 1] = start.slice(5, 10).split('-').map(Number);
  const dayOfWeek = new Date(`${start.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return {
    every: Number(parts.get('INTERVAL') ?? 1),
    months: numbers('BYMONTH'),
    monthDays: numbers('BYMONTHDAY'),
    weeks: numbers('BYWEEKNO'),
    positions: numbers('BYSETPOS'),
    days: members('BYDAY').flatMap(numberedDay),
    start: { month, day, weekday: WEEKDAYS[(dayOfWeek + 6) % 7] ?? 'MO' },
  };
}

/** The last day of a month, -1, comes behind its first. */
const fromTheEndLast = (one: number, other: number): number => Number(one < 0) - Number(other < 0) || one - other;

function numberedDay(text: string): NumberedDay[] {
  const weekday = WEEKDAYS.find((one) => text.endsWith(one));
  return weekday === undefined ? [] : [{ nth: Number(text.slice(0, -2)), weekday }];
}

function shapeBy(frequency: string | undefined, rule: Written): RuleShape | null {
  const { weeks } = rule;
  if (weeks.length > 0) return frequency === 'YEARLY' ? weekly(rule) : null;
  switch (frequency) {
    case 'DAILY':
      return daysOf(rule);
    case 'WEEKLY':
      return weekdaysOf(rule);
    case 'MONTHLY':
      return monthsOf(rule);
    case 'YEARLY':
      return yearsOf(rule);
    default:
      return null;
  }
}

const weekdaysIn = (days: readonly NumberedDay[]): Weekday[] =>
  WEEKDAYS.filter((weekday) => days.some((day) => day.weekday === weekday));

const areNumbered = (days: readonly NumberedDay[]): boolean => days.some(({ nth }) => nth !== 0);

function daysOf(rule: Written): RuleShape | null {
  const { every, months, monthDays, positions, days } = rule;
  if (positions.length > 0) return null;
  if (monthDays.length === 0 && days.length === 0) return { kind: 'days', every, months };
  // Every second day, if that is a Tuesday.
  if (every > 1) return null;
  return monthDays.length > 0 ? monthsOf(rule) : everyWeek(weekdaysIn(days), months);
}

function weekdaysOf({ every, months, monthDays, positions, days, start }: Written): RuleShape | null {
  if (positions.length > 0 || monthDays.length > 0) return null;
  const weekdays = days.length === 0 ? [start.weekday] : weekdaysIn(days);
  return every === 1 ? everyWeek(weekdays, months) : { kind: 'weekdays', every, days: weekdays, months };
}

const everyWeek = (days: readonly Weekday[], months: readonly number[]): RuleShape =>
  days.length === WEEKDAYS.length ? { kind: 'days', every: 1, months } : { kind: 'weekdays', every: 1, days, months };

function monthsOf(rule: Written): RuleShape | null {
  const { every, months, monthDays, positions, days, start } = rule;
  if (isEveryWeek(rule)) return everyWeek(weekdaysIn(days), months);
  const implied = monthDays.length === 0 && days.length === 0;
  const places = implied && positions.length === 0 ? [dayOfMonth(start.day)] : placesOf(rule);
  if (places === null) return null;
  if (months.length === 0) return { kind: 'places', every, unit: 'months', months, places };
  return every === 1
    ? { kind: 'places', every, unit: 'years', months, places: datesOf(months, places) ?? places }
    : null;
}

/** Every month on Tuesdays is every Tuesday. */
const isEveryWeek = ({ every, monthDays, positions, days }: Written): boolean =>
  every === 1 && days.length > 0 && !areNumbered(days) && monthDays.length === 0 && positions.length === 0;

function yearsOf(rule: Written): RuleShape | null {
  const { every, months, monthDays, positions, days, start } = rule;
  if (isEveryWeek(rule)) return everyWeek(weekdaysIn(days), months);
  // Positions count through the whole year.
  if (positions.length > 0 && months.length !== 1) return null;
  if (monthDays.length > 0 && months.length === 0) return every === 1 ? monthsOf(rule) : null;
  const implied = monthDays.length === 0 && days.length === 0;
  const [ownMonths, places] = implied
    ? [months.length === 0 ? [start.month] : months, [dayOfMonth(start.day)]]
    : [months, placesOf(rule)];
  if (places === null || (implied && positions.length > 0)) return null;
  const dates = datesOf(ownMonths, places);
  return { kind: 'places', every, unit: 'years', months: ownMonths, places: dates ?? places };
}

function weekly({ every, months, monthDays, positions, weeks, days }: Written): RuleShape | null {
  if (months.length + monthDays.length + positions.length > 0 || days.length === 0) return null;
  return weeks.every((week) => week > 0) ? { kind: 'weeks of the year', every, weeks, days: weekdaysIn(days) } : null;
}

const dayOfMonth = (day: number): Place =>
  day > 0 ? { kind: 'day of month', day } : { kind: 'nth', nth: day, of: 'day' };

/** Where in a month, or in a year without months; null for Friday the 13th and the like. */
function placesOf({ monthDays, positions, days }: Written): Place[] | null {
  if (monthDays.length > 0) return days.length + positions.length > 0 ? null : monthDays.map(dayOfMonth);
  if (positions.length === 0)
    return days.every(({ nth }) => nth !== 0)
      ? days.map(({ nth, weekday }) => ({ kind: 'nth', nth, of: weekday }))
      : null;
  if (areNumbered(days)) return null;
  const weekdays = weekdaysIn(days);
  if (weekdays.length === WEEKDAYS.length) return positions.map(dayOfMonth);
  const of = weekdays.length === 1 ? weekdays[0] : weekdays.join() === 'MO,TU,WE,TH,FR' ? 'working day' : undefined;
  return of === undefined ? null : positions.map((nth) => ({ kind: 'nth', nth, of }));
}

/** Days of months as dates of the year; null if there are other places, or too many dates. */
function datesOf(months: readonly number[], places: readonly Place[]): Place[] | null {
  if (months.length === 0 || months.length * places.length > MAX_PLACES) return null;
  const dates = months.flatMap((month) =>
    places.flatMap((place): Place[] =>
      place.kind === 'day of month' ? [{ kind: 'date', month, day: place.day }] : [],
    ),
  );
  return dates.length === months.length * places.length ? dates : null;
}

/** A list of some length, of days that exist. */
function isSayable(shape: RuleShape): boolean {
  if (!Number.isInteger(shape.every) || shape.every < 1) return false;
  if (shape.kind === 'days') return true;
  if (shape.kind === 'weekdays') return shape.days.length > 0;
  if (shape.kind === 'weeks of the year') return shape.weeks.length <= MAX_PLACES;
  return shape.places.length > 0 && shape.places.length <= MAX_PLACES && shape.places.every(hasWords);
}

function hasWords(place: Place): boolean {
  switch (place.kind) {
    case 'day of month':
      return place.day <= 31;
    case 'date':
      return place.day <= daysInMonth(LEAP_YEAR, place.month);
    case 'nth':
      return place.nth >= -2 && place.nth <= 53;
  }
}
