// What a series repeats by, as clients send it: rules of iCalendar, and single days or times by the clock of the event.
import type { Repeating } from '../../editorial/series/domain/facts.ts';
import { MAX_SERIES_DATES, MAX_SERIES_RULES } from '../../editorial/series/domain/rule-set.ts';
import { parseCivil } from '../../kernel/time/civil-time.ts';
import { allowed } from './allowed.ts';
import { isEmpty } from './readers.ts';
import { allowing, type Validator } from './validator.ts';

/** Null: not allowed. */
type Recurrence = { readonly [Member in keyof Repeating]: Repeating[Member] | undefined | null };

const MAX_RULE_LENGTH = 500;
const DAY_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/;

export const recurrence: Validator = allowing(
  allowed('allowed_recurrence', { example: 'FREQ=WEEKLY;BYDAY=TU', most: MAX_SERIES_RULES, dates: MAX_SERIES_DATES }),
  (value) => {
    // Clients of other calendars send it empty with an event that does not repeat.
    if (isEmpty(value)) return { value: undefined };
    const sentences = typeof value === 'object' && value !== null ? translated(value) : null;
    if (sentences === 'once') return { value: undefined };
    if (sentences === null || Array.isArray(sentences)) return false;
    const { rrule, rdates, exdates, ...others } = sentences as { readonly [member: string]: unknown };
    if (Object.keys(others).length > 0) return false;
    // A day stands for the time of day of the series.
    const parts: Recurrence = { rules: rulesIn(rrule), added: datesIn(rdates), skipped: datesIn(exdates) };
    if (Object.values(parts).includes(null)) return false;
    return { value: Object.fromEntries(Object.entries(parts).filter(([, one]) => one !== undefined)) };
  },
);

/** Undefined: not sent; null: not allowed. */
function rulesIn(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined;
  const rules: readonly unknown[] = Array.isArray(value) ? value : value === '' ? [] : [value];
  const isRule = (rule: unknown): rule is string =>
    typeof rule === 'string' && rule.trim() !== '' && rule.length <= MAX_RULE_LENGTH;
  return rules.length <= MAX_SERIES_RULES && rules.every(isRule) ? rules.map((rule) => rule.trim()) : null;
}

function datesIn(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length > MAX_SERIES_DATES) return null;
  const dates = value.map(dateIn);
  return dates.includes(null) ? null : [...new Set(dates.filter((date) => date !== null))].sort();
}

function dateIn(value: unknown): string | null {
  const [, day, time, seconds = ':00'] = (typeof value === 'string' && DAY_OR_TIME.exec(value.trim())) || [];
  if (day === undefined) return null;
  try {
    parseCivil(`${day} ${time ?? '00:00'}${seconds}`);
    return time === undefined ? day : `${day} ${time}${seconds}`;
  } catch {
    return null;
  }
}

// What an event repeats by in the words of The Events Calendar Pro, as clients of its API send it: what can be said as a
// rule of iCalendar is. Names are read with hyphens or underscores, in any case, at the top or within `custom`.

type Words = { readonly [name: string]: unknown };

const FREQUENCIES: { readonly [word: string]: string } = {
  daily: 'DAILY',
  day: 'DAILY',
  weekly: 'WEEKLY',
  week: 'WEEKLY',
  monthly: 'MONTHLY',
  month: 'MONTHLY',
  yearly: 'YEARLY',
  year: 'YEARLY',
};
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const ORDINALS: { readonly [word: string]: number } = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 };
/** What says nothing that a rule has to say. */
const WITHOUT_MEANING = ['same_time', 'occurrence_start', 'event_start', 'event_end', 'is_off_start', 'name'];

/**
 * The same as `rrule` and `exdates`; `once`: it does not repeat; null: it cannot be said so. What has no word of that kind is
 * left as it is.
 */
function translated(value: object): object | 'once' | null {
  const words = namedAlike(value);
  const entries = Array.isArray(words.rules) ? words.rules : 'type' in words ? [words] : null;
  if (entries === null) return value;
  const rules = entries.filter((rule) => typeof rule === 'object' && rule !== null).map((rule) => namedAlike(rule));
  if (rules.length < entries.length) return null;
  const repeating = rules.filter(({ type }) => wordIn(type) !== 'none');
  if (repeating.length === 0) return 'once';
  const rrule = repeating.map(ruleFrom);
  const exdates = exclusionsIn(words.exclusions);
  return rrule.includes(null) || exdates === null ? null : { rrule, ...(exdates.length > 0 && { exdates }) };
}

