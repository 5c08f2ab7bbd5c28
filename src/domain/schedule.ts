// When a calendar event takes place: wall clock in its own zone, and the instants that follow from it.
import { type DateInput, parseDateInput } from './date-input.ts';
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
  const read = (value: string | number | undefined, kept: WallClock | undefined): WallClock | null => {
    if (value === undefined) return kept ?? null;
    const input = parseDateInput(value, { now, zone });
    return input && wallClockIn(input, zone);
  };
  const start = read(patch.start, current?.start);
  if (start === null) return { unreadable: 'start_date' };
  const end = read(patch.end, current?.end);
  if (end === null) return { unreadable: 'end_date' };
  const allDay = patch.allDay ?? current?.allDay ?? false;
  return { schedule: settled({ zone, allDay, start, end }) };
}

function settled(of: { zone: Zone; allDay: boolean; start: WallClock; end: WallClock }): Schedule {
  const { zone, allDay } = of;
  const startsAt = toInstant(allDay ? `${dayOf(of.start)} 00:00:00` : of.start, zone);
  const wishedEnd = toInstant(allDay ? `${dayOf(of.end)} 23:59:59` : of.end, zone);
  const earliestEnd = allDay ? toInstant(`${dayOf(of.start)} 23:59:59`, zone) : startsAt;
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

const wallClockIn = (input: DateInput, zone: Zone): WallClock =>
  input.kind === 'wall' ? input.wallClock : toWallClock(input.instant, zone);

export const sameSchedule = (one: Schedule, other: Schedule): boolean =>
  one.timezone === other.timezone &&
  one.allDay === other.allDay &&
  one.start === other.start &&
  one.end === other.end &&
  one.startsAt === other.startsAt &&
  one.endsAt === other.endsAt;
