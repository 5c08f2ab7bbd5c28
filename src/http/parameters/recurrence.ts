// What a series repeats by, as clients send it: rules of iCalendar, and single days or times by the clock of the event.

import type { Repeating } from '../../editorial/series/domain/facts.ts';
import { MAX_SERIES_DATES, MAX_SERIES_RULES } from '../../editorial/series/domain/rule-set.ts';
import { parseCivil } from '../../kernel/time/civil-time.ts';
import { allowed } from './allowed.ts';
import { translated } from './other-recurrence.ts';
import { isEmpty } from './readers.ts';
import { allowing, type Validator } from './validator.ts';

/** Null: not allowed. */
type Sent = { readonly [Member in keyof Repeating]: Repeating[Member] | undefined | null };

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
    const sent: Sent = { rules: rulesIn(rrule), added: datesIn(rdates), skipped: datesIn(exdates) };
    if (Object.values(sent).includes(null)) return false;
    return { value: Object.fromEntries(Object.entries(sent).filter(([, one]) => one !== undefined)) };
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
