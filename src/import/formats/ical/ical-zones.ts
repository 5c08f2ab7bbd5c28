// Converts times of a calendar to instants, and chooses the zone in which they are shown.
import { parseCivil } from '../../../time/civil-time.ts';
import {
  type EpochSeconds,
  resolveZone,
  toInstant,
  toWallClock,
  type WallClock,
  type Zone,
} from '../../../time/zone.ts';
import type { PlannedEvent } from '../../import-plan.ts';
import type { IcalZone, Moment } from './ical.ts';

/** A zone of a calendar. */
interface CalendarZone {
  /** The zone in which events are shown. */
  readonly shown: Zone;
  toInstant(wallClock: WallClock): EpochSeconds;
  /** An instant in the form that commands need: as wall clock of `shown`, or as an instant. */
  toInput(instant: EpochSeconds): WallClock | EpochSeconds;
}

export interface CalendarZones {
  /** The zone of a time. Throws an `Error` for an unknown one. */
  of(moment: Moment): CalendarZone;
  instantOf(moment: Moment): EpochSeconds;
}

interface ZoneOptions {
  /** The calendar's own definitions of zones, by name. */
  readonly own: ReadonlyMap<string, IcalZone>;
  /** The zone that the calendar names for display; `''` for none. */
  readonly shownIn: string;
  readonly siteZone: Zone;
}

const UTC = /^(?:utc|etc\/utc|gmt|etc\/gmt|z)$/i;

/**
 * Times without a zone, and days, are in the zone of the site. Times in UTC are shown in the zone of the calendar if it
 * names one, else in that of the site. A named zone is the IANA zone of this name, if there is one, also behind a
 * prefix (`/example.org/Europe/Berlin`) or under its Windows name; else the offsets that the calendar defines for it
 * are used, and it is shown like UTC.
 */
export function openCalendarZones({ own, shownIn, siteZone }: ZoneOptions): CalendarZones {
  const shown = (shownIn === '' ? null : resolveZone(shownIn)) ?? siteZone;
  const found = new Map<string, CalendarZone>();

  function named(tzid: string): CalendarZone {
    const zone = resolved(tzid);
    if (zone) return plain(zone);
    const listed = own.get(tzid);
    if (listed) return byOffsets(listed);
    const last = resolveZone(tzid);
    if (last) return plain(last);
    throw new Error(`the time zone "${tzid}" is not known`);
  }

  /** Short names such as `CET` use the calendar's definitions: here they would mean a fixed offset. */
  function resolved(tzid: string): Zone | null {
    const location = own.get(tzid)?.location ?? '';
    for (const name of [tzid, location]) {
      if (UTC.test(name)) return resolveZone('UTC');
      const path = name.split('/').filter((part) => part !== '');
      const candidates = [zoneOfWindows(name) ?? '', ...[3, 2].map((length) => path.slice(-length).join('/'))];
      for (const candidate of candidates) {
        const zone = candidate.includes('/') ? resolveZone(candidate) : null;
        if (zone) return zone;
      }
    }
    return null;
  }

  const byOffsets = (zone: IcalZone): CalendarZone => ({
    shown,
    toInstant: (wallClock) => parseCivil(wallClock) - zone.offsetAt(wallClock),
    toInput: (instant) => instant,
  });

  function zoneOf({ kind, tzid }: Moment): CalendarZone {
    if (kind === 'utc') return { ...plain(UTC_ZONE), shown, toInput: (instant) => instant };
    if (kind !== 'zoned') return plain(siteZone);
    const zone = found.get(tzid) ?? named(tzid);
    found.set(tzid, zone);
    return zone;
  }

  return { of: zoneOf, instantOf: (moment) => zoneOf(moment).toInstant(moment.wallClock) };
}

const UTC_ZONE: Zone = resolveZone('UTC') ?? fail();

function fail(): never {
  throw new Error('There is no UTC.');
}

const plain = (zone: Zone): CalendarZone => ({
  shown: zone,
  toInstant: (wallClock) => toInstant(wallClock, zone),
  toInput(instant) {
    const reading = toWallClock(instant, zone);
    // The second pass of a repeated hour can only be expressed as an instant.
    return toInstant(reading, zone) === instant ? reading : instant;
  },
});

