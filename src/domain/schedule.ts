// When a calendar event takes place: wall clock in its own zone, and the instants that follow from it.
import { parseDateInput, toInstantIn } from './date-input.ts';
import { type EpochSeconds, resolveZone, toInstant, toWallClock, type WallClock, type Zone } from './zone.ts';

export interface Schedule {
  /** As given: an IANA name, an abbreviation or an offset. */
  readonly timezone: string;
  readonly allDay: boolean;
  readonly start: WallClock;
  readonly end: WallClock;
  /** What `start` and `end` are in UTC, by the zone's rules at the time of writing. */
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds;
}

/** What a command says of the times; absent members stay as they are. */
export interface SchedulePatch {
  readonly start?: string | number;
  readonly end?: string | number;
  readonly timezone?: string;
  readonly allDay?: boolean;
}

export interface ScheduleContext {
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
}

const dayOf = (wallClock: WallClock): string => wallClock.slice(0, 10);

/**
 * The schedule after a patch, or the name of the member that cannot be read.
 * Values without an offset are wall clock of the event's zone, others are converted into it. An end before the start
 * becomes the start; whole days run from 00:00:00 to 23:59:59.
 */
export function reschedule(
  current: Schedule | null,
  patch: SchedulePatch,
  { now, siteZone }: ScheduleContext,
): { readonly schedule: Schedule } | { readonly unreadable: 'start_date' | 'end_date' | 'timezone' } {
  const timezone = patch.timezone === '' ? siteZone.name : (patch.timezone ?? current?.timezone ?? siteZone.name);
  const zone = resolveZone(timezone);
  if (!zone) return { unreadable: 'timezone' };
  const isSameZone = current !== null && timezone === current.timezone;
  const read = (value: string | number | undefined, kept: readonly [WallClock, EpochSeconds] | null) => {
    if (value !== undefined) return instantOf(value, now, zone);
    if (!kept) return null;
    // The wall clock alone does not say which pass of an hour that the clocks go through twice is meant.
    return isSameZone ? kept[1] : toInstant(kept[0], zone);
  };
  const start = read(patch.start, current && [current.start, current.startsAt]);
  if (start === null) return { unreadable: 'start_date' };
  const end = read(patch.end, current && [current.end, current.endsAt]);
  if (end === null) return { unreadable: 'end_date' };
  const allDay = patch.allDay ?? current?.allDay ?? false;
  return { schedule: settled({ zone, allDay, start, end }) };
}

function instantOf(value: string | number, now: EpochSeconds, zone: Zone): EpochSeconds | null {
  const input = parseDateInput(value, { now, zone });
  return input && toInstantIn(input, zone);
}

function settled(of: { zone: Zone; allDay: boolean; start: EpochSeconds; end: EpochSeconds }): Schedule {
  const { zone, allDay } = of;
  const [firstDay, lastDay] = [dayOf(toWallClock(of.start, zone)), dayOf(toWallClock(of.end, zone))];
  const startsAt = allDay ? toInstant(`${firstDay} 00:00:00`, zone) : of.start;
  const wishedEnd = allDay ? toInstant(`${lastDay} 23:59:59`, zone) : of.end;
  const earliestEnd = allDay ? toInstant(`${firstDay} 23:59:59`, zone) : startsAt;
  const endsAt = Math.max(wishedEnd, earliestEnd);
  return {
    timezone: zone.name,
    allDay,
    start: toWallClock(startsAt, zone),
    end: toWallClock(endsAt, zone),
    startsAt,
    endsAt,
  };
}

export const sameSchedule = (one: Schedule, other: Schedule): boolean =>
  one.timezone === other.timezone &&
  one.allDay === other.allDay &&
  one.start === other.start &&
  one.end === other.end &&
  one.startsAt === other.startsAt &&
  one.endsAt === other.endsAt;
