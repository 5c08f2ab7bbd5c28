// Ambiguous dates: the answer to a write says how they were interpreted.

import type { FastifyRequest } from 'fastify';
import type { Schedule } from '../../domain/schedule.ts';
import { isAmbiguousDate, parseDateInput, toInstantIn } from '../../time/date-input.ts';
import { type EpochSeconds, resolveZone, toWallClock, type WallClock, type Zone } from '../../time/zone.ts';

/** `start_date="2027-04-01 00:00:00", end_date="…"`: names and stored values, as a structured header (RFC 8941). */
export const READ_AS_HEADER = 'X-Daybook-Read-As';

interface WrittenDates {
  readonly date: EpochSeconds;
  /** Of an event. */
  readonly schedule?: Schedule;
}

/**
 * Days and months that may be swapped (`04/01/2027`), and an end before the start. Null if nothing sent is ambiguous.
 */
export function readAs({ given, now }: FastifyRequest, written: WrittenDates, siteZone: Zone): string | null {
  const { schedule } = written;
  const readings: [name: string, reading: WallClock][] = [];
  if (schedule) {
    if (isAmbiguousDate(given.start_date)) readings.push(['start_date', schedule.start]);
    if (isAmbiguousDate(given.end_date) || isEndMoved(given, schedule, now)) readings.push(['end_date', schedule.end]);
  }
  for (const name of ['date', 'date_utc'] as const)
    if (isAmbiguousDate(given[name]))
      readings.push([name, toWallClock(written.date, name === 'date' ? siteZone : UTC)]);
  return readings.length === 0 ? null : readings.map(([name, reading]) => `${name}="${reading}"`).join(', ');
}

const UTC = resolveZone('UTC') as Zone; // Every process knows it.

/** Whether the end became the start, because it was before it. */
function isEndMoved(given: FastifyRequest['given'], schedule: Schedule, now: EpochSeconds): boolean {
  const { end_date: end, start_date: start } = given;
  if (typeof end !== 'string' && typeof end !== 'number') return start !== undefined && schedule.end === schedule.start;
  const zone = resolveZone(schedule.timezone);
  const input = zone && parseDateInput(end, { now, zone });
  return !!input && toInstantIn(input, zone) < schedule.startsAt;
}
