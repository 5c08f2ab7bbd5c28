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
/** By what these may be limited: the package gives up, and does not say so, where the next date is 100,000 steps ahead. */
const LIMITS_OF_FINE: Readonly<Record<string, readonly string[]>> = {
  MINUTELY: ['BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND'],
  SECONDLY: ['BYHOUR', 'BYMINUTE', 'BYSECOND'],
};
const COUNTED = ['BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS'];

/**
 * The wall clocks that a rule yields, in order. `rule` is the value of an RRULE without `UNTIL`: an end is an instant or
 * a day, so it is for the caller to know (`last` is an upper bound of it). A rule that yields nothing up to `last` has
 * no dates; one that never yields anything is refused.
 */
export function recurrenceStarts(rule: string, bounds: RecurrenceBounds): readonly WallClock[] | RefusedRule {
  const written = rule.toUpperCase().replace(/;+$/, '').replaceAll('+', '');
  const parts = partsOf(written);
  const text = hasNumberedDays(parts) ? written : written.replace(/(?<=[=,])-?\d+(?=MO|TU|WE|TH|FR|SA|SU)/g, '');
  const detail = faultOf(text, parts);
  if (detail !== null) return { fault: 'invalid', detail };
  const limits = LIMITS_OF_FINE[parts.get('FREQ') ?? ''];
  if (limits && [...parts.keys()].some((name) => name.startsWith('BY') && !limits.includes(name)))
    return { fault: 'too-many', detail: `it repeats too often to be limited by other parts than ${limits.join(', ')}` };
  if (bounds.last < bounds.first) return [];
  try {
    if (datesOf(text, bounds.first, 1).length === 0)
      return { fault: 'never', detail: 'it names only days or times that never come' };
    const found = datesOf(`${text};UNTIL=${basic(bounds.last)}`, bounds.first, bounds.most + 1);
    if (found.length > bounds.most) return { fault: 'too-many', detail: `it has more than ${bounds.most} dates` };
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

/** Elsewhere a number before a weekday means nothing, and is ignored by other readers as well: `1MO` is `MO`. */
const hasNumberedDays = (parts: ReadonlyMap<string, string>): boolean =>
  ['MONTHLY', 'YEARLY'].includes(parts.get('FREQ') ?? '') && !parts.has('BYWEEKNO');

/** What the package would read as something else, or not at all. */
function faultOf(text: string, parts: ReadonlyMap<string, string>): string | null {
  if (!RULE.test(text)) return 'a rule is written like FREQ=WEEKLY;BYDAY=TU';
  if (parts.has('UNTIL')) return 'UNTIL belongs to the end of a rule';
  for (const name of ['INTERVAL', 'COUNT']) {
    const value = parts.get(name);
    if (value !== undefined && !/^0*[1-9]\d*$/.test(value)) return `${name} is a number from 1`;
  }
  const zero = COUNTED.find((name) =>
    parts
      .get(name)
      ?.split(',')
      .some((value) => Number(value) === 0),
  );
  if (zero !== undefined) return `${zero} has no 0`;
  const scale = parts.get('RSCALE') ?? 'GREGORIAN';
  if (scale !== 'GREGORIAN') return `the calendar ${scale} is not known, only GREGORIAN`;
  if ((parts.get('SKIP') ?? 'OMIT') !== 'OMIT') return 'days that a month does not have are left out (SKIP=OMIT)';
  return null;
}
