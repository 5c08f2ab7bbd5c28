// VTIMEZONE: the clock changes of a zone in the years of a calendar, each on its own. Repeating rules would be shorter
// and sometimes wrong: changes of some zones follow no rule (Africa/Casablanca).
import { civilFromSeconds, dayNumber, formatCivil, SECONDS_PER_DAY } from '../../../kernel/time/civil-time.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import { contentLine, textValue } from './content-lines.ts';
import { localDateTime } from './date-times.ts';

/** Years of UTC in which the events of a calendar start and end. */
export type Years = ReadonlySet<number>;

/** From `onset` on, clocks are `offset` seconds east of UTC; before it `before`. */
interface Observance {
  readonly onset: EpochSeconds;
  readonly before: number;
  readonly offset: number;
}

/** No zone keeps an offset for a shorter time; see src/kernel/time/zone.ts. */
const PROBE_SECONDS = 2 ** 19;
/** Days before and after a year that count as part of it: clocks of a zone are ahead of UTC or behind. */
const MARGIN_DAYS = 32;
const DAYS_AHEAD = 366;

export const yearOf = (instant: EpochSeconds): number => civilFromSeconds(instant).year;

/** The component, with the `TZID` that events use. Valid for the given years. */
export function timeZoneComponent(zone: Zone, years: Years): string {
  return (
    contentLine('BEGIN', 'VTIMEZONE') +
    contentLine('TZID', textValue(zone.name)) +
    spansOf(years)
      .flatMap((span) => observancesIn(zone, span))
      .map((observance) => component(zone, observance))
      .join('') +
    contentLine('END', 'VTIMEZONE')
  );
}

interface Span {
  readonly from: EpochSeconds;
  to: EpochSeconds;
}

/** Consecutive years form one span. */
function spansOf(years: Years): Span[] {
  const spans: Span[] = [];
  for (const year of [...years].sort((one, other) => one - other)) {
    const from = (dayNumber(year, 1, 1) - MARGIN_DAYS) * SECONDS_PER_DAY;
    const to = (dayNumber(year + 1, 1, 1) + MARGIN_DAYS) * SECONDS_PER_DAY;
    const last = spans.at(-1);
    if (last && from <= last.to) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** The offset at the beginning of the span, then each change. */
function observancesIn(zone: Zone, { from, to }: Span): Observance[] {
  const first = zone.offsetAt(from);
  const observances: Observance[] = [{ onset: from, before: first, offset: first }];
  for (let change = nextChange(zone, from, to); change !== null; change = nextChange(zone, change.onset, to))
    observances.push(change);
  return observances;
}

/** The first change of offset after an instant, if there is one up to `until`. */
function nextChange(zone: Zone, after: EpochSeconds, until: EpochSeconds): Observance | null {
  const before = zone.offsetAt(after);
  for (let at = after; at < until; at += PROBE_SECONDS) {
    if (zone.offsetAt(at + PROBE_SECONDS) === before) continue;
    const onset = firstWithout(zone, before, at, at + PROBE_SECONDS);
    return onset > until ? null : { onset, before, offset: zone.offsetAt(onset) };
  }
  return null;
}

function firstWithout(zone: Zone, offset: number, before: EpochSeconds, after: EpochSeconds): EpochSeconds {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function component(zone: Zone, { onset, before, offset }: Observance): string {
  const name = isDaylight(zone, onset, offset) ? 'DAYLIGHT' : 'STANDARD';
  return (
    contentLine('BEGIN', name) +
    contentLine('DTSTART', localDateTime(formatCivil(onset + before))) +
    contentLine('TZOFFSETFROM', offsetText(before)) +
    contentLine('TZOFFSETTO', offsetText(offset)) +
    contentLine('TZNAME', textValue(zone.abbreviationAt(onset))) +
    contentLine('END', name)
  );
}

/** Clocks that are set back within a year were in daylight saving time. */
function isDaylight(zone: Zone, onset: EpochSeconds, offset: number): boolean {
  const next = nextChange(zone, onset, onset + DAYS_AHEAD * SECONDS_PER_DAY);
  return next !== null && next.offset < offset;
}

/** `+0530`, with seconds if there are some. */
function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = size % 60 === 0 ? '' : two(size % 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}${two(Math.floor(size / 60) % 60)}${seconds}`;
}
