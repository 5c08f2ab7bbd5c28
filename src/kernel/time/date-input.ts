// Dates as clients send them: ISO and other written forms, relative words, Unix seconds. COMPAT: the forms, and the
// treatment of bare numbers, follow the REST API v1 of The Events Calendar.

import {
  type CivilTime,
  civilFromSeconds,
  civilSeconds,
  dayNumber,
  daysInMonth,
  formatCivil,
  SECONDS_PER_DAY,
  weekdayOf,
} from './civil-time.ts';
import { type DateDraft, type DraftDate, type MonthDay, readDateText } from './date-grammar.ts';
import { type EpochSeconds, toInstant, toWallClock, type WallClock, type Zone } from './zone.ts';

/** A date by the grammar alone: in no zone and at no time yet, so it is read once and resolved where these are known. */
export interface WrittenDate {
  /** As it was sent. */
  readonly text: string;
  readonly reading: { readonly instant: EpochSeconds } | { readonly draft: DateDraft };
}

/** A date as it was sent, or as it has been read already. */
export type DateValue = string | number | WrittenDate;

/** What a date means. `timeGiven` is false if only a day was named; the time is then 00:00:00. */
export type DateInput =
  /** No offset was given: local time in the zone of the parameter. It may be in a spring gap. */
  | { readonly kind: 'wall'; readonly wallClock: WallClock; readonly timeGiven: boolean }
  /** An offset, a zone or Unix seconds were given, or the text counts from now in hours or smaller units. */
  | { readonly kind: 'instant'; readonly instant: EpochSeconds; readonly timeGiven: boolean };

/** The base of relative words: the clock in Unix seconds, and the zone whose days are meant. */
interface DateContext {
  readonly now: EpochSeconds;
  readonly zone: Zone;
}

/** 1000-01-01 00:00 UTC. */
const FIRST_START = -30_610_224_000;

const MAX_LENGTH = 128;
/** The years 1..9999 in UTC. */
const FIRST_INSTANT = -62_135_596_800;
const LAST_INSTANT = 253_402_300_799;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const UNIX_SECONDS = /^@(-?\d+)(?:\.\d*)?$/;

/**
 * Reads a client's date, or null where the grammar does not know it. Numbers and numeric texts (`2027`, `1.8e9`) are Unix
 * seconds without fractions.
 */
export function readDate(value: string | number): WrittenDate | null {
  const original = String(value);
  if (typeof value === 'number') return fromUnixSeconds(value, original);
  if (value.length > MAX_LENGTH) return null;
  // Blanks include the narrow ones that browsers put before AM and PM.
  const text = value.trim().toLowerCase().replace(/\s+/g, ' ');
  const unixSeconds = NUMERIC.test(text) ? text : UNIX_SECONDS.exec(text)?.[1];
  if (unixSeconds !== undefined) return fromUnixSeconds(Number(unixSeconds), original);
  const draft = readDateText(text);
  return draft && { text: original, reading: { draft } };
}

/**
 * The meaning of a date, or null if it cannot be read, names a day or time that does not exist, or means Unix time 0. A
 * text without an offset is kept as wall clock; words such as `tomorrow` are resolved against `context.now` in
 * `context.zone`.
 */
export function resolveDate(value: DateValue, context: DateContext): DateInput | null {
  const written = typeof value === 'object' ? value : readDate(value);
  if (written === null) return null;
  const { reading } = written;
  const resolved: DateInput | null =
    'instant' in reading ? { kind: 'instant', ...reading, timeGiven: true } : fromDraft(reading.draft, context);
  if (resolved === null) return null;
  if (resolved.kind === 'instant' && !isExpressible(resolved.instant)) return null;
  return toInstantIn(resolved, context.zone) === 0 ? null : resolved;
}

/** The instant of an input; a wall clock is read in `zone`. */
export function toInstantIn(input: DateInput, zone: Zone): EpochSeconds {
  return input.kind === 'instant' ? input.instant : toInstant(input.wallClock, zone);
}

/** The instant that a date means; null as by `resolveDate`. */
export function resolveInstant(value: DateValue, context: DateContext): EpochSeconds | null {
  const input = resolveDate(value, context);
  return input && toInstantIn(input, context.zone);
}

/**
 * Whether a date is before the year 1000: nothing takes place then, so it is a slip, of two digits or three. A wall clock is
 * judged as it is written: 1000-01-01 is taken in every zone.
 */
export function isTooEarly(input: DateInput): boolean {
  return input.kind === 'instant' ? input.instant < FIRST_START : input.wallClock < '1000';
}

function isExpressible(instant: EpochSeconds): boolean {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT;
}

function fromUnixSeconds(value: number, text: string): WrittenDate | null {
  const instant = Math.trunc(value);
  return isExpressible(instant) ? { text, reading: { instant } } : null;
}

function fromDraft(draft: DateDraft, { now, zone }: DateContext): DateInput | null {
  const resolved = resolveDraft(draft, now, draft.zone ?? zone);
  if (resolved === null || draft.zone === null || resolved.kind === 'instant') return resolved;
  // Naming the very zone that is meant says no more than leaving it out.
  if (zone.isNamed && draft.zone.name.toLowerCase() === zone.name.toLowerCase()) return resolved;
  return { kind: 'instant', instant: toInstant(resolved.wallClock, draft.zone), timeGiven: resolved.timeGiven };
}

const NUMERIC_DATE = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)/;
const MONTHS = 12;

