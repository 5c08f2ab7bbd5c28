// How often a series repeats, as a sentence: `every Tuesday from 5 March to 18 June 2024; 24 December left out`.
import { parseSeriesRule, type RuleEnd, type SeriesRule } from '../../editorial/series/domain/rule-set.ts';
import { countFrom, uncounted, yields } from '../../editorial/series/domain/rules-from.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../kernel/time/civil-time.ts';
import { resolveZone, toWallClock, type WallClock } from '../../kernel/time/zone.ts';
import type { Language } from '../language.ts';
import type { Wording } from '../phrases.ts';
import type { Forms, NthTexts, RecurrenceTexts } from './recurrence-texts.ts';
import { type Place, type RuleShape, shapeOf, type Weekday } from './rule-shape.ts';

/** A series as it is written: rules as in iCalendar, dates as wall clocks of its zone. */
export interface WrittenRecurrence {
  readonly start: WallClock;
  /** The first date, if the rules count from an earlier start. */
  readonly from?: WallClock;
  readonly zone: string;
  readonly rules: readonly string[];
  readonly added: readonly WallClock[];
  readonly skipped: readonly WallClock[];
}

/** Most dates that are named of those added, and of those left out. */
const MAX_DATES = 8;

/** Without a capital letter and without a full stop, so that it can be a part of a sentence. */
export const recurrenceWords =
  (recurrence: WrittenRecurrence): Wording =>
  (language) => {
    const texts = language.sentences.recurrence;
    const dates = openDateWords(language);
    const { rules, skipped } = recurrence;
    const first = recurrence.from ?? recurrence.start;
    const parsed = rules.map(parseSeriesRule);
    const clauses = parsed.map((rule, index) => {
      // What is no rule is in no series either; its text is still true.
      if ('fault' in rule) return filled(texts.byRule, { rule: rules[index] ?? '' });
      return ruleClause(rule, index, recurrence, { language, dates });
    });
    const added = alsoOn(
      recurrence,
      parsed.filter((rule): rule is SeriesRule => !('fault' in rule)),
    );
    const listed = added.filter((date) => date >= first && !skipped.includes(date));
    if (listed.length > 0) clauses.push(datesClause(rules.length === 0 ? texts.only : texts.also, listed));
    const leftOut = skipped.filter((date) => date >= first);
    if (leftOut.length > 0) clauses.push(datesClause(texts.leftOut, leftOut));
    return clauses.join(language.phrases.clause_separator);

    function datesClause(text: string, wallClocks: readonly WallClock[]): string {
      const days = [...new Set(wallClocks.map(dayOf))].sort();
      // One more would take as long as to say that there is one.
      const named = days.length > MAX_DATES + 1 ? days.slice(0, MAX_DATES) : days;
      const words = named.map((day) => dates.named(texts.date, day));
      if (named.length === days.length) return filled(text, { dates: dates.list(words) });
      const separated = words.join(language.sentences.separator);
      return filled(text, { dates: filled(texts.more, { dates: separated, n: days.length - named.length }) });
    }
  };

interface Saying {
  readonly language: Language;
  readonly dates: DateWords;
}

const dayOf = (wallClock: WallClock): Day => wallClock.slice(0, 10);

/** The start is a date even where no rule yields it. */
function alsoOn({ start, from = start, added }: WrittenRecurrence, rules: readonly SeriesRule[]): readonly WallClock[] {
  const isInRules = from > start || rules.some((rule) => yields(rule, start, start));
  return isInRules ? added : [start, ...added];
}

function ruleClause(
  rule: SeriesRule,
  index: number,
  recurrence: WrittenRecurrence,
  { language, dates }: Saying,
): string {
  const texts = language.sentences.recurrence;
  const { start, from = start, zone } = recurrence;
  const shape = shapeOf(rule.text, start);
  const words = shape === null ? filled(texts.byRule, { rule: uncounted(rule) }) : ruleWords(shape, dates, texts);
  const last = rule.end === null ? null : lastDay(rule.end, start, zone);
  const span = index === 0 ? spanOf(texts, dates, dayOf(from), last) : last && dates.named(texts.until, last);
  const spanned = span === null ? words : filled(texts.spanned, { rule: words, span });
  const said = index === 0 ? spanned : filled(texts.alsoRule, { rule: spanned });
  const count = countFrom(rule, start, from);
  if (count === null) return said;
  return count === 1 ? filled(texts.once, { rule: said }) : filled(texts.times, { rule: said, n: count });
}

