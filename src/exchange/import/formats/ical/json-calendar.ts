// Calendars in JSON as the text of an iCalendar file, so that they are read in one place: jCal (RFC 7265), whose properties are
// those of iCalendar, and JSCalendar (RFC 8984), which has words of its own.
import { type ForeignRecord, filledTextIn, isObject } from '../../fields.ts';
import { lineOfJCal } from './ical-time-zone.ts';

/** Null for JSON that is no calendar of these two. */
export function calendarTextIn(value: unknown): string | null {
  const calendars = isJCal(value) ? [value] : value;
  if (Array.isArray(calendars) && calendars.length > 0 && calendars.every(isJCal))
    return calendars.flatMap(linesOfJCal).join('\r\n');
  const entries = entriesIn(value);
  if (entries.length === 0 || !entries.every(isJSEvent)) return null;
  return ['BEGIN:VCALENDAR', ...entries.flatMap(linesOfEvent), 'END:VCALENDAR', ''].join('\r\n');
}

type JCal = readonly [name: string, properties: readonly unknown[], components: readonly unknown[]];

const isComponent = (value: unknown): value is JCal =>
  Array.isArray(value) && isText(value[0]) && Array.isArray(value[1]) && Array.isArray(value[2]);
const isJCal = (value: unknown): value is JCal => isComponent(value) && value[0].toLowerCase() === 'vcalendar';

const linesOfJCal = ([name, properties, components]: JCal): string[] => [
  `BEGIN:${name}`,
  ...properties.flatMap(lineOfJCal),
  ...components.filter(isComponent).flatMap(linesOfJCal),
  `END:${name}`,
];

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n');
const isText = (value: unknown): value is string => typeof value === 'string';

/** `2027-06-10T20:00:00` without its signs; a length has none. */
const basic = (text: string): string => (/^\d{4}-/.test(text) ? text.replace(/[-:]/g, '') : text);

// JSCalendar

/** The events of a group, a list, or a single one. */
function entriesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) && Array.isArray(value.entries) ? value.entries.filter((one) => !isTask(one)) : [value];
}

const isTask = (value: unknown): boolean => isObject(value) && value['@type'] === 'Task';

/** An event of schema.org, which has the same type, begins at its `startDate`. */
const isJSEvent = (value: unknown): value is ForeignRecord =>
  isObject(value) && (value['@type'] === 'Event' || value['@type'] === 'jsevent') && isText(value.start);

const objectsOf = (value: unknown): readonly ForeignRecord[] =>
  isObject(value) ? Object.values(value).filter(isObject) : [];

function linesOfEvent(event: ForeignRecord): string[] {
  const changes = Object.entries(isObject(event.recurrenceOverrides) ? event.recurrenceOverrides : {});
  const { recurrenceRules: rules, excludedRecurrenceRules: exceptions, recurrenceRule, ...common } = event;
  const rulesOf = (value: unknown) => (Array.isArray(value) ? value : [value]).filter(isObject).map(ruleText);
  const dates = changes.map(([date, change]) => ({ date, change: isObject(change) ? change : {} }));
  const isLeft = ({ change }: { readonly change: ForeignRecord }): boolean => change.excluded === true;
  return [
    ...component(common, [
      ...rulesOf(rules ?? recurrenceRule).map((rule) => `RRULE:${rule}`),
      ...rulesOf(exceptions).map((rule) => `EXRULE:${rule}`),
      ...dates.filter(isLeft).map(({ date }) => momentLine('EXDATE', date, common)),
    ]),
    ...dates
      .filter((one) => !isLeft(one))
      .flatMap(({ date, change }) =>
        component(patched({ ...common, start: date }, change), [momentLine('RECURRENCE-ID', date, common)]),
      ),
  ];
}

function momentLine(name: string, at: string, { timeZone, showWithoutTime }: ForeignRecord): string {
  if (showWithoutTime === true) return `${name};VALUE=DATE:${basic(at.slice(0, 10))}`;
  const zone = isText(timeZone) && timeZone !== '' ? `;TZID="${timeZone.replace(/["\r\n]/g, '')}"` : '';
  return `${name}${zone}:${basic(at)}`;
}