/** Whether swapping day and month of a date gives another valid date: `04/01/2027`, `4.1.2027`. */
export function isAmbiguousDate(date: Pick<WrittenDate, 'text'> | undefined): boolean {
  const [, one, , other] = NUMERIC_DATE.exec(date?.text ?? '') ?? [];
  return Number(one) <= MONTHS && Number(other) <= MONTHS && Number(one) !== Number(other);
}

// Resolves a date draft to a moment, relative to the present in a zone. COMPAT: resolves relative words in the same
// order as PHP's `strtotime`.

/** A moment in the draft's terms: a wall clock of `zone`, or the present moved by exact seconds. */
type ResolvedDate =
  | { readonly kind: 'wall'; readonly wallClock: WallClock; readonly timeGiven: boolean }
  | { readonly kind: 'instant'; readonly instant: EpochSeconds; readonly timeGiven: boolean };

interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The moment that a draft means at `now`, or null if its day does not exist or is outside the years 1..9999. Days,
 * months and years are counted on the wall clock, hours and smaller units in elapsed time, so `+24 hours` and `+1 day`
 * differ across a change to daylight saving.
 */
function resolveDraft(draft: DateDraft, now: EpochSeconds, zone: Zone): ResolvedDate | null {
  if (countsFromNowOnly(draft)) return { kind: 'instant', instant: now + draft.seconds, timeGiven: true };
  const present = civilFromSeconds(now + zone.offsetAt(now));
  const date = dateOf(draft.date, present);
  const moved = date === null ? null : moveDate(draft, date);
  if (moved === null) return null;
  const seconds = civilSeconds({ ...moved, ...timeOf(draft, present) });
  if (!isWithinYears(seconds)) return null;
  const timeGiven = draft.time !== null || draft.seconds !== 0 || keepsPresentTime(draft);
  const wallClock = addElapsed(formatCivil(seconds), draft.seconds, zone);
  return wallClock === null ? null : { kind: 'wall', wallClock, timeGiven };
}

function keepsPresentTime(draft: DateDraft): boolean {
  return draft.time === null && draft.date === null && !draft.fromMidnight;
}

function countsFromNowOnly(draft: DateDraft): boolean {
  const staysOnDay = draft.days === 0 && draft.months === 0 && draft.years === 0 && draft.monthDay === null;
  return keepsPresentTime(draft) && staysOnDay;
}

function timeOf(draft: DateDraft, present: CivilTime): Pick<CivilTime, 'hour' | 'minute' | 'second'> {
  if (draft.time !== null) return draft.time;
  if (!keepsPresentTime(draft)) return { hour: 0, minute: 0, second: 0 };
  return { hour: present.hour, minute: present.minute, second: present.second };
}

function dateOf(written: DraftDate | null, present: CivilDate): CivilDate | null {
  if (written === null) return { year: present.year, month: present.month, day: present.day };
  const year = written.year ?? present.year;
  const length = daysInMonth(year, written.month);
  // A month alone keeps today's day of the month, clamped to that month.
  const day = written.day ?? Math.min(present.day, length);
  if (year < 1 || day < 1 || day > length) return null;
  return { year, month: written.month, day };
}

function moveDate(draft: DateDraft, date: CivilDate): CivilDate | null {
  const weekdayShift = draft.weekday === null ? 0 : daysToWeekday(draft, date);
  const year = date.year + draft.years;
  const month = date.month + draft.months;
  if (draft.monthDay === null) return { year, month, day: date.day + weekdayShift + draft.days };
  const day = dayOfMonth(draft.monthDay, year, month);
  return day === null ? null : { year, month, day: day + draft.days };
}

function daysToWeekday(draft: DateDraft, date: CivilDate): number {
  if (draft.weekday === null) return 0;
  const { day: weekday, counting } = draft.weekday;
  const today = weekdayOf(dayNumber(date.year, date.month, date.day));
  if (draft.weekNamed) return mondayBased(weekday) - mondayBased(today);
  const ahead = (weekday - today + 7) % 7;
  // Counting back ("last monday") also starts from the coming one, which may be today's.
  const skipsToday = counting === 'after' && draft.days >= 0;
  return ahead === 0 && skipsToday ? 7 : ahead;
}

function mondayBased(weekday: number): number {
  return (weekday + 6) % 7;
}

function dayOfMonth(monthDay: MonthDay, year: number, month: number): number | null {
  const first = dayNumber(year, month, 1);
  const length = dayNumber(year, month + 1, 1) - first;
  if (monthDay.kind === 'first') return 1;
  if (monthDay.kind === 'last') return length;
  const earliest = 1 + ((monthDay.weekday - weekdayOf(first) + 7) % 7);
  if (monthDay.nth < 0) return earliest + 7 * Math.floor((length - earliest) / 7);
  const day = earliest + 7 * (monthDay.nth - 1);
  return day <= length ? day : null;
}

function isWithinYears(seconds: number): boolean {
  return seconds >= dayNumber(1, 1, 1) * SECONDS_PER_DAY && seconds < dayNumber(10_000, 1, 1) * SECONDS_PER_DAY;
}

function addElapsed(wallClock: WallClock, seconds: number, zone: Zone): WallClock | null {
  if (seconds === 0) return wallClock;
  const instant = toInstant(wallClock, zone) + seconds;
  return isWithinYears(instant + zone.offsetAt(instant)) ? toWallClock(instant, zone) : null;
}
