// Wraps ical.js; no other file of the import uses that package.
import ICAL from 'ical.js';
import type { WallClock } from '../../../time/zone.ts';

/** A time as written in a calendar. */
export interface Moment {
  /** `YYYY-MM-DD HH:MM:SS`; for a day the time is 00:00:00. */
  readonly wallClock: WallClock;
  readonly kind: 'day' | 'floating' | 'utc' | 'zoned';
  /** For `zoned`: the calendar's name of the zone. */
  readonly tzid: string;
}

export interface IcalRule {
  /** The end of the rule; null for none. */
  readonly until: Moment | null;
  /** The rule without this end. */
  readonly text: string;
}

interface IcalAddress {
  readonly name: string;
  readonly email: string;
}

export interface IcalEvent {
  readonly uid: string;
  readonly recurrenceId: Moment | null;
  /** Whether an override applies to all later occurrences, too. */
  readonly isForFuture: boolean;
  readonly start: Moment | null;
  readonly end: Moment | null;
  /** Seconds; null if absent. */
  readonly duration: number | null;
  /** Null: it has none. */
  readonly sequence: bigint | null;
  readonly rules: readonly IcalRule[];
  readonly added: readonly Moment[];
  readonly left: readonly Moment[];
  readonly organizer: IcalAddress | null;
  readonly categories: readonly string[];
  readonly place: { readonly lat: number; readonly lng: number } | null;
  /** The address of a picture. */
  readonly image: string;
  /** The first value of each of these properties as it is written; `''` if absent. */
  readonly texts: { readonly [Name in TextName]: string };
}

/** What else is read of an event. */
const TEXTS = [
  'class',
  'contact',
  'description',
  'dtstamp',
  'exrule',
  'last-modified',
  'location',
  'status',
  'summary',
  'url',
] as const;
type TextName = (typeof TEXTS)[number];

export interface IcalZone {
  readonly tzid: string;
  /** An alternative name of the zone; `''` for none. */
  readonly location: string;
  /** Seconds east of UTC at a wall clock. */
  offsetAt(wallClock: WallClock): number;
}

/** Remaining steps in search of the changes of a zone. */
interface StepBudget {
  left: number;
}

let budget: StepBudget | null = null;

function step(): void {
  if (budget === null) return;
  budget.left -= 1;
  if (budget.left < 0) throw new Error('the rules of its time zone do not come to an end');
}

// Some rules of zones never end and never occur either (30 February): ical.js searches for them without a bound, so
// each of its rounds is counted here.
type Rounds = { check_contracting_rules(): boolean; expand_year_days(year: number): unknown };
const rounds = ICAL.RecurIterator.prototype as unknown as Rounds;
const { check_contracting_rules: checkRules, expand_year_days: expandYear } = rounds;
rounds.check_contracting_rules = function counted(this: Rounds) {
  step();
  return checkRules.call(this);
};
rounds.expand_year_days = function counted(this: Rounds, year) {
  step();
  return expandYear.call(this, year);
};

function within<Result>(steps: StepBudget, work: () => Result): Result {
  budget = steps;
  try {
    return work();
  } finally {
    budget = null;
  }
}

/** Of any size: some writers count in milliseconds. */
const sequenceIn = (text: string): bigint | null => (/^\s*\d{1,30}\s*$/.test(text) ? BigInt(text) : null);

/** Parses one VEVENT. Throws an `Error` with a reason of one line. */
export function parseIcalEvent(block: string): IcalEvent {
  const component = ICAL.Component.fromString(block);
  const property = (name: string): ICAL.Property | null => component.getFirstProperty(name);
  const moment = (name: string): Moment | null => momentsOf(property(name))[0] ?? null;
  const moments = (name: string): Moment[] => component.getAllProperties(name).flatMap(momentsOf);
  const start = property('dtstart');
  const duration = property('duration')?.getFirstValue();
  const geo = property('geo')?.getFirstValue();
  const [lat, lng] = Array.isArray(geo) ? geo.map(Number) : [];
  return {
    uid: textOf(property('uid')).trim(),
    recurrenceId: moment('recurrence-id'),
    isForFuture: property('recurrence-id')?.getFirstParameter('range') === 'THISANDFUTURE',
    start: momentsOf(start)[0] ?? null,
    end: moment('dtend'),
    duration: duration instanceof ICAL.Duration ? duration.toSeconds() : null,
    sequence: sequenceIn(textOf(property('sequence'))),
    rules: component.getAllProperties('rrule').map(ruleOf),
    added: moments('rdate'),
    left: moments('exdate'),
    organizer: addressOf(property('organizer')),
    categories: component.getAllProperties('categories').flatMap((one) => one.getValues().map(String)),
    place: lat !== undefined && lng !== undefined && isOnEarth(lat, lng) ? { lat, lng } : null,
    image: imageOf(component.getAllProperties('attach')),
    // Of a large file there are many at a time: none holds on to what it was parsed into, which is far larger.
    texts: Object.fromEntries(TEXTS.map((name) => [name, writtenOf(property(name))])) as IcalEvent['texts'], // All of them.
  };
}

