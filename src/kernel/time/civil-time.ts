// Arithmetic of the proleptic Gregorian calendar without zones. Seconds count from 1970-01-01 00:00:00 of the same wall
// clock, not of UTC.

/** Local date and time without a zone: `YYYY-MM-DD HH:MM:SS`, 24 hours. */
export type WallClock = string;

/** The parts of a wall clock; `month` and `day` count from 1. */
export type CivilTime = Readonly<ReturnType<typeof civilFromSeconds>>;

export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;

const DAYS_PER_ERA = 146_097;
const DAYS_BEFORE_EPOCH = 719_468;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** 0000-01-01 00:00:00 and 9999-12-31 23:59:59. */
const FIRST_READING = -62_167_219_200;
const LAST_READING = 253_402_300_799;
const WALL_CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Days of a month (1..12) of a year; 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** Days from 1970-01-01 to the given date. Months and days outside their range roll over. */
export function dayNumber(year: number, month: number, day: number): number {
  const carriedYear = year + Math.floor((month - 1) / 12);
  const carriedMonth = ((((month - 1) % 12) + 12) % 12) + 1;
  // Counting years from March puts the leap day last, so the start of every month has a closed formula.
  const marchYear = carriedMonth <= 2 ? carriedYear - 1 : carriedYear;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const monthFromMarch = (carriedMonth + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_BEFORE_EPOCH + day - 1;
}

/** Day of the week of a day number: 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Seconds from 1970-01-01 00:00:00 of the same wall clock; every field may be out of range and rolls over. */
export function civilSeconds(time: CivilTime): number {
  const day = dayNumber(time.year, time.month, time.day);
  return day * SECONDS_PER_DAY + time.hour * SECONDS_PER_HOUR + time.minute * 60 + time.second;
}

/** The inverse of `civilSeconds`, with all fields in range. */
export function civilFromSeconds(seconds: number) {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const rest = seconds - days * SECONDS_PER_DAY;
  const shifted = days + DAYS_BEFORE_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    hour: Math.floor(rest / SECONDS_PER_HOUR),
    minute: Math.floor((rest % SECONDS_PER_HOUR) / 60),
    second: rest % 60,
  };
}

/**
 * `YYYY-MM-DD HH:MM:SS` of whole seconds from 1970-01-01 00:00:00 of the same wall clock. Values outside the years
 * 0..9999, which four digits cannot express, become the first or last one: at the end of 9999 some zones are in 10000.
 */
export function formatCivil(seconds: number): WallClock {
  if (!Number.isInteger(seconds)) throw new RangeError(`not whole seconds: ${seconds}`);
  const time = civilFromSeconds(Math.max(FIRST_READING, Math.min(LAST_READING, seconds)));
  const date = `${String(time.year).padStart(4, '0')}-${pad(time.month)}-${pad(time.day)}`;
  return `${date} ${pad(time.hour)}:${pad(time.minute)}:${pad(time.second)}`;
}

/**
 * Seconds from 1970-01-01 00:00:00 of the same wall clock. Throws a RangeError for a text that is not a `WallClock`, or
 * a day or time that does not exist.
 */
export function parseCivil(text: WallClock): number {
  if (!WALL_CLOCK.test(text)) throw new RangeError('not a wall clock: YYYY-MM-DD HH:MM:SS expected');
  // Each list by dates reads a dozen of them: a third of the time that groups of the pattern take.
  const part = (from: number, to: number): number => Number(text.slice(from, to));
  const [year, month, day] = [part(0, 4), part(5, 7), part(8, 10)];
  const [hour, minute, second] = [part(11, 13), part(14, 16), part(17, 19)];
  const exists = day >= 1 && day <= daysInMonth(year, month) && hour < 24 && minute < 60 && second < 60;
  if (!exists) throw new RangeError('this wall clock shows a day or time that does not exist');
  return civilSeconds({ year, month, day, hour, minute, second });
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
