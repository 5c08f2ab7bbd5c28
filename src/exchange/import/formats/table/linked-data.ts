// Events in the words of schema.org (JSON-LD), wherever they stand in what a page tells programs: as records with members of members.
import { present } from '../../../../domain/present.ts';
import { type ForeignRecord, isObject } from '../../fields.ts';

const WORDS = /^(?:schema:|https?:\/\/schema\.org\/)/i;
const EVENT = /(?:Event|EventSeries|Festival|CourseInstance|Hackathon)$/;
/** A part of an event may be a reference to another node, with one more in it: `location`, and its `address`. */
const REFERENCES = 2;

const listOf = (value: unknown): readonly unknown[] => (value === undefined || value === null ? [] : [value].flat());
const isOf = (node: unknown, type: RegExp): boolean =>
  isObject(node) && listOf(node['@type']).some((one) => type.test(String(one)));

/** An event of JSCalendar has a type as well, and begins at its `start`. */
export const isLinkedData = (value: unknown): boolean =>
  listOf(value).some(
    (one) => isObject(one) && !('start' in one) && ['@context', '@graph', '@type'].some((name) => name in one),
  );

/** All events that say when they are. */
export function eventsIn(value: unknown): readonly ForeignRecord[] {
  const nodes = new Map<unknown, ForeignRecord>();
  const resolutions = Array.from({ length: REFERENCES }, () => new Map<ForeignRecord, unknown>());
  const events: ForeignRecord[] = [];
  collect(plain(value), {});
  return events.map((event) => asRecord(resolved(event, REFERENCES) as ForeignRecord)); // An object for an object.

  /** The part with names that have no prefix, and without what says the type or the language of a text. */
  function plain(part: unknown): unknown {
    if (Array.isArray(part)) {
      const all = part.map(plain);
      return part.some((one) => isObject(one) && '@language' in one) ? all[0] : all;
    }
    if (!isObject(part)) return part;
    if ('@value' in part) return part['@value'];
    const node = Object.fromEntries(Object.entries(part).map(([name, one]) => [name.replace(WORDS, ''), plain(one)]));
    if (!isReference(node)) nodes.set(node['@id'], node);
    return node;
  }

  /** Parts of an event have its place and organizer. The whole of a series that tells its dates is none of them. */
  function collect(part: unknown, above: ForeignRecord): void {
    if (Array.isArray(part)) for (const one of part) collect(one, above);
    if (!isObject(part)) return;
    const event = isOf(part, EVENT) ? { ...above, ...part } : {};
    const { location, organizer } = event;
    const isWhole = 'subEvent' in part && isOf(part, /EventSeries$/);
    if (!isWhole && ('startDate' in event || 'eventSchedule' in event)) events.push(event);
    for (const [name, one] of Object.entries(part))
      if (name !== 'superEvent') collect(one, name.startsWith('subEvent') ? { location, organizer } : {});
  }

  /** Each node is resolved once, however many refer to it. */
  function resolved(part: unknown, references: number): unknown {
    if (Array.isArray(part)) return part.map((one) => resolved(one, references));
    if (!isObject(part)) return part;
    const node = isReference(part) ? nodes.get(part['@id']) : undefined;
    if (!node) return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, resolved(one, references)]));
    const byNode = resolutions[references - 1];
    if (!byNode?.has(node)) byNode?.set(node, resolved(node, references - 1));
    return byNode?.get(node);
  }
}

const isReference = (node: ForeignRecord): boolean =>
  '@id' in node && Object.keys(node).every((name) => name === '@id' || name === '@type');

function asRecord(event: ForeignRecord): ForeignRecord {
  const { startDate, endDate, homeTeam, awayTeam, name = sides(homeTeam, awayTeam), location } = event;
  const isFree = /^(?:true|https?:\/\/schema\.org\/True)$/i.test(String(event.isAccessibleForFree));
  const isWhole = /T00:00/.test(String(startDate)) && /T23:59/.test(String(endDate));
  const places = listOf(location).map((one) => (isOf(one, /PostalAddress$/) ? { address: one } : one));
  const topics = listOf(event.about).filter((one) => isOf(one, /DefinedTerm$/));
  const isOnline = /(?:Online|Mixed)EventAttendanceMode$/.test(String(event.eventAttendanceMode));
  if (isOnline && !places.some((one) => isOf(one, /VirtualLocation$/))) places.push({ name: 'online' });
  return {
    ...event,
    ...{ name, location: places.length > 0 ? places : undefined },
    ...(isFree && event.offers === undefined && { offers: { price: '0' } }),
    ...(isWhole && { allDay: true }),
    about: topics.length > 0 ? topics : undefined,
    endDate: listOf(endDate).join('') === '' ? endAfter(String(startDate), String(event.duration)) : endDate,
    ...scheduleIn(event),
  };
}

/** When what begins at a time and takes so many hours ends, by the same clock; undefined if that cannot be told. */
function endAfter(start: string, length: string): string | undefined {
  const [, hours = 0, minutes = 0] = /^P?T(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:0+S)?$/i.exec(length) ?? [];
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(start) ? '' : 'Z';
  const begin = /T\d\d:/.test(start) ? Date.parse(start + zone) : Number.NaN;
  const minutesLong = Number(hours) * 60 + Number(minutes);
  const end = new Date(begin + minutesLong * 60_000);
  // Also a date beyond those that there are.
  if (Number.isNaN(end.getTime()) || minutesLong === 0) return undefined;
  return zone === '' ? end.toISOString() : end.toISOString().slice(0, -1);
}

const sides = (...teams: readonly unknown[]): string =>
  teams.flatMap((one) => (isObject(one) ? [String(one.name)] : [])).join(' – ');

const UNITS: Readonly<Record<string, string>> = { D: 'DAILY', W: 'WEEKLY', M: 'MONTHLY', Y: 'YEARLY' };

/** Its schedule in the words of FullCalendar. */
function scheduleIn(event: ForeignRecord): ForeignRecord {
  const [schedule, ...others] = listOf(event.eventSchedule).filter(isObject);
  const [, interval, unit = ''] = /^P(\d{1,3})([DWMY])$/i.exec(String(schedule?.repeatFrequency)) ?? [];
  if (Object.keys(schedule ?? {}).every((name) => /^@type$|^scheduleTimezone$/.test(name)))
    return { eventSchedule: undefined, timezone: schedule?.scheduleTimezone };
  if (!schedule || unit === '' || others.length > 0) return {};
  const { startDate = String(event.startDate ?? '').slice(0, 10), endDate, repeatCount } = schedule;
  const { startTime = '', endTime = startTime, byDay, byMonth, byMonthDay } = schedule;
  const [from = 0, to = 0] = [startTime, endTime].map((time) => Date.parse(`2000-01-01T${time || '00:00'}Z`));
  const days = listOf(byDay).map((day) =>
    String(day)
      .replace(WORDS, '')
      .replace(/^([+-]?\d*[a-z]{2})[a-z]*$/i, '$1'),
  );
  const rrule = present({
    ...{ freq: UNITS[unit.toUpperCase()], interval, bymonth: byMonth, bymonthday: byMonthDay, count: repeatCount },
    byweekday: days.length > 0 ? days : undefined,
    until: repeatCount === undefined ? endDate : undefined,
    dtstart: `${startDate} ${startTime}`.trim(),
  });
  const minutes = (to - from) / 60_000;
  return {
    ...{ rrule, exdate: schedule.exceptDate, timezone: schedule.scheduleTimezone },
    duration: { minutes: minutes < 0 ? minutes + 24 * 60 : minutes },
  };
}