/** Names as `end_type`, with any sign between their words; what is empty was not said. */
function namedAlike(value: object): Words {
  const members = Object.entries(value).map(([name, member]) => [name.toLowerCase().replaceAll('-', '_'), member]);
  return Object.fromEntries(members.filter(([, member]) => member !== null && member !== ''));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const wordIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replace(/^every /, '')
    : '';

/** A whole number from one on; null: it is none. */
function countIn(value: unknown): number | null {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : null;
}

/** Null: some of it cannot be said as a rule. */
function ruleFrom({ type, custom = {}, ...others }: Words): string | null {
  const { type: customType, ...own } = isObject(custom) ? namedAlike(custom) : {};
  const words: Words = { ...own, ...others };
  const frequency = FREQUENCIES[wordIn(wordIn(type) === 'custom' ? customType : type)];
  const {
    interval = 1,
    day,
    week,
    month,
    year,
    end_type: endType = 'never',
    end,
    end_count: endCount,
    ...rest
  } = words;
  const isKnown = Object.keys(rest).every((name) => WITHOUT_MEANING.includes(name));
  const every = countIn(interval);
  const when = whenIn(frequency, { day, week, month, year });
  const until = endIn(wordIn(endType), end, endCount);
  if (frequency === undefined || !isKnown || every === null || when === null || until === null) return null;
  return `FREQ=${frequency}${every === 1 ? '' : `;INTERVAL=${every}`}${when}${until}`;
}

/** Which days, as parts of a rule; '' for those of the first date. */
function whenIn(frequency: string | undefined, { day, week, month, year }: Words): string | null {
  const stray = { DAILY: [week, month, year], WEEKLY: [month, year], MONTHLY: [week, year], YEARLY: [week] }[
    frequency ?? ''
  ];
  if (stray?.some((one) => one !== undefined) !== false) return null;
  if (frequency === 'WEEKLY') return weekdaysIn(day ?? memberOf(week, 'day'));
  if (frequency === 'MONTHLY') return dayOfMonth(month ?? (day === undefined ? undefined : { number: day }));
  if (frequency !== 'YEARLY' || year === undefined) return day === undefined ? '' : null;
  const months = listIn(memberOf(year, 'month')).map(countIn);
  if (months.some((one) => one === null || one > 12)) return null;
  const within = dayOfMonth(year);
  return within === null ? null : `${months.length === 0 ? '' : `;BYMONTH=${months.join()}`}${within}`;
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? namedAlike(value)[name] : value);

const listIn = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : String(value).split(',');
};

/** By number from Monday on, or by name. */
function weekdayIn(value: unknown): string | null {
  const number = countIn(value);
  if (number !== null) return DAYS[number - 1] ?? null;
  const begins = wordIn(value).slice(0, 2).toUpperCase();
  return DAYS.includes(begins) ? begins : null;
}

function weekdaysIn(value: unknown): string | null {
  const days = listIn(value).map(weekdayIn);
  if (days.includes(null)) return null;
  return days.length === 0 ? '' : `;BYDAY=${days.join()}`;
}

/** `{ number: "Last", day: 5 }`, `{ number: 15 }`, or the same day as the first date. */
function dayOfMonth(value: unknown): string | null {
  if (value === undefined) return '';
  if (!isObject(value)) return null;
  const { number, day, same_day: sameDay } = namedAlike(value);
  if (wordIn(sameDay) === 'yes' || number === undefined) return '';
  const ordinal = ORDINALS[wordIn(number)];
  const inMonth = countIn(number);
  if (ordinal === undefined) return inMonth !== null && inMonth <= 31 ? `;BYMONTHDAY=${inMonth}` : null;
  // The eighth is any day.
  if (countIn(day) === 8) return `;BYMONTHDAY=${ordinal}`;
  const weekday = weekdayIn(day);
  return weekday === null ? null : `;BYDAY=${ordinal}${weekday}`;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)(?:[ T].*)?$/;

function endIn(type: string, end: unknown, count: unknown): string | null {
  if (type === 'never') return '';
  const times = countIn(count ?? end);
  if (type === 'after') return times === null ? null : `;COUNT=${times}`;
  const [, year, month, day] = (typeof end === 'string' && DAY.exec(end)) || [];
  return type === 'on' && year !== undefined ? `;UNTIL=${year}${month}${day}` : null;
}

/** Days that are left out; null: some of it is a rule of its own. */
function exclusionsIn(exclusions: unknown): readonly string[] | null {
  const dates = listIn(exclusions).map((one) => {
    const {
      type,
      custom,
      end,
      date = memberOf(memberOf(custom, 'date'), 'date'),
    } = isObject(one) ? namedAlike(one) : { date: one };
    const isDate = type === undefined || ['date', 'custom'].includes(wordIn(type));
    const [day] = (isDate && typeof (date ?? end) === 'string' && DAY.exec(String(date ?? end))) || [];
    return day === undefined ? null : day.slice(0, 10);
  });
  return dates.includes(null) ? null : dates.filter((date) => date !== null);
}
