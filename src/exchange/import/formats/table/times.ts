// Dates and times of tables, as people and programs write them.
import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { type DateInput, readDate, resolveDate, type WrittenDate } from '../../../../kernel/time/date-input.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../../../../kernel/time/zone.ts';
import { zoneOfWindows } from '../ical/ical-zones.ts';
import { fieldsNamed } from './headings.ts';
import { clockOf, clocksOf, dateText, daysOf, isWeekday } from './written-dates.ts';

interface TimesOfRow {
  readonly start: string;
  readonly startTime: string;
  readonly end: string;
  readonly endTime: string;
  readonly timezone: string;
  readonly allDay: boolean | undefined;
}

interface TimesContext {
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  /** `03/04/2030` is in April. */
  readonly isDayFirst: boolean;
}

type Times = NonNullable<EventInput['times']>;

const SLASHES = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(?:\d{4}|\d\d)(?!\d)/g;

/** Which comes first in a column of dates with slashes, where a number above 12 shows it; null where none does. */
export function orderShownBy(texts: readonly string[]): 'day first' | 'month first' | null {
  let isMonthFirst = false;
  for (const [, one = 0, other = 0] of texts.flatMap((text) => [...text.matchAll(SLASHES)])) {
    if (Number(one) > 12) return 'day first';
    isMonthFirst ||= Number(other) > 12;
  }
  return isMonthFirst ? 'month first' : null;
}

/** Notion writes `7:00 PM (EDT)`. */
const ZONE_IN_BRACKETS = /\s?\(([A-Z]{2,5}(?:[+-]\d{1,2}(?::\d\d)?)?)\)/;
const CLOCK = /\d:\d\d/;
const MIDNIGHT = ' 00:00:00';
const LAST_SECOND = ' 23:59:59';
const TIME_OF_DAY = /[ T]\d{1,2}:\d\d(?::\d\d)?.*$/i;

interface TimesRead {
  readonly times: Times;
  /** What stands for the end and cannot be read, such as `open end`: it is as if it were not there. Empty for none. */
  readonly unreadText: string;
}

/** A list of days: what is between two of them would be read as a time of day. */
const SEVERAL_DAYS = /\d{4}-\d\d-\d\d[\s,]+\d{4}-\d\d-\d\d/;

