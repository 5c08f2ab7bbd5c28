// Dates and times in iCalendar, and which of them are unambiguous on their zone's clock.
import { dayNumber, formatCivil, SECONDS_PER_DAY } from '../../../kernel/time/civil-time.ts';
import { type EpochSeconds, toWallClock, type WallClock, type Zone } from '../../../kernel/time/zone.ts';

/** `20270301T200000` */
export const localDateTime = (at: WallClock): string => at.replace(' ', 'T').replace(/[-:]/g, '');

/** `20270302T010000Z` */
export const utcDateTime = (instant: EpochSeconds): string => `${localDateTime(formatCivil(instant))}Z`;

/** `20270301` */
export const dateOf = (at: WallClock): string => at.slice(0, 10).replaceAll('-', '');

/** The day after that of `at`; null beyond the year 9999. */
export function nextDate(at: WallClock): string | null {
  if (at.startsWith('9999-12-31')) return null;
  const [year = 0, month = 0, day = 0] = at.slice(0, 10).split('-').map(Number);
  return dateOf(formatCivil((dayNumber(year, month, day) + 1) * SECONDS_PER_DAY));
}

const UTC_NAMES = /^etc\/utc$/i;

/**
 * Whether times of this zone are written as UTC, without a description of the zone. Readers interpret a `TZID` that is
 * no IANA name by its looks (`UTC-7`, `EST`), whatever the calendar defines.
 */
export const isWrittenAsUtc = ({ name, isNamed }: Zone): boolean => !isNamed || UTC_NAMES.test(name);

/**
 * Whether `at` in this zone means exactly `instant`. A clock that is set back shows an hour twice, and readers disagree
 * on which is meant; also, the rules of the zone may have changed since the event was written.
 */
export function isUnambiguous(at: WallClock, zone: Zone, instant: EpochSeconds): boolean {
  if (toWallClock(instant, zone) !== at) return false;
  const here = zone.offsetAt(instant);
  const around = [zone.offsetAt(instant - SECONDS_PER_DAY), zone.offsetAt(instant + SECONDS_PER_DAY)];
  return around.every((offset) => offset === here || zone.offsetAt(instant + here - offset) !== offset);
}