function component(event: ForeignRecord, more: readonly string[]): string[] {
  const text = (name: string): string => filledTextIn(event, name) ?? '';
  const places = objectsOf(event.locations);
  const [place] = places;
  const links = objectsOf(event.links);
  const isPicture = ({ contentType, rel }: ForeignRecord): boolean =>
    rel === 'icon' || /^image\//.test(String(contentType));
  const owner = objectsOf(event.participants).find(({ roles }) => isObject(roles) && roles.owner === true);
  const isHtml = /^text\/html/i.test(text('descriptionContentType'));
  const named = (value: unknown): string[] => Object.keys(isObject(value) ? value : {});
  const line = (name: string, value: unknown): string[] =>
    isText(value) && value !== '' ? [`${name}:${escaped(value)}`] : [];
  return [
    'BEGIN:VEVENT',
    ...line('UID', text('uid')),
    ...line('SUMMARY', text('title')),
    momentLine('DTSTART', text('start'), event),
    ...line('DURATION', text('duration')),
    ...(typeof event.sequence === 'number' ? [`SEQUENCE:${event.sequence}`] : []),
    ...line('LAST-MODIFIED', basic(text('updated'))),
    ...line(isHtml ? 'X-ALT-DESC;FMTTYPE=text/html' : 'DESCRIPTION', event.description),
    ...line('LOCATION', places.map((one) => filledTextIn(one, 'name') ?? '').join('; ')),
    ...(isText(place?.coordinates) ? [`GEO:${place.coordinates.replace(/^geo:|[?\r\n].*$/gi, '')}`] : []),
    ...objectsOf(event.virtualLocations).flatMap(({ uri }) => line('CONFERENCE;VALUE=URI', uri)),
    ...line('STATUS', text('status').toUpperCase()),
    // RFC 8984, 4.4.3: words that are not known mean that it is private.
    ...(['', 'public'].includes(text('privacy').toLowerCase()) ? [] : ['CLASS:PRIVATE']),
    ...[...named(event.keywords), ...named(event.categories)].flatMap((name) => line('CATEGORIES', name)),
    ...links.filter(isPicture).flatMap(({ href }) => line('IMAGE', href)),
    ...line('URL', links.find((one) => !isPicture(one))?.href),
    ...(owner ? [organizerLine(owner)] : []),
    ...more,
    'END:VEVENT',
  ];
}

function organizerLine(owner: ForeignRecord): string {
  const { imip } = isObject(owner.sendTo) ? owner.sendTo : {};
  const name = (filledTextIn(owner, 'name') ?? '').replaceAll('"', "^'");
  return `ORGANIZER;CN="${name}":${isText(imip) ? imip : `mailto:${filledTextIn(owner, 'email') ?? ''}`}`;
}

/** Parts that have other names than in iCalendar: `byMonthDay` and the like are the same in capitals. */
const PARTS: Readonly<Record<string, string>> = {
  frequency: 'FREQ',
  firstDayOfWeek: 'WKST',
  bySetPosition: 'BYSETPOS',
};

function ruleText(rule: ForeignRecord): string {
  const parts = Object.entries(rule).filter(([name]) => name !== '@type');
  const dayOf = (value: unknown): string =>
    isObject(value) ? `${String(value.nthOfPeriod ?? '')}${String(value.day)}` : String(value);
  return parts
    .map(([name, value]) => {
      const part = PARTS[name] ?? name;
      if (part === 'until') return `UNTIL=${basic(String(value))}`;
      return `${part}=${(Array.isArray(value) ? value : [value]).map(dayOf).join(',')}`;
    })
    .join(';')
    .toUpperCase();
}

/** A change names members, or what lies within them: `locations/1/name`. Null takes one away. */
function patched(event: ForeignRecord, change: ForeignRecord): ForeignRecord {
  let whole: ForeignRecord = event;
  for (const [pointer, value] of Object.entries(change)) whole = set(whole, pointer.split('/'), value);
  return whole;
}

function set(of: ForeignRecord, [name = '', ...rest]: readonly string[], value: unknown): ForeignRecord {
  const inner = of[name];
  return { ...of, [name]: rest.length === 0 ? value : set(isObject(inner) ? inner : {}, rest, value) };
}
