// A rule up to a date and as it goes on from there, as the two series have it that another one was split into.
import { formatCivil, parseCivil } from '../../../kernel/time/civil-time.ts';
import { recurrenceStarts } from '../../../kernel/time/recurrence.ts';
import type { WallClock, Zone } from '../../../kernel/time/zone.ts';
import { isWithin, MAX_SERIES_DATES, parseSeriesRule, type SeriesRule } from './rule-set.ts';

const COUNT = /(?:^|;)COUNT=0*(\d+)/i;

/**
 * How often a rule that counts from `start` comes from another date on; null if it has no `COUNT`. The start of a series
 * counts if the rule yields it.
 */
export function countFrom({ text }: SeriesRule, start: WallClock, from: WallClock): number | null {
  const count = COUNT.exec(text)?.[1];
  if (count === undefined) return null;
  if (from <= start) return Number(count);
  const before = recurrenceStarts(text, {
    first: start,
    last: formatCivil(parseCivil(from) - 1),
    most: 2 * MAX_SERIES_DATES,
  });
  return 'fault' in before ? Number(count) : Math.max(0, Number(count) - before.length);
}

/** A rule without its `COUNT`. */
export const uncounted = ({ text }: SeriesRule): string => text.replace(COUNT, '').replace(/^;/, '');

/** A rule as written that counts from `start`, without its dates from `from` on; one that is over before is unchanged. */
export function ruleBefore(text: string, start: WallClock, from: WallClock, zone: Zone): string {
  const rule = parseSeriesRule(text);
  if ('fault' in rule || !isWithin(from, rule.end, zone) || countFrom(rule, start, from) === 0) return text;
  const last = formatCivil(parseCivil(from) - 1).replace(/[-:]/g, '');
  // A rule has either: its dates up to here are fewer than its count.
  return `${uncounted(rule)};UNTIL=${last.replace(' ', 'T')}`;
}

/** Whether a rule that counts from `start` yields a wall clock. */
export function yields({ text }: SeriesRule, start: WallClock, wallClock: WallClock): boolean {
  const starts = recurrenceStarts(text, { first: start, last: wallClock, most: 2 * MAX_SERIES_DATES });
  return !('fault' in starts) && starts.at(-1) === wallClock;
}
