// Dates as clients send them: ISO and other written forms, relative words, Unix seconds. COMPAT: the forms, and the
// treatment of bare numbers, follow the REST API v1 of The Events Calendar.

import { readDateText } from './date-grammar.ts';
import { resolveDraft } from './relative-date.ts';
import { type EpochSeconds, toInstant, type WallClock, type Zone } from './zone.ts';

/** A date as sent. `timeGiven` is false if only a day was named; the time is then 00:00:00. */
export type DateInput =
  /** No offset was given: local time in the zone of the parameter. It may be in a spring gap. */
  | { readonly kind: 'wall'; readonly wallClock: WallClock; readonly timeGiven: boolean }
  /** An offset, a zone or Unix seconds were given, or the text counts from now in hours or smaller units. */
  | { readonly kind: 'instant'; readonly instant: EpochSeconds; readonly timeGiven: boolean };

/** The base of relative words: the clock in Unix seconds, and the zone whose days are meant. */
export interface DateContext {
  readonly now: EpochSeconds;
  readonly zone: Zone;
}

const MAX_LENGTH = 128;
/** The years 1..9999 in UTC. */
const FIRST_INSTANT = -62_135_596_800;
const LAST_INSTANT = 253_402_300_799;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const UNIX_SECONDS = /^@(-?\d+)(?:\.\d*)?$/;

/**
 * The meaning of a client's date, or null if it cannot be parsed, names a day or time that does not exist, or means
 * Unix time 0. Numbers and numeric texts (`2027`, `1.8e9`) are Unix seconds without fractions. A text without an offset
 * is kept as wall clock; words such as `tomorrow` are resolved against `context.now` in `context.zone`.
 */
export function parseDateInput(input: string | number, context: DateContext): DateInput | null {
  const parsed = typeof input === 'number' ? fromUnixSeconds(input) : fromText(input, context);
  if (parsed === null) return null;
  if (parsed.kind === 'instant' && !isExpressible(parsed.instant)) return null;
  return toInstantIn(parsed, context.zone) === 0 ? null : parsed;
}

/** The instant of an input; a wall clock is read in `zone`. */
export function toInstantIn(input: DateInput, zone: Zone): EpochSeconds {
  return input.kind === 'instant' ? input.instant : toInstant(input.wallClock, zone);
}

function isExpressible(instant: EpochSeconds): boolean {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT;
}

function fromUnixSeconds(value: number): DateInput | null {
  const instant = Math.trunc(value);
  return isExpressible(instant) ? { kind: 'instant', instant, timeGiven: true } : null;
}

function fromText(input: string, { now, zone }: DateContext): DateInput | null {
  if (input.length > MAX_LENGTH) return null;
  // Includes the narrow blanks that browsers put before AM and PM.
  const text = input.trim().toLowerCase().replace(/\s+/g, ' ');
  if (NUMERIC.test(text)) return fromUnixSeconds(Number(text));
  const unixSeconds = UNIX_SECONDS.exec(text);
  if (unixSeconds !== null) return fromUnixSeconds(Number(unixSeconds[1]));
  const draft = readDateText(text);
  if (draft === null) return null;
  const resolved = resolveDraft(draft, now, draft.zone ?? zone);
  if (resolved === null || draft.zone === null || resolved.kind === 'instant') return resolved;
  // Naming the expected zone is the same as omitting it.
  if (zone.isNamed && draft.zone.name.toLowerCase() === zone.name.toLowerCase()) return resolved;
  return {
    kind: 'instant',
    instant: toInstant(resolved.wallClock, draft.zone),
    timeGiven: resolved.timeGiven,
  };
}

const NUMERIC_DATE = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)/;
const MONTHS = 12;

/** Whether swapping day and month of a date gives another valid date: `04/01/2027`, `4.1.2027`. */
export function isAmbiguousDate(input: unknown): boolean {
  if (typeof input !== 'string') return false;
  const [, one, , other] = NUMERIC_DATE.exec(input) ?? [];
  return Number(one) <= MONTHS && Number(other) <= MONTHS && Number(one) !== Number(other);
}
