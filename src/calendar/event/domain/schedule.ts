// When a calendar event takes place: the wall clock in its zone, and the corresponding instants.
// decision 17
import { parseCivil } from '../../../kernel/time/civil-time.ts';
import { type DateValue, resolveDate } from '../../../kernel/time/date-input.ts';
import {
  type EpochSeconds,
  resolveZone,
  toInstant,
  toWallClock,
  type WallClock,
  type Zone,
  type ZoneRules,
} from '../../../kernel/time/zone.ts';

/** Which of the two the author gave. It stays when zone rules change; the other is derived from it. */
type Given = 'wall_clock' | 'instant';

export interface Schedule {
  /** As given: an IANA name, an abbreviation or an offset. */
  readonly timezone: string;
  readonly allDay: boolean;
  readonly start: WallClock;
  readonly end: WallClock;
  /** `start` and `end` in UTC, by the zone rules at the time of writing. */
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds;
  /** Absent in facts of older versions: both are wall clock. */
  readonly given?: { readonly start: Given; readonly end: Given };
}

/** The times in a command; absent members stay as they are. */
export interface SchedulePatch {
  readonly start?: DateValue;
  readonly end?: DateValue;
  readonly timezone?: string;
  readonly allDay?: boolean;
}

interface ScheduleContext {
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
}

/** A start or an end. The recorded pair is kept, because this process may have other rules. */
interface Bound {
  readonly wall: WallClock;
  readonly instant: EpochSeconds;
  readonly given: Given;
}

const startOf = ({ start, startsAt, given }: Schedule): Bound => ({
  wall: start,
  instant: startsAt,
  given: given?.start ?? 'wall_clock',
});

const endOf = ({ end, endsAt, given }: Schedule): Bound => ({
  wall: end,
  instant: endsAt,
  given: given?.end ?? 'wall_clock',
});

const fromInstant = (instant: EpochSeconds, zone: Zone): Bound => ({
  wall: toWallClock(instant, zone),
  instant,
  given: 'instant',
});

/** A wall clock that the zone skips becomes the next one that exists. */
function fromWallClock(reading: WallClock, zone: Zone): Bound {
  const instant = toInstant(reading, zone);
  return { wall: toWallClock(instant, zone), instant, given: 'wall_clock' };
}

const dayOf = (wallClock: WallClock): string => wallClock.slice(0, 10);

/**
 * The schedule after a patch, or the name of the invalid member. Values without an offset are wall clock in the event's
 * zone, others are converted into it. An end before the start becomes the start; whole days run from 00:00:00 to
 * 23:59:59.
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
  const read = (value: DateValue | undefined, recorded: Bound | null): Bound | null => {
    if (value !== undefined) return readBound(value, { now, zone, recorded: isSameZone ? recorded : null });
    if (!recorded) return null;
    // A wall clock alone does not say which pass of a repeated hour is meant.
    return isSameZone ? recorded : fromWallClock(recorded.wall, zone);
  };
  const start = read(patch.start, current && startOf(current));
  if (start === null) return { unreadable: 'start_date' };
  const end = read(patch.end, current && endOf(current));
  if (end === null) return { unreadable: 'end_date' };
  const allDay = patch.allDay ?? current?.allDay ?? false;
  return { schedule: settled({ zone, allDay, start, end }) };
}

/**
 * What a client sent. Sending the recorded wall clock changes nothing: clients send back what they read, which does not
 * say which pass of a repeated hour is meant, and a process with older rules would compute another instant.
 */
function readBound(
  value: DateValue,
  { now, zone, recorded }: { readonly now: EpochSeconds; readonly zone: Zone; readonly recorded: Bound | null },
): Bound | null {
  const input = resolveDate(value, { now, zone });
  if (input === null) return null;
  if (input.kind === 'wall')
    return recorded?.wall === input.wallClock ? recorded : fromWallClock(input.wallClock, zone);
  return recorded?.instant === input.instant ? { ...recorded, given: 'instant' } : fromInstant(input.instant, zone);
}