function spanOf(texts: RecurrenceTexts, dates: DateWords, first: Day, last: Day | null): string {
  if (last === null) return dates.named(texts.since, first);
  const [from, to] = dates.range([texts.from, first], [texts.to, last]);
  return filled(texts.between, { from, to });
}

/** The last day on which the time of the series is not behind the end. */
function lastDay({ kind, wallClock }: RuleEnd, start: WallClock, zoneName: string): Day {
  if (kind === 'day') return dayOf(wallClock);
  const zone = kind === 'instant' ? resolveZone(zoneName) : null;
  const end = zone ? toWallClock(parseCivil(wallClock), zone) : wallClock;
  return end.slice(11) < start.slice(11) ? dayOf(formatCivil(parseCivil(end) - SECONDS_PER_DAY)) : dayOf(end);
}

// One rule in words, without its first and last date.

const WORKING_WEEK = 'MO,TU,WE,TH,FR';
const NAMED = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** `every second week on Monday and Thursday` */
function ruleWords(shape: RuleShape, dates: DateWords, texts: RecurrenceTexts): string {
  switch (shape.kind) {
    case 'days':
      return inMonths(everyOf(texts.days, shape.every), shape.months);
    case 'weekdays':
      return inMonths(weekdays(shape.every, shape.days), shape.months);
    case 'weeks of the year':
      return filled(shape.weeks.length === 1 ? texts.inWeek : texts.inWeeks, {
        every: everyOf(texts.years, shape.every),
        weeks: dates.list(shape.weeks),
        days: dayList(shape.days),
      });
    case 'places':
      return filled(texts.onPlaces, { every: periodOf(shape), places: dates.list(shape.places.map(placeWords)) });
  }

  function inMonths(every: string, months: readonly number[]): string {
    return months.length === 0 ? every : filled(texts.daysInMonths, { every, months: monthList(months) });
  }

  function weekdays(every: number, days: readonly Weekday[]): string {
    if (every > 1) return filled(texts.onDays, { every: everyOf(texts.weeks, every), days: dayList(days) });
    if (days.join() === WORKING_WEEK) return texts.workingWeek;
    return filled(texts.weekdays, { days: dates.list(days.map(dates.weekday)) });
  }

  /** Months of dates are named with them. */
  function periodOf({ every, unit, months, places }: Extract<RuleShape, { kind: 'places' }>): string {
    const period = everyOf(texts[unit], every);
    const isDated = months.length === 0 || places.some(({ kind }) => kind === 'date');
    return isDated ? period : filled(texts.inMonths, { every: period, months: monthList(months) });
  }

  function placeWords(place: Place): string {
    switch (place.kind) {
      case 'day of month':
        return filled(dates.form(texts.monthDay, place.day), { n: place.day });
      case 'date':
        return filled(dates.form(texts.date, place.day), { date: dates.yearly(place.month, place.day) });
      case 'nth':
        return filled(nthText(place.nth, nthTextsOf(place.of)), { n: place.nth, day: dayWords(place.of) });
    }
  }

  function nthText(nth: number, { last, beforeLast, later, ...named }: NthTexts): string {
    if (nth < 0) return nth === -1 ? last : beforeLast;
    const name = NAMED[nth - 1];
    return name === undefined ? dates.form(later, nth) : named[name];
  }

  function nthTextsOf(of: Extract<Place, { kind: 'nth' }>['of']): NthTexts {
    return texts.feminineWeekdays.split(' ').includes(of) ? texts.nth.feminine : texts.nth.masculine;
  }

  function dayWords(of: Extract<Place, { kind: 'nth' }>['of']): string {
    if (of === 'day') return texts.day;
    return of === 'working day' ? texts.workingDay : dates.weekday(of);
  }

  function dayList(days: readonly Weekday[]): string {
    return dates.list(days.map((day) => filled(texts.weekday, { day: dates.weekday(day) })));
  }

  function monthList(months: readonly number[]): string {
    return dates.list(months.map(dates.month));
  }
}

