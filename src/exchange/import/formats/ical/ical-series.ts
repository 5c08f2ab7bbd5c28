// The occurrences of a calendar event: once, or by its rules up to a horizon.
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import { recurrenceStarts } from '../../../../kernel/time/recurrence.ts';
import type { EpochSeconds, WallClock } from '../../../../kernel/time/zone.ts';
import type { IcalEvent, IcalRule } from './ical.ts';
import type { Moment } from './ical-moments.ts';
import type { CalendarZones } from './ical-zones.ts';

export interface SeriesLimits {
  /** Later occurrences of a series are ignored. */
  readonly until: EpochSeconds;
  /** A series has at most so many: the last ones before the horizon. */
  readonly most: number;
  /** How many dates may still be searched for all series of a file. */
  readonly dates: { remainder: number };
}

/** A rule that continues without reaching its end. */
export class EndlessRule extends Error {
  override readonly name = 'EndlessRule';
}

interface Occurrence {
  readonly start: Moment;
  readonly instant: EpochSeconds;
  /** Identifies it within its series: the original start, as an instant or a day. */
  readonly key: string;
}

/** A rule has so many dates at most, whichever of them are taken. */
const MAX_DATES = 100_000;
/** No two zones differ by more. */
const SLACK_SECONDS = 2 * SECONDS_PER_DAY;

export const isSeries = ({ rules, rdates }: IcalEvent): boolean => rules.length > 0 || rdates.length > 0;

/** Identifies a moment within a series, in any notation. */
export function keyOfMoment(moment: Moment, zones: CalendarZones): string {
  if (moment.kind === 'day') return moment.wallClock.slice(0, 10);
  return new Date(zones.instantOf(moment) * 1000).toISOString().replace('.000', '');
}

/** Throws `EndlessRule` for rules without an end, and an `Error` for invalid rules and times. */
export function occurrencesOf(event: IcalEvent, start: Moment, zones: CalendarZones, limits: SeriesLimits) {
  const { until, most } = limits;
  const byKey = new Map<string, Occurrence>();
  const add = (moment: Moment): void => {
    const key = keyOfMoment(moment, zones);
    byKey.set(key, { start: moment, instant: zones.instantOf(moment), key });
  };
  add(start);
  for (const rule of event.rules) for (const moment of momentsOf(rule, start, zones, limits)) add(moment);
  for (const { start: moment } of event.rdates) add(moment);
  const exceptions = event.exceptions.flatMap((rule) => [...momentsOf(rule, start, zones, limits)]);
  const leftOut = [...event.exdates, ...exceptions].map((moment) => keyOfMoment(moment, zones));
  for (const key of leftOut) byKey.delete(key);
  const within = [...byKey.values()].filter(({ instant }) => instant <= until).sort(byInstant);
  const isTooMuch = within.length > most;
  return {
    /** In the order of time. */
    occurrences: within.slice(-most),
    /** Keys of the excluded occurrences. */
    leftOut,
    /** How many there were up to the horizon, if that was too many. */
    cutFrom: isTooMuch ? within.length : null,
  };
}

const byInstant = (one: Occurrence, other: Occurrence): number => one.instant - other.instant;

function* momentsOf(rule: IcalRule, start: Moment, zones: CalendarZones, limits: SeriesLimits): Generator<Moment> {
  for (const wallClock of startsOf(rule, start, limits)) {
    const moment = { ...start, wallClock };
    if (zones.instantOf(moment) > limits.until || isBehind(moment, rule.until, zones)) return;
    yield moment;
  }
}

/** The starts by the clock of the event, up to a little more than the end of the rule or the horizon, which are instants. */
function startsOf(rule: IcalRule, start: Moment, { until, dates }: SeriesLimits): readonly WallClock[] {
  const end = Math.min(until, rule.until ? parseCivil(rule.until.wallClock) : until) + SLACK_SECONDS;
  const most = Math.min(MAX_DATES, dates.remainder);
  const starts = recurrenceStarts(rule.text, { first: start.wallClock, last: formatCivil(end), most });
  if (!('fault' in starts)) {
    dates.remainder -= starts.length;
    return starts;
  }
  dates.remainder -= most;
  if (starts.fault === 'never') return [];
  throw new EndlessRule(starts.detail);
}

/** A last day counts as a whole; a last time without a zone is in the event's zone. */
function isBehind(moment: Moment, until: Moment | null, zones: CalendarZones): boolean {
  if (until === null) return false;
  if (until.kind === 'day' || moment.kind === 'day')
    return moment.wallClock.slice(0, 10) > until.wallClock.slice(0, 10);
  if (until.kind === 'floating') return moment.wallClock > until.wallClock;
  return zones.instantOf(moment) > zones.instantOf(until);
}