interface Unsettled {
  readonly zone: Zone;
  readonly allDay: boolean;
  readonly start: Bound;
  readonly end: Bound;
}

function settled({ zone, allDay, start, end }: Unsettled): Schedule {
  const first = allDay ? atTime(start, '00:00:00', zone) : start;
  const wishedLast = allDay ? atTime(end, '23:59:59', zone) : end;
  const earliestLast = allDay ? atTime(start, '23:59:59', zone) : first;
  const last = wishedLast.instant < earliestLast.instant ? earliestLast : wishedLast;
  return {
    timezone: zone.name,
    allDay,
    start: first.wall,
    end: last.wall,
    startsAt: first.instant,
    endsAt: last.instant,
    given: { start: first.given, end: last.given },
  };
}

/** The time of day of a bound. */
function atTime(bound: Bound, time: string, zone: Zone): Bound {
  const reading = `${dayOf(bound.wall)} ${time}`;
  return reading === bound.wall ? { ...bound, given: 'wall_clock' } : fromWallClock(reading, zone);
}

/**
 * The schedule under these rules: what the author gave stays, and the other of wall clock and instant is derived. A
 * bound at or before `now` stays as it was. Returns the same schedule if nothing differs, or if these rules do not know
 * its zone.
 */
export function scheduleUnder(
  schedule: Schedule,
  { zoneNamed }: Pick<ZoneRules, 'zoneNamed'>,
  now: EpochSeconds,
): Schedule {
  if (schedule.endsAt <= now) return schedule;
  const zone = zoneNamed(schedule.timezone);
  if (!zone?.isNamed) return schedule;
  const start = boundUnder(startOf(schedule), zone, now);
  const end = boundUnder(endOf(schedule), zone, now);
  const adjusted = withBounds(schedule, start, end);
  return sameSchedule(schedule, adjusted) ? schedule : adjusted;
}

const agrees = (bound: Bound, zone: Zone): boolean => toWallClock(bound.instant, zone) === bound.wall;

function boundUnder(bound: Bound, zone: Zone, now: EpochSeconds): Bound {
  // A pair that agrees is right, also in a repeated hour.
  if (bound.instant <= now || agrees(bound, zone)) return bound;
  return bound.given === 'instant' ? fromInstant(bound.instant, zone) : fromWallClock(bound.wall, zone);
}

function withBounds(schedule: Schedule, start: Bound, end: Bound): Schedule {
  const last = end.instant < start.instant ? start : end;
  return {
    ...schedule,
    start: start.wall,
    end: last.wall,
    startsAt: start.instant,
    endsAt: last.instant,
    given: { start: start.given, end: last.given },
  };
}

/**
 * An earlier schedule, to be restored at `now`: by the rules of this process or, if today's recorded pair follows newer
 * ones, with the recorded pairs. Past bounds are restored unchanged.
 */
export function scheduleAgain(target: Schedule, current: Schedule, now: EpochSeconds): Schedule {
  const zone = resolveZone(target.timezone);
  if (!zone?.isNamed) return target;
  const again = (then: Bound, today: Bound): Bound => {
    const isSame = then.given === 'instant' ? then.instant === today.instant : then.wall === today.wall;
    const isByOtherRules = target.timezone === current.timezone && !agrees(today, zone);
    return isSame && isByOtherRules ? today : boundUnder(then, zone, now);
  };
  const start = again(startOf(target), startOf(current));
  const end = again(endOf(target), endOf(current));
  return withBounds(target, start, end);
}

/** Seconds east of UTC, from the recorded pair and independent of this process's rules. */
export const offsetOf = (wall: WallClock, instant: EpochSeconds): number => parseCivil(wall) - instant;

export const sameSchedule = (one: Schedule, other: Schedule): boolean =>
  one.timezone === other.timezone &&
  one.allDay === other.allDay &&
  one.start === other.start &&
  one.end === other.end &&
  one.startsAt === other.startsAt &&
  one.endsAt === other.endsAt;
