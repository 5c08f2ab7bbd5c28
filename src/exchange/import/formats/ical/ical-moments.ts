// Times and lengths of iCalendar, in every form in which calendars write them.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { parseOffset, type WallClock } from '../../../../kernel/time/zone.ts';

/** A time as written in a calendar. */
export interface Moment {
  /** `YYYY-MM-DD HH:MM:SS`; for a day the time is 00:00:00. */
  readonly wallClock: WallClock;
  readonly kind: 'day' | 'floating' | 'utc' | 'zoned';
  /** For `zoned`: the calendar's name of the zone. */
  readonly tzid: string;
}

/** Days are those of the clock, which may have 23 or 25 hours. */
export type Length = ReturnType<typeof lengthOf>;

const MAX_QUOTED = 60;

const noMoment = (value: string): Error => new Error(`"${value.slice(0, MAX_QUOTED)}" is not a date and time`);

export const cannotBeRead = (value: string): Error => new Error(`"${value.slice(0, MAX_QUOTED)}" cannot be read`);

const WRITTEN = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Throws an `Error` for what is no day and no time, also for days that do not exist. */
export function momentOf(value: string, parameters: ReadonlyMap<string, string>): Moment {
  const [, year, month, day, hour, minute = '00', second = '00', offset = ''] = WRITTEN.exec(value.trim()) ?? [];
  if (year === undefined) throw noMoment(value);
  const midnight = `${year}-${month}-${day} 00:00:00`;
  if (hour === undefined) return { wallClock: validClock(midnight, value), kind: 'day', tzid: '' };
  // The last second of a day may be a leap second, and its last hour the first one of the next.
  const time = `${hour}:${minute}:${second === '60' ? '59' : second}`;
  const isNextDay = time === '24:00:00';
  const wallClock = validClock(`${year}-${month}-${day} ${isNextDay ? '00:00:00' : time}`, value);
  const isDay = time === '00:00:00' && parameters.get('VALUE')?.toUpperCase() === 'DATE';
  if (isDay) return { wallClock, kind: 'day', tzid: '' };
  const reading = isNextDay ? formatCivil(parseCivil(wallClock) + SECONDS_PER_DAY) : wallClock;
  if (offset === '') return { wallClock: reading, ...zoneIn(parameters) };
  const east = offset.toUpperCase() === 'Z' ? 0 : parseOffset(offset);
  if (east === null) throw noMoment(value);
  return { wallClock: formatCivil(parseCivil(reading) - east), kind: 'utc', tzid: '' };
}

function zoneIn(parameters: ReadonlyMap<string, string>): Pick<Moment, 'kind' | 'tzid'> {
  const tzid = parameters.get('TZID')?.trim() ?? '';
  return { kind: tzid === '' ? 'floating' : 'zoned', tzid };
}

function validClock(wallClock: WallClock, value: string): WallClock {
  try {
    parseCivil(wallClock);
    return wallClock;
  } catch {
    throw noMoment(value);
  }
}

const LENGTH =
  /^\+?P(?=.*\d)(?:0+Y)?(?:0+M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:[.,]\d+)?S)?)?$/i;

/** Throws an `Error` for what is no length, and for one below zero. */
export function lengthOf(value: string) {
  const match = LENGTH.exec(value.trim());
  if (!match) throw cannotBeRead(value);
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return { days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds };
}
