// Converts times of a calendar to instants, and chooses the zone in which they are shown.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import {
  type EpochSeconds,
  resolveZone,
  toInstant,
  toWallClock,
  type WallClock,
  type Zone,
} from '../../../../kernel/time/zone.ts';
import type { PlannedEvent } from '../../import-plan.ts';
import type { Moment } from './ical-moments.ts';
import type { IcalZone } from './ical-time-zone.ts';
// Unicode's table (CLDR 48.2, windowsZones, territory 001), names in lower case.
import windowsZones from './windows-zones.json' with { type: 'json' };

/** A zone of a calendar. */
interface CalendarZone {
  /** The zone in which events are shown. */
  readonly displayZone: Zone;
  toInstant(wallClock: WallClock): EpochSeconds;
  /** An instant in the form that commands need: as wall clock of `displayZone`, or as an instant. */
  toInput(instant: EpochSeconds): WallClock | EpochSeconds;
}

export type CalendarZones = ReturnType<typeof openCalendarZones>;

interface ZoneOptions {
  /** The calendar's own definitions of zones, by name. */
  readonly own: ReadonlyMap<string, IcalZone>;
  /** The zone that the calendar names for display; `''` for none. */
  readonly shownIn: string;
  readonly siteZone: Zone;
}

const UTC = /^(?:utc|etc\/utc|gmt|etc\/gmt|z|tzone:\/\/microsoft\/utc)$/i;

/**
 * Names that are no address of a zone: those of Windows, and those of one word, which follow daylight saving in the tz
 * database. (Where clients of the API name a zone by one word, it is a fixed offset.)
 */
const ZONES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(windowsZones),
  ...named('Europe/Brussels', 'cet cest met mest mez mesz'),
  ...named('Europe/Athens', 'eet eest'),
  ...named('Europe/Lisbon', 'wet west'),
  ...named('Europe/London', 'bst'),
  ...named('America/New_York', 'edt eastern us-eastern'),
  ...named('America/Chicago', 'cst cdt central us-central'),
  ...named('America/Denver', 'mdt mountain us-mountain'),
  ...named('America/Los_Angeles', 'pst pdt pacific us-pacific'),
]);

function named(zone: string, names: string): (readonly [name: string, zone: string])[] {
  return names.split(' ').map((name) => [name, zone] as const);
}

/** `Romance Daylight Time`, `Romance Standard Time 1`, `Eastern Time (US & Canada)`. */
const standard = (name: string): string =>
  name.replace(/ daylight time$| time \(us & canada\)$/, ' standard time').replace(/ \d$/, '');

/** The IANA name of a zone that programs call by another one; undefined for other names. */
export function zoneOfWindows(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return ZONES_BY_NAME.get(name) ?? ZONES_BY_NAME.get(standard(name)) ?? zoneInWords(name);
}

/** `(UTC+01:00) Amsterdam, Berlin, Bern`, as Windows shows zones, and `GMT+0200`. */
function zoneInWords(name: string): string | undefined {
  const [, offset, words = ''] = /^\(?(?:utc|gmt)([+-]\d{1,2}(?::?\d\d)?)?\)?\s*(.*)$/.exec(name) ?? [];
  if (words === '') return name.startsWith('gmt') ? offset : undefined;
  const places = words.split(',').map((place) => place.trim());
  const [shown = ''] = places;
  return (
    ZONES_BY_NAME.get(standard(shown)) ??
    Intl.supportedValuesOf('timeZone').find((zone) => {
      const city = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
      return places.includes(city.toLowerCase());
    })
  );
}

/**
 * Days are in the zone of the site. Times without a zone are in the zone of the calendar if it names one, else in that of
 * the site, and times in UTC are shown there. A named zone is the IANA zone of this name, if there is one, also behind a
 * prefix (`/example.org/Europe/Berlin`). By a name of Windows or of one word it is that zone unless the calendar defines
 * it otherwise in the year of the time; then, and for other names, the offsets that the calendar defines are used, and
 * it is shown like UTC.
 */