function everyOf(texts: { readonly each?: string; readonly second: string; readonly nth: string }, every: number) {
  if (every === 1 && texts.each !== undefined) return texts.each;
  return every === 2 ? texts.second : filled(texts.nth, { n: every });
}

// Days, weekdays and months in the words of a language.

/** `2024-03-05` */
type Day = string;

/** The words for the dates of one sentence. */
type DateWords = ReturnType<typeof openDateWords>;

/** The sentences have the day before the month. */
const LOCALES: { readonly [code: string]: string } = { en: 'en-GB' };

type Style = 'date' | 'dayOfYear' | 'month' | 'weekday';

const STYLES: { readonly [Name in Style]: Intl.DateTimeFormatOptions } = {
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'long' },
  month: { month: 'long' },
  weekday: { weekday: 'long' },
};

/** Making a formatter takes longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, style: Style): Intl.DateTimeFormat {
  const key = `${locale} ${style}`;
  const format = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' });
  formatters.set(key, format);
  return format;
}

const dateOf = (day: Day): Date => new Date(`${day}T00:00:00Z`);
const yearOf = (day: Day): string => day.slice(0, 4);
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const ORDER: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Words for one sentence: it remembers which year was named last. */
function openDateWords({ code, sentences }: Language) {
  const texts = sentences.recurrence;
  const locale = LOCALES[code] ?? code;
  let named = '';

  function inStyle(style: 'date' | 'dayOfYear', day: Day): string {
    const parts = formatter(locale, style).formatToParts(dateOf(day));
    const number = Number(day.slice(8));
    return parts
      .map(({ type, value }) => (type === 'day' ? filled(form(texts.dayOfDate, number), { n: value }) : value))
      .join('');
  }

  const form = (forms: Forms, n: number): string => ordinalForm(forms, n, locale);
  const within = (forms: Forms, day: Day, date: string): string => filled(form(forms, Number(day.slice(8))), { date });

  function isYearFirst(): boolean {
    const types = formatter(locale, 'date')
      .formatToParts(MONDAY)
      .map(({ type }) => type);
    return types.indexOf('year') < types.indexOf('day');
  }

  function dated(forms: Forms, day: Day): string {
    const isKnown = yearOf(day) === named;
    named = yearOf(day);
    return within(forms, day, inStyle(isKnown ? 'dayOfYear' : 'date', day));
  }

  return {
    /** The form for an ordinal number. */
    form,
    /** `from 5 March 2024`. The year is left out if the date that was named before is in it. */
    named: dated,
    /** Two dates, with their year once: where the language has it. */
    range(
      [fromForms, first]: readonly [forms: Forms, day: Day],
      [toForms, last]: readonly [forms: Forms, day: Day],
    ): readonly [string, string] {
      if (yearOf(first) !== yearOf(last) || isYearFirst()) return [dated(fromForms, first), dated(toForms, last)];
      return [within(fromForms, first, inStyle('dayOfYear', first)), dated(toForms, last)];
    },
    /** `24 December` */
    yearly(month: number, day: number) {
      const two = (number: number): string => String(number).padStart(2, '0');
      // Of a leap year, which has every date.
      return inStyle('dayOfYear', `2024-${two(month)}-${two(day)}`);
    },
    month: (month: number) => formatter(locale, 'month').format(Date.UTC(2024, month - 1, 1)),
    weekday: (weekday: Weekday) => formatter(locale, 'weekday').format(MONDAY + ORDER.indexOf(weekday) * 86_400_000),
    /** `a, b and c` */
    list: (members: readonly (string | number)[]) =>
      new Intl.ListFormat(locale, { type: 'conjunction' }).format(members.map(String)),
  };
}

// Words beside numbers.

/** Replaces `{n}` and the like. */
const filled = (text: string, values: { readonly [name: string]: string | number }): string =>
  text.replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot));

/** Making one takes longer than using it. */
const rulesOf = new Map<string, Intl.PluralRules>();

/** The form for the ordinal number `n` in a language: `{n}st` for 21 in English. */
function ordinalForm(forms: Forms, n: number, language: string): string {
  const rules = rulesOf.get(language) ?? new Intl.PluralRules(language, { type: 'ordinal' });
  rulesOf.set(language, rules);
  const category = rules.select(n);
  return (category === 'zero' ? undefined : forms[category]) ?? forms.other;
}
