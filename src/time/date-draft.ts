// The parts of a date text, collected piece by piece. Each setter returns false if a piece contradicts the others.

import { resolveWeekday, UNIT_EFFECTS } from './date-words.ts';
import type { Zone } from './zone.ts';

/** A date as written; `year` or `day` is null if the text leaves it to the present. */
export interface DraftDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

export interface DraftTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Which day a weekday name means: the first one after the date, or on or after it. */
export type WeekdayCounting = 'after' | 'from';

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
export function emptyDraft(): DateDraft {
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
export function setDate(draft: DateDraft, year: string | undefined, month: number, day: string | undefined): boolean {
  if (draft.date !== null) return false;
  draft.date = { year: year === undefined ? null : Number(year), month, day: day === undefined ? null : Number(day) };
  draft.saysWhen = true;
  return true;
}

/** Sets a time of day; false if there already is one or it does not exist. */
export function setTime(draft: DateDraft, hour: string | undefined, minute = '0', second = '0'): boolean {
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
export function setWeekday(draft: DateDraft, day: number, counting: WeekdayCounting): boolean {
  if (draft.weekday !== null) return false;
  draft.weekday = { day, counting };
  draft.fromMidnight = true;
  draft.saysWhen = true;
  return true;
}

/** Sets a day that depends on the month; false if there already is one. */
export function setMonthDay(draft: DateDraft, monthDay: MonthDay): boolean {
  if (draft.monthDay !== null) return false;
  draft.monthDay = monthDay;
  draft.saysWhen = true;
  return true;
}

/** Adds an amount of a unit of time, or of weekdays (`next monday`); false if that contradicts an earlier weekday. */
export function addAmount(draft: DateDraft, amount: number, unit: string): boolean {
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
