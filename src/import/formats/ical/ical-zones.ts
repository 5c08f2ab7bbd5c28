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
import type { IcalZone, Moment } from './ical.ts';
import { zoneOfWindows } from './windows-zones.ts';

/** A zone of a calendar. */
export interface CalendarZone {
  /** The zone in which events are shown. */
  readonly shown: Zone;
  toInstant(wallClock: WallClock): EpochSeconds;
  /** An instant in the form that commands need: as wall clock of `shown`, or as an instant. */
  said(instant: EpochSeconds): WallClock | EpochSeconds;
}

export interface CalendarZones {
  /** The zone of a time. Throws an `Error` for an unknown one. */
  of(moment: Moment): CalendarZone;
  instantOf(moment: Moment): EpochSeconds;
}

export interface ZoneOptions {
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
  const known = new Map<string, CalendarZone>();

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
    said: (instant) => instant,
  });

  function zoneOf({ kind, tzid }: Moment): CalendarZone {
    if (kind === 'utc') return { ...plain(UTC_ZONE), shown, said: (instant) => instant };
    if (kind !== 'zoned') return plain(siteZone);
    const zone = known.get(tzid) ?? named(tzid);
    known.set(tzid, zone);
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
  said(instant) {
    const reading = toWallClock(instant, zone);
    // The second pass of a repeated hour can only be expressed as an instant.
    return toInstant(reading, zone) === instant ? reading : instant;
  },
});
