// Reads events of iCalendar. What cannot be read of an event, and need not be there, costs no more than itself.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { ruleProblem } from '../../../../kernel/time/recurrence.ts';
import { type ForeignRecord, isObject } from '../../fields.ts';
import { type Field, fieldsNamed } from '../table/headings.ts';
import { type ContentLine, linesIn, textsIn, unescaped } from './ical-lines.ts';
import { cannotBeRead, type Length, lengthOf, type Moment, momentOf } from './ical-moments.ts';
import type { CalendarZones } from './ical-zones.ts';

export interface IcalRule {
  /** The end of the rule, of whole days a day; null for none. */
  readonly until: Moment | null;
  /** The rule without this end. */
  readonly text: string;
}

/** When something ends; both null: as what it belongs to. */
interface Ending {
  readonly end: Moment | null;
  readonly duration: Length | null;
}

interface AddedDate extends Ending {
  readonly start: Moment;
}

interface IcalAddress {
  readonly name: string;
  readonly email: string;
}

interface Coordinates {
  readonly lat: number;
  readonly lng: number;
}

/** `X-APPLE-STRUCTURED-LOCATION` */
type NamedPlace = ReturnType<typeof namedPlaceOf>;

/** A property that could not be read. */
interface UnreadProperty {
  readonly name: string;
  /** The line of the file, from 1. */
  readonly line: number;
  /** One line. */
  readonly reason: string;
}

export interface IcalEvent extends Ending {
  /** As it is written. */
  readonly recurrenceId: Moment | null;
  /** It is one date of another event, and which one cannot be read. */
  readonly isUnplaced: boolean;
  /** Whether an override applies to all later occurrences, too. */
  readonly isForFuture: boolean;
  readonly start: Moment;
  /** Null: it has none. */
  readonly sequence: bigint | null;
  /** `YYYY-MM-DDTHH:MM:SSZ`; `''` if unknown. */
  readonly modified: string;
  readonly rules: readonly IcalRule[];
  /** Rules that leave dates out (EXRULE). */
  readonly exceptions: readonly IcalRule[];
  readonly rdates: readonly AddedDate[];
  readonly exdates: readonly Moment[];
  readonly organizer: IcalAddress | null;
  readonly contacts: readonly string[];
  readonly categories: readonly string[];
  readonly place: Coordinates | null;
  readonly namedPlace: NamedPlace | null;
  /** The address of a picture; `''` for none. */
  readonly image: string;
  /** The address of a meeting online; `''` for none. */
  readonly conference: string;
  /** The description as HTML, as its calendar wrote it; `''` for none. */
  readonly richText: string;
  /** What a Daybook says besides, in the words of its API. */
  readonly ofDaybook: ForeignRecord;
  /** The first value of each of these properties; `''` if absent. */
  readonly texts: { readonly [Name in TextName]: string };
  /** What properties of single programs say, by the fields that their names stand for in tables. */
  readonly named: { readonly [Name in Field]?: string };
  readonly unreadProperties: readonly UnreadProperty[];
}

/** The last two are those of our own calendars. */
const TEXTS = [
  ...(['class', 'description', 'location', 'status', 'summary', 'url', 'x-calendarserver-access'] as const),
  ...(['x-daybook-status', 'x-daybook-summary'] as const),
];
type TextName = (typeof TEXTS)[number];

const WHOLE_DAY = ['X-MICROSOFT-CDO-ALLDAYEVENT', 'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT', 'X-FUNAMBOL-ALLDAY'];
const CONFERENCES = [
  'CONFERENCE',
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
];
/** So many properties of one event are told: a list may have thousands of values. */
const MAX_UNREAD = 100;
/** So many rules of one event are read, which needs no second one as a rule. */
const MAX_RULES = 20;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/**
 * Reads one VEVENT, its times in the terms of its start: those of a whole day are days. Throws an `Error` with a reason of
 * one line if it has no start that can be read.
 */