/** A text is parsed to itself, a rule to its parts. */
function writtenOf(property: ICAL.Property | null): string {
  const first: unknown = property?.jCal[3] ?? '';
  return typeof first === 'string' ? first : JSON.stringify(first);
}

const textOf = (property: ICAL.Property | null): string => {
  const value = property?.getFirstValue();
  return value === null || value === undefined ? '' : String(value);
};

const isOnEarth = (lat: number, lng: number): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

const two = (number: number): string => String(number).padStart(2, '0');

const wallClockOf = ({ year, month, day, hour, minute, second }: ICAL.Time): WallClock =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;

function momentsOf(property: ICAL.Property | null): Moment[] {
  const tzid = property?.getFirstParameter('tzid') ?? '';
  // As written: ical.js normalises a day such as 31 February on first access.
  for (const written of property?.jCal.slice(3) ?? []) assertExists(String(written));
  return (property?.getValues() ?? []).map((value: unknown) => {
    const time = value instanceof ICAL.Period ? value.start : value;
    if (!(time instanceof ICAL.Time)) throw new Error(`${property?.name.toUpperCase()} is not a date or time`);
    return momentOf(time, tzid);
  });
}

function momentOf(time: ICAL.Time, tzid: string): Moment {
  const wallClock = wallClockOf(time);
  if (time.isDate) return { wallClock, kind: 'day', tzid: '' };
  if (time.zone === ICAL.Timezone.utcTimezone) return { wallClock, kind: 'utc', tzid: '' };
  return { wallClock, kind: tzid === '' ? 'floating' : 'zoned', tzid };
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?/;

/** The parser accepts anything in the right form. */
function assertExists(written: string): void {
  const [, day, time = '00:00:00'] = WRITTEN.exec(written) ?? [];
  if (day === undefined) return;
  // 60 is a leap second.
  const counted = new Date(`${day}T${time.replace(/60$/, '59')}Z`);
  if (Number.isNaN(counted.getTime()) || !counted.toISOString().startsWith(day))
    throw new Error(`"${written}" is not a date and time`);
}

/** Only read here: ical.js expands `BYWEEKNO` and numbered weekdays of a year as if each week had them. */
function ruleOf(property: ICAL.Property): IcalRule {
  const rule = property.getFirstValue();
  if (!(rule instanceof ICAL.Recur)) throw new Error('RRULE cannot be read');
  // The types promise a time, yet a rule without an end has null.
  const until = (rule.until as ICAL.Time | null) ?? null;
  const endless = rule.clone() as ICAL.Recur & { until: ICAL.Time | null };
  endless.until = null;
  return { until: until && momentOf(until, ''), text: endless.toString() };
}

function addressOf(property: ICAL.Property | null): IcalAddress | null {
  if (!property) return null;
  const address = textOf(property).trim();
  const email = /^mailto:/i.test(address) ? decoded(address.slice('mailto:'.length)) : '';
  return { name: decoded(property.getFirstParameter('cn') ?? '').trim(), email: email.split('?')[0]?.trim() ?? '' };
}

/** Some writers escape names as in addresses. */
function decoded(text: string): string {
  try {
    return /%[0-9a-f]{2}/i.test(text) ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

function imageOf(attached: readonly ICAL.Property[]): string {
  const image = attached.find((one) => String(one.getFirstParameter('fmttype') ?? '').startsWith('image/'));
  const address = textOf(image ?? null);
  return /^https?:\/\//i.test(address) ? address : '';
}

/** Parses one VTIMEZONE. Throws an `Error` for an invalid one. */
export function parseIcalZone(block: string): IcalZone {
  const component = ICAL.Component.fromString(block);
  const zone = new ICAL.Timezone(component);
  const location = textOf(component.getFirstProperty('x-lic-location'));
  return {
    tzid: textOf(component.getFirstProperty('tzid')),
    location,
    offsetAt: (wallClock) =>
      within({ left: 100_000 }, () => {
        const time = ICAL.Time.fromDateTimeString(wallClock.replace(' ', 'T'));
        return zone.utcOffset(time);
      }),
  };
}