/** The times of a row, or why they are invalid. */
export function timesOf(cells: TimesOfRow, context: TimesContext): TimesRead | { readonly invalid: string } {
  if (cells.start === '') return { invalid: 'no start' };
  if (SEVERAL_DAYS.test(cells.start)) return { invalid: `start "${cells.start}" is not a date` };
  const [inBrackets = '', named = ''] = ZONE_IN_BRACKETS.exec(cells.start) ?? [];
  const startText = isWeekday(named) ? cells.start : cells.start.replace(inBrackets, '');
  const [first, last] = daysOf(startText, context) ?? [startText, ''];
  const row = { ...cells, start: first, timezone: cells.timezone || (isWeekday(named) ? '' : named) };
  const zone = zoneOf(row.timezone);
  if (zone === null) return { invalid: `the time zone "${row.timezone}" is not known` };
  function resolve(text: string): DateInput | null {
    const date = readDate(text);
    return date && isDay(date) ? resolveDate(date, { now: context.now, zone: zone ?? context.siteZone }) : null;
  }
  function readAt(date: string, time: string): DateInput | null {
    const day = dateText(date, context);
    if (day === null || clockOf(date) !== null) return null;
    const clock = clockOf(time) ?? time;
    const whole = resolve(`${day} ${clock}`.trim());
    // A program writes a midnight in front of the time.
    return whole || clock === '' ? whole : resolve(`${day.replace(TIME_OF_DAY, '')} ${clock}`);
  }
  /** Either cell of an end may hold what is none: what the other says counts, or else the start. */
  function endIn(start: DateInput) {
    const days = [row.end || last, last, ''];
    const ways: readonly Ending[] = [row.endTime, ''].flatMap((time) => days.map((day): Ending => [day, time]));
    for (const used of ways) {
      const [endDate, endTime] = endOf(used, range?.[1] ?? '');
      const moment = endDate === '' && endTime === '' ? start : readAt(endDate || dayOf(start, row.start), endTime);
      if (moment) return { used, endDate, endTime, end: moment };
    }
    return { used: ['', ''], endDate: '', endTime: '', end: start };
  }
  const isWholeDay = row.allDay === true || fieldsNamed(row.startTime).includes('all_day');
  const range = clocksOf(row.startTime);
  const start = readAt(row.start, isWholeDay && row.allDay !== true ? '' : (range?.[0] ?? row.startTime));
  if (!start) return { invalid: `start "${`${row.start} ${row.startTime}`.trim()}" is not a date` };
  const { used, endDate, endTime, ...ending } = endIn(start);
  let { end } = ending;
  const allDay = isWholeDay || !start.timeGiven;
  if (!allDay && !end.timeGiven) end = isSameDay(start, end) ? start : lastSecondOf(end);
  // An end before the start is on the next day, and midnight is the end of its day.
  const isMidnight = isSameDay(start, end) && clockText(end).includes(MIDNIGHT);
  if ((endDate === '' || isMidnight) && isBefore(end, start)) end = later(end, SECONDS_PER_DAY);
  if (isBefore(end, start)) return { invalid: `it ends (${clockText(end)}) before it starts (${clockText(start)})` };
  if (allDay && !isWholeDay && end.timeGiven)
    return { invalid: 'it has a time of day at which it ends, and none at which it starts' };
  // Outlook writes the midnight after the last day.
  if (allDay && endTime !== '' && isBefore(start, end) && clockText(end).includes(MIDNIGHT)) end = later(end, -1);
  const toInput = (one: DateInput): string => (allDay ? clockText(one).slice(0, 10) : clockText(one));
  return {
    times: { start: toInput(start), end: toInput(end), allDay, ...(zone && { timezone: zone.name }) },
    unreadText: [row.end, row.endTime].filter((text) => text !== '' && !used.includes(text)).join(' '),
  };
}

/** A month is no day, and neither is what counts from today: a table is read on another day than it was written. */
const isDay = ({ text, reading }: WrittenDate): boolean =>
  !/^\d{4}-W?\d\d(?: |$)/i.test(text) &&
  ('instant' in reading || reading.draft.monthDay !== null || typeof reading.draft.date?.day === 'number');

type Ending = readonly [date: string, time: string];

/** Day and time of the end, whichever of its columns holds them. */
function endOf([end, endTime]: Ending, rangeEnd: string): Ending {
  if (endTime === '' && clockOf(end) !== null) return ['', end];
  if (end === '' && endTime !== '' && clockOf(endTime) === null) return [endTime, ''];
  return [end, endTime === '' && !CLOCK.test(end) ? rangeEnd : endTime];
}

const isSameDay = (one: DateInput, other: DateInput): boolean =>
  clockText(one).slice(0, 10) === clockText(other).slice(0, 10);

const lastSecondOf = (day: DateInput): DateInput =>
  day.kind === 'wall' ? { ...day, wallClock: day.wallClock.replace(MIDNIGHT, LAST_SECOND) } : day;

/** Undefined: the site's. Null: unknown. */
const zoneOf = (text: string): Zone | null | undefined =>
  text === '' ? undefined : resolveZone((text !== 'UTC' && zoneOfWindows(text)) || text);

const dayOf = (start: DateInput, text: string): string => (start.kind === 'wall' ? start.wallClock.slice(0, 10) : text);

const secondsOf = (one: DateInput): number => (one.kind === 'wall' ? parseCivil(one.wallClock) : one.instant);

/** Wall clock or instant, as written. */
const isBefore = (one: DateInput, other: DateInput): boolean =>
  one.kind === other.kind && secondsOf(one) < secondsOf(other);

const later = (one: DateInput, seconds: number): DateInput =>
  one.kind === 'wall'
    ? { ...one, wallClock: formatCivil(parseCivil(one.wallClock) + seconds) }
    : { ...one, instant: one.instant + seconds };

const clockText = (one: DateInput): string => (one.kind === 'wall' ? one.wallClock : `${formatCivil(one.instant)}Z`);
