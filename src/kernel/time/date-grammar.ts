// Parses a date text piece by piece into a draft: its words, not yet its meaning. Every pattern is anchored at the
// current position and has no nested repetition, so the work is linear in the length of the text. COMPAT: clients of
// the REST API v1 of The Events Calendar send whatever PHP's `strtotime` reads; this grammar accepts the same texts.
import { civilFromSeconds, dayNumber, SECONDS_PER_DAY, weekdayOf } from './civil-time.ts';
import { parseOffset, resolveZone, type Zone } from './zone.ts';

// The English words of the date grammar, all in lower case. The exported strings are alternations for patterns.
// COMPAT: the words that PHP's `strtotime` knows, for clients of the REST API v1 of The Events Calendar.

const MONTH_NAMES = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];

const WEEKDAY_NAMES = [
  ['sunday', 'sun'],
  ['monday', 'mon'],
  ['tuesday', 'tues', 'tue'],
  ['wednesday', 'wed'],
  ['thursday', 'thurs', 'thur', 'thu'],
  ['friday', 'fri'],
  ['saturday', 'sat'],
];

const ORDINAL_VALUES = new Map([
  ['last', -1],
  ['previous', -1],
  ['this', 0],
  ['next', 1],
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
  ['eleventh', 11],
  ['twelfth', 12],
]);

/** What one unit adds, and to which amount of a draft. */
interface UnitEffect {
  readonly field: 'years' | 'months' | 'days' | 'seconds';
  readonly size: number;
}

const UNIT_LIST: readonly (readonly [names: readonly string[], effect: UnitEffect])[] = [
  [['seconds', 'second', 'secs', 'sec'], { field: 'seconds', size: 1 }],
  [['minutes', 'minute', 'mins', 'min'], { field: 'seconds', size: 60 }],
  [['hours', 'hour'], { field: 'seconds', size: 3600 }],
  [['days', 'day'], { field: 'days', size: 1 }],
  [['weeks', 'week'], { field: 'days', size: 7 }],
  [['fortnights', 'fortnight'], { field: 'days', size: 14 }],
  [['months', 'month'], { field: 'months', size: 1 }],
  [['years', 'year'], { field: 'years', size: 1 }],
];

const monthsByName = indexNames(MONTH_NAMES);
const weekdaysByName = indexNames(WEEKDAY_NAMES);

const UNIT_EFFECTS: ReadonlyMap<string, UnitEffect> = new Map(
  UNIT_LIST.flatMap(([names, effect]) => names.map((name) => [name, effect] as const)),
);
const MONTHS = MONTH_NAMES.flat().join('|');
const WEEKDAYS = WEEKDAY_NAMES.flat().join('|');
const ORDINALS = [...ORDINAL_VALUES.keys()].join('|');
/** Units of time and weekday names: everything that an amount can count. */
const UNITS = `${[...UNIT_EFFECTS.keys()].join('|')}|${WEEKDAYS}`;

/** 1..12; 0 for an unknown name. */
function resolveMonth(name: string | undefined): number {
  return (monthsByName.get(name ?? '') ?? -1) + 1;
}

/** 0 (Sunday) to 6. */
function resolveWeekday(name: string | undefined): number {
  return weekdaysByName.get(name ?? '') ?? 0;
}

/** The amount that a word such as `next` or `third` means; -1 is the last or previous one, 0 this one. */
function resolveOrdinal(word: string | undefined): number {
  return ORDINAL_VALUES.get(word ?? '') ?? 0;
}

function indexNames(groups: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap((names, index) => names.map((name) => [name, index] as const)));
}

type Groups = readonly (string | undefined)[];
/** Puts a match into the draft; false if it contradicts the draft or does not exist. */
type Rule = readonly [pattern: RegExp, take: (draft: DateDraft, groups: Groups) => boolean];

