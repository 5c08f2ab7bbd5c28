// Days, weekdays and months in the words of a language.
import type { Language } from '../language.ts';
import type { Forms } from './recurrence-texts.ts';
import type { Weekday } from './rule-shape.ts';
import { filled, ordinalForm } from './word-forms.ts';

/** `2024-03-05` */
export type Day = string;

/** The words for the dates of one sentence. */
export interface DateWords {
  /** `from 5 March 2024`. The year is left out if the date that was named before is in it. */
  named(forms: Forms, day: Day): string;
  /** Two dates, with their year once: where the language has it. */
  range(first: readonly [forms: Forms, day: Day], last: readonly [forms: Forms, day: Day]): readonly [string, string];
  /** `24 December` */
  yearly(month: number, day: number): string;
  month(month: number): string;
  weekday(weekday: Weekday): string;
  /** `a, b and c` */
  list(members: readonly (string | number)[]): string;
  /** The form for an ordinal number. */
  form(forms: Forms, n: number): string;
}

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
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC' });
  formatters.set(key, made);
  return made;
}

const dateOf = (day: Day): Date => new Date(`${day}T00:00:00Z`);
const yearOf = (day: Day): string => day.slice(0, 4);
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const ORDER: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Words for one sentence: it remembers which year was named last. */
export function openDateWords({ code, sentences }: Language): DateWords {
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
    form,
    named: dated,
    range([fromForms, first], [toForms, last]) {
      if (yearOf(first) !== yearOf(last) || isYearFirst()) return [dated(fromForms, first), dated(toForms, last)];
      return [within(fromForms, first, inStyle('dayOfYear', first)), dated(toForms, last)];
    },
    yearly(month, day) {
      const two = (number: number): string => String(number).padStart(2, '0');
      // Of a leap year, which has every date.
      return inStyle('dayOfYear', `2024-${two(month)}-${two(day)}`);
    },
    month: (month) => formatter(locale, 'month').format(Date.UTC(2024, month - 1, 1)),
    weekday: (weekday) => formatter(locale, 'weekday').format(MONDAY + ORDER.indexOf(weekday) * 86_400_000),
    list: (members) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(members.map(String)),
  };
}
