// Recurrence rules of iCalendar (RFC 5545) by wall clock alone, so that rules of zones stay in one place: what a rule
// yields is mapped to instants by `zone.ts`. Wraps rrule-rust; no other file uses that package.
import { RRuleSet } from 'rrule-rust';
import { civilSeconds, formatCivil, type WallClock } from './civil-time.ts';

/** Why a rule has no dates: it is no rule, never yields a date, or yields more than were asked for. */
export type RuleFault = 'invalid' | 'never' | 'too-many';

export interface RefusedRule {
  readonly fault: RuleFault;
  /** One line for people. */
  readonly detail: string;
}

/** The part of time in which a rule is expanded. */
export interface RecurrenceBounds {
  /** The wall clock that the rule counts from; not a date of its own unless the rule yields it. */
  readonly first: WallClock;
  /** The last wall clock that may be yielded. */
  readonly last: WallClock;
  /** Most dates; a rule with more of them is refused. */
  readonly most: number;
}

const PART = /^([A-Z-]+)=([^=]+)$/;
const RULE = /^[A-Z0-9=;,+-]+$/;
/** Searching these second by second would take forever where few of them fit. */
const TOO_FINE = new Set(['SECONDLY', 'MINUTELY']);

/**
 * The wall clocks that a rule yields, in order. `rule` is the value of an RRULE without `UNTIL`: an end is an instant or
 * a day, so it is for the caller to know (`last` is an upper bound of it). A rule that yields nothing up to `last` has
 * no dates; one that never yields anything is refused.
 */
export function recurrenceStarts(rule: string, bounds: RecurrenceBounds): readonly WallClock[] | RefusedRule {
  const text = rule.toUpperCase().replace(/;+$/, '').replaceAll('+', '');
  const parts = partsOf(text);
  const detail = faultOf(text, parts);
  if (detail !== null) return { fault: 'invalid', detail };
  if (TOO_FINE.has(parts.get('FREQ') ?? '') && [...parts.keys()].some((name) => name.startsWith('BY')))
    return { fault: 'too-many', detail: 'it repeats every minute or second with exceptions' };
  if (bounds.last < bounds.first) return [];
  try {
    const found = datesOf(`${text};UNTIL=${basic(bounds.last)}`, bounds.first, bounds.most + 1);
    if (found.length > bounds.most) return { fault: 'too-many', detail: `it has more than ${bounds.most} dates` };
    if (found.length === 0 && datesOf(text, bounds.first, 1).length === 0)
      return { fault: 'never', detail: 'it names only days or times that never come' };
    return found;
  } catch (error) {
    return { fault: 'invalid', detail: error instanceof Error ? error.message : String(error) };
  }
}

const basic = (wallClock: WallClock): string => `${wallClock.replace(/[-:]/g, '').replace(' ', 'T')}Z`;

// UTC has no gaps and no repeated hours, so its times are wall clocks.
const datesOf = (rule: string, first: WallClock, most: number): WallClock[] =>
  RRuleSet.parse(`DTSTART:${basic(first)}\nRRULE:${rule}`)
    .all(most)
    .map(({ year, month, day, hour, minute, second }) =>
      formatCivil(civilSeconds({ year, month, day, hour, minute, second })),
    );

const partsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(';').map((part) => [PART.exec(part)?.[1] ?? part, PART.exec(part)?.[2] ?? '']));

/** What the package would read as something else, or not at all. */
function faultOf(text: string, parts: ReadonlyMap<string, string>): string | null {
  if (!RULE.test(text)) return 'a rule is written like FREQ=WEEKLY;BYDAY=TU';
  if (parts.has('UNTIL')) return 'UNTIL belongs to the end of a rule';
  for (const name of ['INTERVAL', 'COUNT']) {
    const value = parts.get(name);
    if (value !== undefined && !/^0*[1-9]\d*$/.test(value)) return `${name} is a number from 1`;
  }
  const scale = parts.get('RSCALE') ?? 'GREGORIAN';
  if (scale !== 'GREGORIAN') return `the calendar ${scale} is not known, only GREGORIAN`;
  if ((parts.get('SKIP') ?? 'OMIT') !== 'OMIT') return 'days that a month does not have are left out (SKIP=OMIT)';
  return null;
}
