// Events as FullCalendar takes them: whole days end before the day of their end, and they repeat by a rule or on days of the week.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { recurrenceStarts } from '../../../../kernel/time/recurrence.ts';
import { type ForeignRecord, isObject, isWallClock } from '../../fields.ts';
import { cell } from './cells.ts';
import { clockOf } from './written-dates.ts';

/** Other calendars that say `allDay` have other names for the title or the start. */
export const isOfFullCalendar = (record: ForeignRecord): boolean =>
  typeof record.title === 'string' &&
  !('startDate' in record || 'start_date' in record) &&
  (typeof record.allDay === 'boolean' || ['extendedProps', 'rrule'].some((name) => isObject(record[name])));

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const PARTS: Readonly<Record<string, string>> = { byweekday: 'BYDAY' };
/** A rule has its first date within so many seconds. */
const SEARCHED = 5 * 366 * SECONDS_PER_DAY;
const MAX_DATES = 100_000;

/** When it begins and by which rule it repeats, as a row says it; null if it does not, or cannot be said by a rule. */
export function repeatedIn(record: ForeignRecord): ForeignRecord | null {
  const { rrule, exdate, duration, startRecur, endRecur, startTime, endTime, daysOfWeek } = record;
  if (exdate !== undefined) return null;
  if (isObject(rrule)) {
    const { dtstart, ...parts } = rrule;
    return repeated(parts, cell(dtstart ?? record.start), lengthIn(duration) ?? lengthBetween(record));
  }
  if (!Array.isArray(daysOfWeek) || startRecur === undefined) return null;
  const byweekday = daysOfWeek.flatMap((day) => DAYS[Number(day)] ?? []);
  // It ends before that day.
  const end = endRecur === undefined ? null : secondsOf(cell(endRecur));
  if (Number.isNaN(end)) return null;
  const until = end === null ? {} : { until: formatCivil(end - 1) };
  const clock = clockOf(cell(startTime)) ?? '';
  const [from, to] = [clock, clockOf(cell(endTime)) ?? clock].map((time) => secondsOf(`2000-01-01 ${time}`));
  return repeated(
    { freq: 'WEEKLY', byweekday, ...until },
    `${cell(startRecur)} ${clock}`.trim(),
    Number(to) - Number(from),
  );
}

function repeated(parts: ForeignRecord, begin: string, length: number | null): ForeignRecord | null {
  const texts = Object.entries(parts).filter(([name]) => name !== 'until');
  const rule = texts.map(([name, value]) => `${PARTS[name] ?? name}=${cell(value).replaceAll('|', ',')}`.toUpperCase());
  const seconds = secondsOf(begin);
  if (Number.isNaN(seconds) || !Number.isInteger(length ?? 0)) return null;
  const bounds = { first: formatCivil(seconds), last: formatCivil(seconds + SEARCHED), most: MAX_DATES };
  const dates = recurrenceStarts(rule.join(';'), bounds);
  const [first] = 'fault' in dates ? [] : dates;
  if (first === undefined) return null;
  const until = cell(parts.until).replace(/[-:]/g, '').replace(' ', 'T');
  const isDay = begin.length === 'YYYY-MM-DD'.length;
  const end = length === null ? '' : formatCivil(parseCivil(first) + length);
  return {
    ...{ start: isDay ? first.slice(0, 'YYYY-MM-DD'.length) : first, end: isDay ? '' : end },
    recurrence: [...rule, ...(until === '' ? [] : [`UNTIL=${until}`])].join(';'),
  };
}

/** `02:00`, or the parts of a length; null if it says none. */
function lengthIn(value: unknown): number | null {
  const { days = 0, hours = 0, minutes = 0 } = isObject(value) ? value : {};
  if (isObject(value)) return Number(days) * SECONDS_PER_DAY + Number(hours) * 3600 + Number(minutes) * 60;
  const [, hour, minute] = /^(\d{1,2}):(\d\d)/.exec(cell(value)) ?? [];
  return hour === undefined ? null : Number(hour) * 3600 + Number(minute) * 60;
}

const lengthBetween = ({ start, end }: ForeignRecord): number | null => {
  const seconds = secondsOf(cell(end)) - secondsOf(cell(start));
  return Number.isNaN(seconds) ? null : seconds;
};

/** Seconds by the clock; `NaN` for what is no day and no time. */
function secondsOf(text: string): number {
  const [day = '', time = ''] = text.replace('T', ' ').split(' ');
  const wall = `${day} ${time.padEnd(5, '00:00').slice(0, 8).padEnd(8, ':00')}`;
  return isWallClock(wall) ? parseCivil(wall) : Number.NaN;
}
