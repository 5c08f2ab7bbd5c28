// One rule in words, without its first and last date.
import type { DateWords } from './date-words.ts';
import type { NthTexts, RecurrenceTexts } from './recurrence-texts.ts';
import type { Place, RuleShape, Weekday } from './rule-shape.ts';
import { filled } from './word-forms.ts';

const WORKING_WEEK = 'MO,TU,WE,TH,FR';
const NAMED = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** `every second week on Monday and Thursday` */
export function ruleWords(shape: RuleShape, dates: DateWords, texts: RecurrenceTexts): string {
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