// Notes a calendar whose zone is not that of the site.

/** A note if most events are in one zone that is not the site's: their days would not be the days of lists. */
export function zoneRemarks(plan: Iterable<PlannedEvent>, siteZone: Zone): string[] {
  const counts = new Map<string, number>();
  let events = 0;
  for (const { input, disposition = 'stay' } of plan) {
    if (disposition !== 'stay') continue;
    events += 1;
    const name = zoneOf(input.times?.timezone, siteZone);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return [];
  const [name, count] = most;
  if (name === siteZone.name || count * 2 <= events) return [];
  return [
    `${count} of ${events} events are in the zone ${name}, this site is in ${siteZone.name}: lists and feeds go by the ` +
      `days of the site. If the calendar is to be in that zone, set DAYBOOK_TIMEZONE=${name} before it is filled.`,
  ];
}

const zoneOf = (timezone: string | undefined, siteZone: Zone): string =>
  timezone ? (resolveZone(timezone)?.name ?? timezone) : siteZone.name;

// Windows names of zones, as far as calendars are likely to use them.

const NAMES: { readonly [name: string]: string } = {
  'aus central standard time': 'Australia/Darwin',
  'aus eastern standard time': 'Australia/Sydney',
  'alaskan standard time': 'America/Anchorage',
  'arab standard time': 'Asia/Riyadh',
  'arabian standard time': 'Asia/Dubai',
  'argentina standard time': 'America/Argentina/Buenos_Aires',
  'atlantic standard time': 'America/Halifax',
  'canada central standard time': 'America/Regina',
  'cen. australia standard time': 'Australia/Adelaide',
  'central america standard time': 'America/Guatemala',
  'central asia standard time': 'Asia/Almaty',
  'central europe standard time': 'Europe/Budapest',
  'central european standard time': 'Europe/Warsaw',
  'central standard time': 'America/Chicago',
  'central standard time (mexico)': 'America/Mexico_City',
  'china standard time': 'Asia/Shanghai',
  'e. africa standard time': 'Africa/Nairobi',
  'e. australia standard time': 'Australia/Brisbane',
  'e. europe standard time': 'Europe/Chisinau',
  'e. south america standard time': 'America/Sao_Paulo',
  'eastern standard time': 'America/New_York',
  'egypt standard time': 'Africa/Cairo',
  'fle standard time': 'Europe/Kiev',
  'gmt standard time': 'Europe/London',
  'gtb standard time': 'Europe/Bucharest',
  'greenwich standard time': 'Atlantic/Reykjavik',
  'hawaiian standard time': 'Pacific/Honolulu',
  'india standard time': 'Asia/Kolkata',
  'israel standard time': 'Asia/Jerusalem',
  'korea standard time': 'Asia/Seoul',
  'mountain standard time': 'America/Denver',
  'mountain standard time (mexico)': 'America/Mazatlan',
  'new zealand standard time': 'Pacific/Auckland',
  'newfoundland standard time': 'America/St_Johns',
  'pacific sa standard time': 'America/Santiago',
  'pacific standard time': 'America/Los_Angeles',
  'pakistan standard time': 'Asia/Karachi',
  'romance standard time': 'Europe/Paris',
  'russian standard time': 'Europe/Moscow',
  'sa pacific standard time': 'America/Bogota',
  'se asia standard time': 'Asia/Bangkok',
  'singapore standard time': 'Asia/Singapore',
  'south africa standard time': 'Africa/Johannesburg',
  'taipei standard time': 'Asia/Taipei',
  'tokyo standard time': 'Asia/Tokyo',
  'turkey standard time': 'Europe/Istanbul',
  'us eastern standard time': 'America/Indiana/Indianapolis',
  'us mountain standard time': 'America/Phoenix',
  'w. australia standard time': 'Australia/Perth',
  'w. central africa standard time': 'Africa/Lagos',
  'w. europe standard time': 'Europe/Berlin',
  'west asia standard time': 'Asia/Tashkent',
};

/** The IANA name, or undefined. */
export const zoneOfWindows = (name: string): string | undefined => NAMES[name.trim().toLowerCase()];
