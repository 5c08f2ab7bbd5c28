// Dates in the words of a language. Wall clocks are formatted as they are: the zone is named beside them.
import { dayNumber } from '../kernel/time/civil-time.ts';
import { type EpochSeconds, toInstant, toWallClock, type WallClock, type Zone } from '../kernel/time/zone.ts';
import type { Language } from '../locales/language.ts';
import { DAY_STYLE, TIME_STYLE } from './assets/written-dates.js';

/** A day, `2026-12-05`. */
export type Day = string;
/** `2026-12`. */
export type Month = string;

const SECONDS_PER_DAY = 86_400;

type Style = 'long' | 'medium' | 'time' | 'month' | 'weekday' | 'shortWeekday' | 'day' | 'shortMonth';

const STYLES: { readonly [Name in Style]: Intl.DateTimeFormatOptions } = {
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  medium: DAY_STYLE,
  time: TIME_STYLE,
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  day: { day: 'numeric' },
  shortMonth: { month: 'short' },
};

/** Making a formatter takes longer than a page. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(language: string, style: Style): Intl.DateTimeFormat {
  const key = `${language} ${style}`;
  const format = formatters.get(key) ?? new Intl.DateTimeFormat(language, { ...STYLES[style], timeZone: 'UTC' });
  formatters.set(key, format);
  return format;
}

/** Makes the formatters of a language, so that its first page does not have to. */
export function prepareDates(language: string): void {
  for (const style of Object.keys(STYLES)) formatter(language, style as Style); // Its keys.
}

const asDate = (at: WallClock | Day): Date => new Date(`${at.slice(0, 10)}T${at.slice(11) || '00:00:00'}Z`);

/** `Saturday, 5 December 2026`, `19:00`, `December 2026` and so on. */
export const dateText = (language: string, style: Style, at: WallClock | Day): string =>
  joined(style, formatter(language, style).format(asDate(at)));

/** `8:30 PM` stays on one line, and so does `10:30 PM CET`. */
const joined = (style: Style, text: string): string => (style === 'time' ? text.replaceAll(' ', '\u00a0') : text);

/** The parts of an event that say when it is. */
interface Times {
  readonly all_day: boolean | null;
  readonly start_date: WallClock;
  readonly end_date: WallClock;
  readonly timezone_abbr: string;
}

/** For whom times are written. */
interface Reader {
  readonly language: Pick<Language, 'code'>;
  readonly siteZone: Zone;
}

/** When an event is, in a list: the zone of the site goes without saying. */
export const whenInList = (
  { language, siteZone }: Reader,
  { timezone, ...times }: Times & { readonly timezone: string },
): string => whenText(language.code, timezone === siteZone.name ? { ...times, timezone_abbr: '' } : times, 'medium');

/** When an event is: `Saturday, 5 December 2026, 19:00 – 22:00 CET`. */
export function whenText(language: string, times: Times, style: 'long' | 'medium'): string {
  const { start_date: start, end_date: end } = times;
  const isOneDay = dayOf(start) === dayOf(end);
  const first = dateText(language, style, start);
  if (times.all_day === true) return isOneDay ? first : `${first} – ${dateText(language, style, end)}`;
  const from = dayWithTime(language, first, start);
  const zone = times.timezone_abbr && `\u00a0${times.timezone_abbr}`;
  if (start === end) return `${from}${zone}`;
  // Hours stay beside one another: lines may break behind a dash, unless a word joiner is there.
  if (isOneDay) return `${from}\u00a0–\u2060\u00a0${dateText(language, 'time', end)}${zone}`;
  return `${from} – ${dayWithTime(language, dateText(language, style, end), end)}${zone}`;
}

/** `5 Dec 2026, 19:00`. */
export const momentText = (language: string, at: WallClock, style: 'long' | 'medium' = 'medium'): string =>
  dayWithTime(language, dateText(language, style, at), at);

/** Japanese has no comma between them. */
const dayWithTime = (language: string, day: string, at: WallClock): string =>
  `${day}${language === 'ja' ? ' ' : ', '}${dateText(language, 'time', at)}`;

/** A sentence of the API, which writes times as `2026-12-05 19:00:00`. */
export const inLanguage = ({ code }: Pick<Language, 'code'>, sentence: string): string =>
  sentence.replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, (at) =>
    Number.isNaN(asDate(at).getTime()) ? at : momentText(code, at),
  );

/** The words for an instant, as the API writes it or in seconds, in the zone of the site. */
export const siteMomentText = ({ language, siteZone }: Reader, at: string | EpochSeconds): string =>
  momentText(language.code, toWallClock(typeof at === 'string' ? Math.floor(Date.parse(at) / 1000) : at, siteZone));

export const dayOf = (at: WallClock): Day => at.slice(0, 10);
export const monthOf = (day: Day): Month => day.slice(0, 7);

export const todayIn = (zone: Zone, now: EpochSeconds): Day => dayOf(toWallClock(now, zone));

/** Days since 1970. */
function numberOf(day: Day): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return dayNumber(year, month, date);
}

const dayNumbered = (number: number): Day => new Date(number * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);

export const addDays = (day: Day, days: number): Day => dayNumbered(numberOf(day) + days);

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: Day): number => new Date(numberOf(day) * SECONDS_PER_DAY * 1000).getUTCDay() || 7;

/** The first day of the week that contains this one: a Monday. */
export const weekOf = (day: Day): Day => addDays(day, 1 - weekdayOf(day));

export function addMonths(month: Month, months: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

export const daysOfMonth = (month: Month): readonly [first: Day, last: Day] => [
  `${month}-01`,
  addDays(`${addMonths(month, 1)}-01`, -1),
];

/** The weeks that a month's days are in, each from Monday to Sunday. */
export function weeksOf(month: Month): Day[][] {
  const weeks: Day[][] = [];
  for (let monday = weekOf(`${month}-01`); monthOf(monday) <= month; monday = addDays(monday, 7))
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((days) => addDays(monday, days)));
  return weeks;
}

/** Whether this is a day of the years that pages are made for. */
export const isDay = (text: string): boolean =>
  /^(?:19|20|21)\d\d-\d\d-\d\d$/.test(text) && dayNumbered(numberOf(text)) === text;

export const isMonth = (text: string): boolean => isDay(`${text}-01`);

/** The first instant of a day. */
export const startOf = (day: Day, zone: Zone): EpochSeconds => toInstant(`${day} 00:00:00`, zone);