const rules: readonly Rule[] = [
  // Times with a meridian first, before dates could consume their number.
  rule(/t?(\d{1,2})(?:[:.](\d\d))?(?::(\d\d))? ?([ap])\.?m\.?(?![a-z])/, takeTwelveHours),
  // 2027-W09-1, 2027-03-01, 2027/03/01, 20270301T…, 2027-Mar-01
  rule(/(\d{4})-?w(\d\d)(?:-?([1-7]))?(?!\d)/, takeIsoWeek),
  rule(/(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, (draft, [year, month, day]) => setDate(draft, year, Number(month), day)),
  rule(/(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, (draft, [year, month, day]) => setDate(draft, year, Number(month), day)),
  rule(/(\d{4})(\d\d)(\d\d)(?=t\d| \d{1,2}:)/, (draft, [year, month, day]) => setDate(draft, year, Number(month), day)),
  rule(`(\\d{4})-(${MONTHS})-(\\d{1,2})(?!\\d)`, (draft, [year, name, day]) =>
    setDate(draft, year, resolveMonth(name), day),
  ),
  // 03/01/2027, 03/01/27, 03/01; 01-03-2027, 01.03.2027; 2027-03
  rule(/(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/, (draft, [month, day, year]) => setDate(draft, year, Number(month), day)),
  rule(/(\d{1,2})\/(\d{1,2})\/(\d\d)(?!\d)/, (draft, [month, day, year]) =>
    setDate(draft, fullYear(year), Number(month), day),
  ),
  rule(/(\d{1,2})\/(\d{1,2})(?![\d/])/, (draft, [month, day]) => setDate(draft, undefined, Number(month), day)),
  rule(/(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)/, (draft, [day, month, year]) => setDate(draft, year, Number(month), day)),
  rule(/(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, (draft, [day, month, year]) => setDate(draft, year, Number(month), day)),
  rule(/(\d{4})-(\d{1,2})(?![\d-])/, (draft, [year, month]) => setDate(draft, year, Number(month), '1')),
  // 2 March 2027, 2nd March; March 2, 2027; March 2027; March
  rule(
    `(\\d{1,2})(?:st|nd|rd|th)?[ .-]{0,2}(${MONTHS})(?![a-z])(?:[ ,.-]{1,2}(\\d{4})(?![\\d:]))?`,
    (draft, [day, name, year]) => setDate(draft, year, resolveMonth(name), day),
  ),
  rule(
    `(${MONTHS})[ .-]{0,2}(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:a-z]|\\.\\d| ?[ap]\\.?m)(?:[ ,.-]{1,2}(\\d{4})(?![\\d:]))?`,
    (draft, [name, day, year]) => setDate(draft, year, resolveMonth(name), day),
  ),
  rule(`(${MONTHS})[ ,.-]{0,2}(\\d{4})(?![\\d:])`, (draft, [name, year]) =>
    setDate(draft, year, resolveMonth(name), '1'),
  ),
  rule(`(${MONTHS})(?![a-z])`, (draft, [name]) => setDate(draft, undefined, resolveMonth(name), undefined)),
  // 10:00, T10:00:00.5, T100000, T10; 10.30
  rule(/t?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?![\d:])/, (draft, [hour, minute, second]) =>
    setTime(draft, hour, minute, second),
  ),
  rule(/t(\d\d)(\d\d)(\d\d)?(?![\d:])/, (draft, [hour, minute, second]) => setTime(draft, hour, minute, second)),
  rule(/t(\d{1,2})(?![\d:])/, (draft, [hour]) => setTime(draft, hour)),
  rule(/(\d{1,2})\.(\d\d)(?![\d.])/, (draft, [hour, minute]) => setTime(draft, hour, minute)),
  rule(/(\d{4})(?![\d:])/, takeLateYear),
  // Words for a day or a time of day
  rule(/now(?![a-z])/, takeNow),
  rule(/noon(?![a-z])/, (draft) => setTime(draft, '12')),
  rule(/midnight(?![a-z])/, (draft) => setTime(draft, '0')),
  rule(/(today|tomorrow|yesterday)(?![a-z])/, takeDayWord),
  // last day of, first monday of, next wednesday, +5 days, 2 weeks ago, monday
  rule(/(first|last) day of(?![a-z])/, (draft, [which]) =>
    setMonthDay(draft, { kind: which === 'first' ? 'first' : 'last' }),
  ),
  rule(`(${ORDINALS}) (${WEEKDAYS}) of(?![a-z])`, takeWeekdayOfMonth),
  rule(`(${ORDINALS}) (${UNITS})(?![a-z])`, takeWordAmount),
  rule(`([+-]?) ?(\\d{1,6}) ?(${UNITS})(?![a-z])`, takeNumberAmount),
  rule(/ago(?![a-z])/, takeAgo),
  rule(`(${WEEKDAYS})\\.?(?![a-z])`, (draft, [name]) => setWeekday(draft, resolveWeekday(name), 'from')),
  // +09:00, GMT+1; Z, UTC, EST, America/New_York
  rule(/(?:gmt|utc)?([+-]\d{1,2}(?::?\d\d)?)(?![\d:])/, takeOffset),
  rule(/([a-z][a-z_]*(?:\/[a-z0-9_+-]+){0,2})/, takeZoneName),
  // A comment in brackets after an offset: GMT+0100 (Central European Standard Time)
  rule(/\(([a-z ]+)\)/, (draft, groups) => draft.zone !== null || takeZoneName(draft, groups)),
];

/** The draft for a text (trimmed, lower case, single blanks), or null if part of it cannot be parsed. */
export function readDateText(text: string): DateDraft | null {
  const draft = emptyDraft();
  let position = 0;
  while (position < text.length) {
    const next = readPiece(draft, text, position);
    if (next === null) return null;
    position = next;
  }
  return draft.saysWhen ? draft : null;
}

function readPiece(draft: DateDraft, text: string, position: number): number | null {
  const character = text[position];
  if (character === ' ' || character === ',') return position + 1;
  for (const [pattern, take] of rules) {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) continue;
    return take(draft, match.slice(1)) ? pattern.lastIndex : null;
  }
  return null;
}

function rule(pattern: RegExp | string, take: Rule[1]): Rule {
  return [new RegExp(pattern, 'y'), take];
}

function fullYear(twoDigits: string | undefined): string {
  return Number(twoDigits) < 70 ? `20${twoDigits}` : `19${twoDigits}`;
}

function takeTwelveHours(draft: DateDraft, [hour, minute, second, half]: Groups): boolean {
  const clockHour = Number(hour);
  if (clockHour < 1 || clockHour > 12) return false;
  return setTime(draft, String((clockHour % 12) + (half === 'p' ? 12 : 0)), minute, second);
}

function takeIsoWeek(draft: DateDraft, [yearText, weekText, weekdayText = '1']: Groups): boolean {
  const year = Number(yearText);
  const fourthOfJanuary = dayNumber(year, 1, 4);
  const firstMonday = fourthOfJanuary - ((weekdayOf(fourthOfJanuary) + 6) % 7);
  const monday = firstMonday + (Number(weekText) - 1) * 7;
  // A week belongs to the year of its Thursday.
  const thursday = civilFromSeconds((monday + 3) * SECONDS_PER_DAY);
  if (thursday.year !== year) return false;
  const { year: dayYear, month, day } = civilFromSeconds((monday + Number(weekdayText) - 1) * SECONDS_PER_DAY);
  return setDate(draft, String(dayYear), month, String(day));
}

/** The year of `Mon Mar 1 10:00:00 2027`, which follows the time. */
function takeLateYear(draft: DateDraft, [year]: Groups): boolean {
  if (draft.date === null || draft.date.year !== null) return false;
  draft.date = { ...draft.date, year: Number(year) };
  return true;
}

function takeNow(draft: DateDraft): boolean {
  draft.saysWhen = true;
  return true;
}

function takeDayWord(draft: DateDraft, [word]: Groups): boolean {
  if (word === 'tomorrow') draft.days += 1;
  if (word === 'yesterday') draft.days -= 1;
  draft.fromMidnight = true;
  draft.saysWhen = true;
  return true;
}

function takeWeekdayOfMonth(draft: DateDraft, [ordinal, weekday]: Groups): boolean {
  const nth = resolveOrdinal(ordinal);
  if (nth === 0 || ordinal === 'next' || ordinal === 'previous') return false;
  draft.fromMidnight = true;
  return setMonthDay(draft, { kind: 'weekday', nth, weekday: resolveWeekday(weekday) });
}

function takeWordAmount(draft: DateDraft, [ordinal, unit = '']: Groups): boolean {
  if (unit === 'week') draft.weekNamed = true;
  return addAmount(draft, resolveOrdinal(ordinal), unit);
}

function takeNumberAmount(draft: DateDraft, [sign, digits, unit = '']: Groups): boolean {
  return addAmount(draft, sign === '-' ? -Number(digits) : Number(digits), unit);
}

function takeAgo(draft: DateDraft): boolean {
  if (draft.years === 0 && draft.months === 0 && draft.days === 0 && draft.seconds === 0) return false;
  draft.years = -draft.years;
  draft.months = -draft.months;
  draft.days = -draft.days;
  draft.seconds = -draft.seconds;
  return true;
}

function takeOffset(draft: DateDraft, [offset = '']: Groups): boolean {
  if (draft.zone !== null || parseOffset(offset) === null) return false;
  draft.zone = resolveZone(offset);
  return draft.zone !== null;
}

function takeZoneName(draft: DateDraft, [name = '']: Groups): boolean {
  if (draft.zone !== null) return false;
  draft.zone = resolveZone(name);
  return draft.zone !== null;
}

// The parts of a date text, collected piece by piece. Each setter returns false if a piece contradicts the others.

/** A date as written; `year` or `day` is null if the text leaves it to the present. */
export interface DraftDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

interface DraftTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Which day a weekday name means: the first one after the date, or on or after it. */
type WeekdayCounting = 'after' | 'from';

/** `first day of`, `last day of`, or the nth weekday of a month (`nth` -1 is the last one). */
export type MonthDay =
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }
  | { readonly kind: 'weekday'; readonly nth: number; readonly weekday: number };

/** The meaning of a date text. Amounts are relative to the date, or to the present if there is none. */
export interface DateDraft {
  date: DraftDate | null;
  time: DraftTime | null;
  /** A word such as `tomorrow` or `monday` discards the present's time of day. */
  fromMidnight: boolean;
  zone: Zone | null;
  years: number;
  months: number;
  days: number;
  seconds: number;
  weekday: { readonly day: number; readonly counting: WeekdayCounting } | null;
  /** `next week` and the like: a weekday beside it belongs to that week, which begins on Monday. */
  weekNamed: boolean;
  monthDay: MonthDay | null;
  /** False while only a zone or nothing has been read. */
  saysWhen: boolean;
}

/** An empty draft. */
function emptyDraft(): DateDraft {
  return {
    date: null,
    time: null,
    fromMidnight: false,
    zone: null,
    years: 0,
    months: 0,
    days: 0,
    seconds: 0,
    weekday: null,
    weekNamed: false,
    monthDay: null,
    saysWhen: false,
  };
}

/** Sets a date in digits; false if there already is one. Whether the day exists is checked later. */
function setDate(draft: DateDraft, year: string | undefined, month: number, day: string | undefined): boolean {
  if (draft.date !== null) return false;
  draft.date = { year: year === undefined ? null : Number(year), month, day: day === undefined ? null : Number(day) };
  draft.saysWhen = true;
  return true;
}

/** Sets a time of day; false if there already is one or it does not exist. */
function setTime(draft: DateDraft, hour: string | undefined, minute = '0', second = '0'): boolean {
  if (draft.time !== null) return false;
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  // 24:00 is the end of a day in ISO 8601; nothing beyond it is valid.
  const exists = time.hour < 24 || (time.hour === 24 && time.minute === 0 && time.second === 0);
  draft.time = time;
  draft.saysWhen = true;
  // A leap second is the first second of the next minute.
  return exists && time.minute < 60 && time.second <= 60;
}

/** Sets a weekday (0 is Sunday); false if there already is one. */
function setWeekday(draft: DateDraft, day: number, counting: WeekdayCounting): boolean {
  if (draft.weekday !== null) return false;
  draft.weekday = { day, counting };
  draft.fromMidnight = true;
  draft.saysWhen = true;
  return true;
}

/** Sets a day that depends on the month; false if there already is one. */
function setMonthDay(draft: DateDraft, monthDay: MonthDay): boolean {
  if (draft.monthDay !== null) return false;
  draft.monthDay = monthDay;
  draft.saysWhen = true;
  return true;
}

/** Adds an amount of a unit of time, or of weekdays (`next monday`); false if that contradicts an earlier weekday. */
function addAmount(draft: DateDraft, amount: number, unit: string): boolean {
  draft.saysWhen = true;
  const effect = UNIT_EFFECTS.get(unit);
  if (effect !== undefined) {
    draft[effect.field] += amount * effect.size;
    return true;
  }
  // "next monday" is the first one after today, so only further ones add whole weeks; "this monday" may be today.
  draft.days += (amount > 0 ? amount - 1 : amount) * 7;
  return setWeekday(draft, resolveWeekday(unit), amount === 0 ? 'from' : 'after');
}