export function parseIcalEvent(block: string, zones: CalendarZones): IcalEvent {
  const lines = new Map<string, ContentLine[]>();
  const unreadProperties: UnreadProperty[] = [];
  for (const line of linesIn(block)) {
    const others = lines.get(line.name);
    if (others) others.push(line);
    else lines.set(line.name, [line]);
  }
  const linesOf = (...names: string[]): ContentLine[] => names.flatMap((name) => lines.get(name) ?? []);
  const text = (name: string): string => unescaped(linesOf(name)[0]?.value ?? '');
  const miss = ({ name, line }: Pick<ContentLine, 'name' | 'line'>, reason: string): void => {
    if (unreadProperties.length < MAX_UNREAD) unreadProperties.push({ name, line, reason });
  };
  function attempt<Result>(line: ContentLine, work: () => Result): Result[] {
    try {
      return [work()];
    } catch (error) {
      miss(line, error instanceof Error ? error.message : String(error));
      return [];
    }
  }
  const first = <Result>(name: string, parse: (line: ContentLine) => Result): Result | null =>
    linesOf(name).flatMap((line) => attempt(line, () => parse(line)))[0] ?? null;
  const each = <Result>(name: string, parse: (value: string, line: ContentLine) => Result): Result[] =>
    linesOf(name).flatMap((line) => valuesOf(line).flatMap((value) => attempt(line, () => parse(value, line))));
  const knownMoment = (value: string, { parameters }: ContentLine): Moment => {
    const moment = momentOf(value, parameters);
    zones.of(moment);
    return moment;
  };
  const ruleIn = (line: ContentLine): IcalRule => {
    const written = line.value.toUpperCase().trim();
    const parts = (oldRule(written) ?? written.replace(/[\s\\"]|^RRULE:/g, '')).split(';');
    for (const part of parts)
      if (part.endsWith('=')) miss({ ...line, name: part.slice(0, -1) }, cannotBeRead(part).message);
    return ruleOf(parts, start, zones);
  };

  const rulesIn = (name: string): IcalRule[] =>
    linesOf(name).flatMap((line, at) =>
      attempt(line, () => {
        if (at >= MAX_RULES) throw new Error(`it is one of more than ${MAX_RULES}`);
        return ruleIn(line);
      }),
    );

  for (const line of linesOf('')) miss({ ...line, name: 'text' }, cannotBeRead(line.value).message);
  // A date of a series may say no more than what becomes of it.
  const [startLine] = linesOf('DTSTART', 'RECURRENCE-ID');
  if (!startLine) throw new Error('no DTSTART');
  const isWholeDay = linesOf(...WHOLE_DAY).some(({ value }) => /^\s*(?:true|1)\s*$/i.test(value));
  const start = startOf(startLine, isWholeDay, zones);
  const recurrenceId = first('RECURRENCE-ID', (line) => knownMoment(line.value, line));
  const [dateLine] = linesOf('RECURRENCE-ID');
  const range = dateLine?.parameters.get('RANGE')?.toUpperCase() ?? '';
  const isForFuture = range === 'THISANDFUTURE';
  if (dateLine && range !== '' && !isForFuture) miss({ ...dateLine, name: 'RANGE' }, cannotBeRead(range).message);
  const [place, namedPlace] = [
    first('GEO', ({ value }) => placeAt(value)),
    first('X-APPLE-STRUCTURED-LOCATION', namedPlaceOf),
  ];
  const [geo] = linesOf('GEO');
  if (geo && place && !namedPlace && text('LOCATION') === '') miss(geo, 'there is no LOCATION that it is of');
  const pictures = linesOf('IMAGE', 'ATTACH').filter(isPicture);
  for (const line of pictures) if (!isWeb(addressIn(line))) miss(line, 'it is not an address on the web');
  const modified = first('LAST-MODIFIED', instantIn) ?? first('DTSTAMP', instantIn);
  return {
    recurrenceId,
    isUnplaced: recurrenceId === null && dateLine !== undefined,
    isForFuture,
    start,
    end: first('DTEND', (line) => endOf(knownMoment(line.value, line), start, zones)),
    duration: first('DURATION', ({ value }) => lengthOf(value)),
    sequence: sequenceIn(text('SEQUENCE')),
    modified: modified ?? '',
    rules: rulesIn('RRULE'),
    exceptions: rulesIn('EXRULE'),
    rdates: each('RDATE', (value, line) => {
      const [from = '', to] = value.split('/');
      const begin = inTermsOf(start, knownMoment(from, line), zones);
      if (to === undefined) return { start: begin, end: null, duration: null };
      if (/^\+?P/i.test(to)) return { start: begin, end: null, duration: lengthOf(to) };
      return { start: begin, end: endOf(knownMoment(to, line), begin, zones), duration: null };
    }),
    exdates: each('EXDATE', (value, line) => dateOfSeries(start, knownMoment(value, line), zones)),
    organizer: addressOf(linesOf('ORGANIZER')[0]),
    contacts: linesOf('CONTACT').map(({ value }) => unescaped(value)),
    categories: linesOf('CATEGORIES').flatMap(({ value }) => textsIn(value)),
    ...{ place, namedPlace },
    image: pictures.map(addressIn).find(isWeb) ?? '',
    conference:
      linesOf(...CONFERENCES)
        .map(addressIn)
        .find(isWeb) ?? '',
    richText:
      linesOf('STYLED-DESCRIPTION', 'X-ALT-DESC')
        .filter(isHtml)
        .map(({ value }) => unescaped(value))[0] ?? '',
    texts: Object.fromEntries(TEXTS.map((name) => [name, text(name.toUpperCase())])) as IcalEvent['texts'], // All of them.
    named: namedIn([...lines.values()].flat()),
    ofDaybook: first('X-DAYBOOK-EVENT', recordIn) ?? {},
    unreadProperties,
  };
}

function recordIn({ value }: ContentLine): ForeignRecord {
  const record: unknown = JSON.parse(unescaped(value));
  if (!isObject(record)) throw cannotBeRead(value);
  return record;
}

/** `X-COST`, `X-TICKETS-URL`, `X-TRUMBA-CUSTOMFIELD;NAME="Cost"` */
function namedIn(lines: readonly ContentLine[]): IcalEvent['named'] {
  const named = lines.flatMap(({ name, parameters, value }) => {
    const heading = parameters.get('NAME') ?? name.slice('X-'.length);
    if (!name.startsWith('X-') || value === '' || !OF_TICKETS.test(heading)) return [];
    return fieldsNamed(heading).map((field) => [field, unescaped(value).trim()] as const);
  });
  return Object.fromEntries(named);
}

/** Looked at before the headings of tables, which take some time. */
const OF_TICKETS = /cost|price|fee|ticket|regist/i;

/** The number may have any size: some writers count in milliseconds. */
const sequenceIn = (text: string): bigint | null => (/^\s*\d{1,30}\s*$/.test(text) ? BigInt(text) : null);

/** The values of a list; an empty list has one, which is empty. */
function valuesOf({ value }: ContentLine): string[] {
  // A semicolon separates them in vCalendar.
  const values = value.split(/[,;]/).filter((one) => one.trim() !== '');
  return values.length === 0 ? [''] : values;
}

function startOf({ value, parameters }: ContentLine, isWholeDay: boolean, zones: CalendarZones): Moment {
  let start: Moment;
  try {
    start = momentOf(value, parameters);
  } catch (error) {
    throw new Error(`DTSTART ${error instanceof Error ? error.message : error}`);
  }
  zones.of(start);
  // A day begins at midnight, in UTC at that of its zone.
  const isDay = isWholeDay && (start.kind === 'utc' || start.wallClock.endsWith(MIDNIGHT));
  return isDay ? dayAt(zones.dayOf(start)) : start;
}

const dayAt = (day: string): Moment => ({ wallClock: `${day} 00:00:00`, kind: 'day', tzid: '' });

/**
 * A time that belongs to an event, in the terms of a start: calendars write days of a timed series, and times of a series of
 * whole days. A time without a zone is by the clock of the start.
 */
export function inTermsOf(start: Moment, moment: Moment, zones: CalendarZones): Moment {
  if (start.kind === 'day') return moment.kind === 'day' ? moment : dayAt(zones.dayOf(moment));
  if (moment.kind === 'day')
    return { ...start, wallClock: `${moment.wallClock.slice(0, 10)}${start.wallClock.slice(10)}` };
  return moment.kind === 'floating' ? { ...start, wallClock: moment.wallClock } : moment;
}

/** The date of a series that is left out or changed: some write its day as the midnight, also as that of UTC. */
export function dateOfSeries(start: Moment, moment: Moment, zones: CalendarZones): Moment {
  const time = start.wallClock.slice(10);
  const isOtherClock = moment.kind === 'utc' && start.kind !== 'utc';
  const dayBy = (days: number): string =>
    formatCivil(parseCivil(moment.wallClock) + days * SECONDS_PER_DAY).slice(0, 10);
  const isStart = (days: number): boolean =>
    zones.instantOf({ ...start, wallClock: dayBy(days) + time }) === zones.instantOf(moment);
  const isExact = isOtherClock ? [-1, 0, 1].some(isStart) : moment.wallClock.endsWith(time);
  const isDay = moment.wallClock.endsWith(MIDNIGHT) && !isExact;
  return inTermsOf(start, isDay ? dayAt(moment.wallClock.slice(0, 10)) : moment, zones);
}

const MIDNIGHT = ' 00:00:00';

/** An end in the terms of its start, of whole days a time on the last one. Throws an `Error` for one before the start. */
function endOf(written: Moment, start: Moment, zones: CalendarZones): Moment {
  const end = endInTermsOf(start, written, zones);
  if (zones.instantOf(end) < zones.instantOf(start))
    throw new Error(`it ends (${end.wallClock}) before it starts (${start.wallClock})`);
  return end;
}

function endInTermsOf(start: Moment, end: Moment, zones: CalendarZones): Moment {
  if (start.kind === 'day' && end.kind === 'utc') return dayAt(zones.dayOf(end));
  if (start.kind !== 'day' && (end.kind === 'utc' || end.kind === 'zoned')) return end;
  return { ...start, wallClock: end.wallClock };
}

const OLD_RULE = /^(D|W|MP|MD|YM|YD)(\d{1,3})((?: (?:LD|\d{1,3}[+-]?|[A-Z]{2}))*)(?: (?:#(\d{1,5})|(\d{8}T\d{6}Z?)))?$/;
const OLD_PARTS: Readonly<Record<string, readonly [frequency: string, limit: string]>> = {
  D: ['DAILY', ''],
  W: ['WEEKLY', 'BYDAY'],
  MP: ['MONTHLY', 'BYDAY'],
  MD: ['MONTHLY', 'BYMONTHDAY'],
  YM: ['YEARLY', 'BYMONTH'],
  YD: ['YEARLY', 'BYYEARDAY'],
};

/** A rule of vCalendar 1.0, such as `MP1 1+ SU #4`, in the words of today; null for any other. Without an end it has two dates. */
function oldRule(written: string): string | null {
  const [, sort = '', interval = '', list = '', count = '2', until] = OLD_RULE.exec(written) ?? [];
  const [frequency, limit] = OLD_PARTS[sort] ?? [];
  if (frequency === undefined) return null;
  let number = '';
  const days = list.split(' ').flatMap((one) => {
    const signed =
      one === 'LD' ? '-1' : one.replace(/^(\d+)([+-]?)$/, (_, digits, sign) => sign.replace('+', '') + digits);
    if (limit !== 'BYDAY' || /[A-Z]/.test(one)) return one === '' ? [] : [number + signed];
    number = signed;
    return [];
  });
  if (sort === 'MP' && (number === '' || days.length === 0)) return null;
  const end = until === undefined ? `COUNT=${count}` : `UNTIL=${until}`;
  const parts = [`FREQ=${frequency}`, `INTERVAL=${interval}`, ...(days.length > 0 ? [`${limit}=${days}`] : [])];
  return [...parts, ...(end === 'COUNT=0' ? [] : [end])].join(';');
}

function ruleOf(written: readonly string[], start: Moment, zones: CalendarZones): IcalRule {
  const parts = written.filter((part) => part !== '' && !part.endsWith('='));
  const [end] = parts.filter((part) => part.startsWith('UNTIL='));
  const text = parts.filter((part) => part !== end).join(';');
  const problem = ruleProblem(text);
  if (problem !== null) throw new Error(problem);
  const until = end === undefined ? null : momentOf(end.slice('UNTIL='.length), new Map());
  return { text, until: until && start.kind === 'day' ? dayAt(zones.dayOf(until)) : until };
}

/** An instant, as texts that are compared. */
const instantIn = ({ value, parameters }: ContentLine): string =>
  `${momentOf(value, parameters).wallClock.replace(' ', 'T')}Z`;

/** Null for zero in both: programs write it where they know none. */
function placeAt(value: string): Coordinates | null {
  const written = value.trim().replace(/^geo:/i, '');
  const pair = written.includes(';') ? written.replaceAll(',', '.').split(';') : written.split(',');
  const degrees = pair.length === 4 ? [`${pair[0]}.${pair[1]}`, `${pair[2]}.${pair[3]}`] : pair;
  const [lat = Number.NaN, lng = Number.NaN] = degrees.map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) throw cannotBeRead(value);
  return lat === 0 && lng === 0 ? null : { lat, lng };
}

function namedPlaceOf({ value, parameters }: ContentLine) {
  const lines = (name: string): string => (parameters.get(name) ?? '').replace(/\\+n/gi, '\n').replace(/\\/g, '');
  const place = /^geo:/i.test(value) ? placeAt(value.split(/[;?]/)[0] ?? '') : null;
  return { name: lines('X-TITLE'), /** In lines; `''` for none. */ address: lines('X-ADDRESS'), place };
}

function addressOf(line: ContentLine | undefined): IcalAddress | null {
  if (!line) return null;
  const address = addressIn(line);
  const email = /^mailto:/i.test(address) ? decoded(address.slice('mailto:'.length)) : '';
  const commonName = decoded(line.parameters.get('CN') ?? '').trim();
  // Outlook writes addresses as names, in quotes of its own.
  const name = commonName.replace(/^'(.*)'$/, '$1').replace(/^mailto:/i, '');
  return { name, email: email.split('?')[0]?.trim() ?? '' };
}

/** Some writers escape names as in addresses. */
function decoded(text: string): string {
  try {
    return /%[0-9a-f]{2}/i.test(text) ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

const addressIn = ({ value }: ContentLine): string => unescaped(value).trim();
const isWeb = (address: string): boolean => WEB_ADDRESS.test(address);
const formatOf = ({ parameters }: ContentLine): string => (parameters.get('FMTTYPE') ?? '').toLowerCase();

function isPicture(line: ContentLine): boolean {
  const format = formatOf(line);
  if (format !== '') return format.startsWith('image/');
  return line.name === 'IMAGE' || /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(line.value);
}

const isHtml = (line: ContentLine): boolean =>
  formatOf(line) === 'text/html' && line.parameters.get('VALUE')?.toUpperCase() !== 'URI' && line.value.trim() !== '';
