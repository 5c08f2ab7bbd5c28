// VCALENDAR: what precedes and follows the events.
import { resolveZone } from '../../../kernel/time/zone.ts';
import { contentLine, textValue } from './content-lines.ts';
import { isWrittenAsUtc } from './date-times.ts';
import { timeZoneComponent, type Years } from './time-zone.ts';

/** The suggested refresh interval. */
const REFRESH = 'PT1H';

/** The years in which the zones of a calendar are used, by the names that events have for them. */
type ZoneYears = ReadonlyMap<string, Years>;

/** Up to the first event. `name`: the title of the calendar; `description`: what its readers must know, or ''. */
export const calendarHead = (name: string, zones: ZoneYears, description = ''): string =>
  contentLine('BEGIN', 'VCALENDAR') +
  contentLine('VERSION', '2.0') +
  contentLine('PRODID', '-//Daybook//Daybook//EN') +
  contentLine('CALSCALE', 'GREGORIAN') +
  contentLine('METHOD', 'PUBLISH') +
  contentLine('NAME', textValue(name)) +
  contentLine('X-WR-CALNAME', textValue(name)) +
  (description &&
    contentLine('DESCRIPTION', textValue(description)) + contentLine('X-WR-CALDESC', textValue(description))) +
  contentLine('REFRESH-INTERVAL', REFRESH, { VALUE: 'DURATION' }) +
  contentLine('X-PUBLISHED-TTL', REFRESH) +
  [...zones.keys()]
    .sort()
    .map((zone) => described(zone, zones.get(zone)))
    .join('');

function described(name: string, years: Years | undefined): string {
  const zone = resolveZone(name);
  return zone === null || years === undefined || isWrittenAsUtc(zone) ? '' : timeZoneComponent(zone, years);
}

export const CALENDAR_END = contentLine('END', 'VCALENDAR');
