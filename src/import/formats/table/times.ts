// Dates and times of tables, as people and programs write them.
import type { EventInput } from '../../../domain/calendar-event.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../time/civil-time.ts';
import { type DateInput, resolveDate } from '../../../time/date-input.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../../../time/zone.ts';
import { zoneOfWindows } from '../ical/ical-zones.ts';

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

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/;

/** Whether the day precedes the month in a column of dates: some first number is above 12. */
export const hasDayFirst = (texts: Iterable<string>): boolean => {
  for (const text of texts) if (Number(SLASHES.exec(text.trim())?.[1] ?? 0) > 12) return true;
  return false;
};

const TIME_ONLY = /^\d{1,2}(?:[:.h]\d{2}(?::\d{2})?)?\s*(?:[ap]\.?m\.?)?(?:\s*uhr)?$/i;

const CLOCK = /\d:\d\d/;

/** `May 31, 2030 - 4:00pm to 6:00pm`: a column of dates with times begins with the start. */
const withoutRange = (date: string): string => date.replace(/\s+-\s+/, ' ').replace(/\s+(?:to|-)\s+.*$/, '');

/** The times of a row, or why they are invalid. */
export function timesOf(
  row: TimesOfRow,
  context: TimesContext,
): { readonly times: Times } | { readonly invalid: string } {
  if (row.start === '') return { invalid: 'no start' };
  const zone = zoneOf(row.timezone);
  if (zone === null) return { invalid: `the time zone "${row.timezone}" is not known` };
  const read = (date: string, time: string): DateInput | null => {
    const parse = (text: string): DateInput | null => parsed(text, zone ?? context.siteZone, context);
    return parse(joined(date, time, context)) ?? (CLOCK.test(date) ? parse(withoutRange(date)) : null);
  };
  const start = read(row.start, row.startTime);
  if (!start) return { invalid: `start "${`${row.start} ${row.startTime}`.trim()}" is not a date` };
  const isTimeAlone = row.endTime === '' && TIME_ONLY.test(row.end);
  const [endDate, endTime] = isTimeAlone ? ['', row.end] : [row.end, row.endTime];
  const hasNoEnd = endDate === '' && endTime === '';
  let end = hasNoEnd ? start : read(endDate === '' ? dayOf(start, row.start) : endDate, endTime);
  if (!end) return { invalid: `end "${`${row.end} ${row.endTime}`.trim()}" is not a date` };
  // An end before the start is on the next day.
  if (endDate === '' && isBefore(end, start)) end = later(end, SECONDS_PER_DAY);
  if (isBefore(end, start)) return { invalid: `it ends (${shown(end)}) before it starts (${shown(start)})` };
  const allDay = row.allDay ?? (!start.timeGiven && !end.timeGiven);
  const toInput = (one: DateInput): string => (allDay ? shown(one).slice(0, 10) : shown(one));
  return { times: { start: toInput(start), end: toInput(end), allDay, ...(zone && { timezone: zone.name }) } };
}

/** Undefined: the site's. Null: unknown. */
const zoneOf = (text: string): Zone | null | undefined =>
  text === '' ? undefined : resolveZone(zoneOfWindows(text) ?? text);

function joined(date: string, time: string, { isDayFirst }: TimesContext): string {
  const day = isDayFirst ? date.replace(SLASHES, '$3-$2-$1').replace(/-(\d)(?=-|\b)(?!\d)/g, '-0$1') : date;
  const clock = time
    .replace(/\s*uhr$/i, '')
    .replace(/^(\d{1,2})[.h](\d{2})$/, '$1:$2')
    .replace(/^(\d{1,2})$/, '$1:00');
  return `${day.replace(/\s*uhr$/i, '')} ${clock}`.trim();
}

function parsed(text: string, zone: Zone, { now }: TimesContext): DateInput | null {
  // A year or a number is no date of a table.
  return /^\d{1,8}$/.test(text) ? null : resolveDate(text, { now, zone });
}

const dayOf = (start: DateInput, text: string): string => (start.kind === 'wall' ? start.wallClock.slice(0, 10) : text);

const secondsOf = (one: DateInput): number => (one.kind === 'wall' ? parseCivil(one.wallClock) : one.instant);

/** Wall clock or instant, as written. */
const isBefore = (one: DateInput, other: DateInput): boolean =>
  one.kind === other.kind && secondsOf(one) < secondsOf(other);

const later = (one: DateInput, seconds: number): DateInput =>
  one.kind === 'wall'
    ? { ...one, wallClock: formatCivil(parseCivil(one.wallClock) + seconds) }
    : { ...one, instant: one.instant + seconds };

const shown = (one: DateInput): string => (one.kind === 'wall' ? one.wallClock : `${formatCivil(one.instant)}Z`);
