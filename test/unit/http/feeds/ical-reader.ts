// ical.js as an independent reader: it knows no zone but those that the calendar itself describes.
import ICAL from 'ical.js';

export interface ReadEvent {
  readonly component: ICAL.Component;
  /** UTC seconds; of whole days the local day at 00:00 as if it were UTC. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly isDate: boolean;
  value(name: string): string;
}

export interface ReadCalendar {
  readonly component: ICAL.Component;
  readonly events: ReadEvent[];
  /** TZIDs of the zones that are described. */
  readonly zones: string[];
}

/** Throws where a line is too long, ends otherwise than in CRLF, or a zone is used that is not described. */
export function readCalendar(text: string): ReadCalendar {
  checkLines(text);
  const component = new ICAL.Component(ICAL.parse(text));
  const zones = new Map(
    component.getAllSubcomponents('vtimezone').map((zone) => {
      const read = new ICAL.Timezone(zone);
      return [read.tzid, read] as const;
    }),
  );
  const events = component.getAllSubcomponents('vevent').map((event) => readEvent(event, zones));
  return { component, events, zones: [...zones.keys()] };
}

function checkLines(text: string): void {
  if (!text.endsWith('\r\n')) throw new Error('the last line has no end');
  for (const line of text.slice(0, -2).split('\r\n')) {
    if (/[\r\n]/.test(line)) throw new Error(`a line end within a line: ${JSON.stringify(line)}`);
    if (Buffer.byteLength(line) > 75) throw new Error(`too long: ${line}`);
    if (line.includes('\ufffd') && Buffer.from(line).toString() !== line) throw new Error('a character was cut');
  }
}

function readEvent(component: ICAL.Component, zones: ReadonlyMap<string, ICAL.Timezone>): ReadEvent {
  const startsAt = instantOf(component, 'dtstart', zones);
  return {
    component,
    startsAt,
    endsAt: component.hasProperty('dtend') ? instantOf(component, 'dtend', zones) : startsAt,
    isDate: timeOf(component, 'dtstart').isDate,
    value: (name) => String(component.getFirstPropertyValue(name) ?? ''),
  };
}

function timeOf(component: ICAL.Component, name: string): ICAL.Time {
  const value = component.getFirstPropertyValue(name);
  if (!(value instanceof ICAL.Time)) throw new Error(`${name} is no time`);
  return value;
}

function instantOf(component: ICAL.Component, name: string, zones: ReadonlyMap<string, ICAL.Timezone>): number {
  const time = timeOf(component, name);
  const tzid = component.getFirstProperty(name)?.getParameter('tzid');
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second) / 1000;
  if (time.isDate) return wall;
  if (tzid === undefined) {
    if (time.zone !== ICAL.Timezone.utcTimezone) throw new Error(`${name} is in no zone`);
    return wall;
  }
  const zone = zones.get(String(tzid));
  if (!zone) throw new Error(`${tzid} is not described`);
  return wall - zone.utcOffset(time);
}