export function openCalendarZones({ own, shownIn, siteZone }: ZoneOptions) {
  const displayZone = (shownIn === '' ? null : namedZone(shownIn)) ?? siteZone;
  const byName = new Map<string, CalendarZone>();

  function named(tzid: string, year: string): CalendarZone {
    const definition = own.get(tzid);
    const zone = addressed(tzid) ?? addressed(definition?.location ?? '');
    if (zone) return plain(zone);
    const namesake = resolveZone(zoneOfWindows(tzid) ?? tzid);
    if (namesake && (!definition || isAlike(namesake, definition, year))) return plain(namesake);
    if (definition) return byOffsets(definition);
    throw new Error(`the time zone "${tzid}" is not known`);
  }

  const byOffsets = (zone: IcalZone): CalendarZone => ({
    displayZone,
    toInstant: (wallClock) => parseCivil(wallClock) - zone.offsetAt(wallClock),
    toInput: (instant) => instant,
  });

  function zoneOf({ kind, tzid, wallClock }: Moment): CalendarZone {
    if (kind === 'utc') return { ...plain(UTC_ZONE), displayZone, toInput: (instant) => instant };
    if (kind !== 'zoned') return plain(kind === 'floating' ? displayZone : siteZone);
    const key = `${wallClock.slice(0, 4)} ${tzid}`;
    const zone = byName.get(key) ?? named(tzid, wallClock.slice(0, 4));
    byName.set(key, zone);
    return zone;
  }

  /** Calendars write a day as its midnight in UTC, or as its last second. */
  function dayOf({ kind, wallClock }: Moment): string {
    const instant = parseCivil(wallClock);
    const [day = '', time] = (kind === 'utc' ? toWallClock(instant, displayZone) : wallClock).split(' ');
    if (kind !== 'utc' || time === '00:00:00' || time === '23:59:59') return day;
    // The midnight of another zone is nearer than half a day to that of UTC.
    return formatCivil(wallClock.endsWith(':00') ? instant + SECONDS_PER_DAY / 2 - 1 : instant).slice(0, 10);
  }

  return {
    /** The zone of a time. Throws an `Error` for an unknown one. */
    of: zoneOf,
    instantOf: (moment: Moment): EpochSeconds => zoneOf(moment).toInstant(moment.wallClock),
    /** The day (`YYYY-MM-DD`) that a time means where only days are. */
    dayOf,
  };
}

/** A zone by its address, or by a name that only calendars use. */
const namedZone = (name: string): Zone | null => addressed(name) ?? resolveZone(zoneOfWindows(name) ?? name);

/** The zone of an IANA name with an area, which may stand behind a prefix. */
function addressed(name: string): Zone | null {
  if (UTC.test(name)) return UTC_ZONE;
  const path = name.replaceAll(' ', '_').split('/').filter(Boolean);
  for (const length of [3, 2]) {
    const zone = path.length < 2 ? null : resolveZone(path.slice(-length).join('/'));
    if (zone) return zone;
  }
  return null;
}

/** Whether a calendar defines a zone as it is: its clock is the same at noon of each half month of a year. */
function isAlike(zone: Zone, { offsetAt }: IcalZone, year: string): boolean {
  const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'));
  return months
    .flatMap((month) => [`${year}-${month}-01 12:00:00`, `${year}-${month}-15 12:00:00`])
    .every((noon) => parseCivil(noon) - offsetAt(noon) === toInstant(noon, zone));
}

const UTC_ZONE: Zone = resolveZone('UTC') ?? fail();

function fail(): never {
  throw new Error('There is no UTC.');
}

const plain = (zone: Zone): CalendarZone => ({
  displayZone: zone,
  toInstant: (wallClock) => toInstant(wallClock, zone),
  toInput(instant) {
    const reading = toWallClock(instant, zone);
    // The second pass of a repeated hour can only be expressed as an instant.
    return toInstant(reading, zone) === instant ? reading : instant;
  },
});

// Notes a calendar whose zone is not that of the site.

/**
 * A note if most events are in one zone whose clock is another one than the site's then: their days would not be the days
 * of lists.
 */
export function zoneRemarks(plan: Iterable<PlannedEvent>, siteZone: Zone): string[] {
  const counts = new Map<string, number>();
  let events = 0;
  for (const { input, disposition = 'stay' } of plan) {
    if (disposition !== 'stay') continue;
    events += 1;
    const { timezone = siteZone.name, start } = input.times ?? {};
    const zone = resolveZone(timezone);
    const day = typeof start === 'number' ? start : Date.parse(`${String(start).slice(0, 10)}T12:00:00Z`) / 1000;
    if (zone && zone.offsetAt(day || 0) === siteZone.offsetAt(day || 0)) continue;
    counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return [];
  const [name, count] = most;
  if (count * 2 <= events) return [];
  return [
    `${count} of ${events} events are in the zone ${name}, this site is in ${siteZone.name}: lists and feeds go by the ` +
      `days of the site. If the calendar is to be in that zone, set DAYBOOK_TIMEZONE=${name} before it is filled.`,
  ];
}
