// Ambiguous dates: the answer to a write says how they were interpreted.

import type { Schedule } from '../../../calendar/event/domain/schedule.ts';
import { isAmbiguousDate, resolveInstant, type WrittenDate } from '../../../kernel/time/date-input.ts';
import { type EpochSeconds, resolveZone, toWallClock, type WallClock, type Zone } from '../../../kernel/time/zone.ts';

/** `start_date="2027-04-01 00:00:00", end_date="…"`: names and stored values, as a structured header (RFC 8941). */
export const READ_AS_HEADER = 'X-Daybook-Read-As';

interface SiteClock {
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
}

/** Dates as the checks of parameters have read them. */
export interface DateMembers {
  readonly start_date?: WrittenDate;
  readonly end_date?: WrittenDate;
  readonly date?: WrittenDate;
  readonly date_utc?: WrittenDate;
}

interface WrittenDates {
  readonly date: EpochSeconds;
  /** The times of an event. */
  readonly schedule?: Schedule;
}

/**
 * Days and months that may be swapped (`04/01/2027`), and an end before the start. Null if nothing sent is ambiguous.
 */
export function readAs(dates: DateMembers, written: WrittenDates, { now, siteZone }: SiteClock): string | null {
  const { schedule } = written;
  const readings: [name: string, reading: WallClock][] = [];
  if (schedule) {
    if (isAmbiguousDate(dates.start_date)) readings.push(['start_date', schedule.start]);
    if (isAmbiguousDate(dates.end_date) || isEndMoved(dates, schedule, now)) readings.push(['end_date', schedule.end]);
  }
  for (const name of ['date', 'date_utc'] as const)
    if (isAmbiguousDate(dates[name]))
      readings.push([name, toWallClock(written.date, name === 'date' ? siteZone : UTC)]);
  return readings.length === 0 ? null : readings.map(([name, reading]) => `${name}="${reading}"`).join(', ');
}

const UTC = resolveZone('UTC') as Zone; // Every process knows it.

/** Whether the end became the start, because it was before it. */
function isEndMoved({ end_date: end, start_date: start }: DateMembers, schedule: Schedule, now: EpochSeconds): boolean {
  if (end === undefined) return start !== undefined && schedule.end === schedule.start;
  const zone = resolveZone(schedule.timezone);
  const wished = zone && resolveInstant(end, { now, zone });
  return wished !== null && wished < schedule.startsAt;
}
