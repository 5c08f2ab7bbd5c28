// The occurrences of a calendar event: once, or by its rules up to a horizon.
import type { EpochSeconds } from '../../../time/zone.ts';
import type { IcalEvent, IcalRule, Moment, StepBudget } from './ical.ts';
import type { CalendarZones } from './ical-zones.ts';

export interface SeriesLimits {
  /** Later occurrences of a series are ignored. */
  readonly until: EpochSeconds;
  /** At most this many per series: the last ones before the horizon. */
  readonly most: number;
  readonly steps: StepBudget;
}

interface Occurrence {
  readonly start: Moment;
  readonly instant: EpochSeconds;
  /** Identifies it within its series: the original start, as an instant or a day. */
  readonly key: string;
}

interface Series {
  /** In the order of time. */
  readonly occurrences: readonly Occurrence[];
  /** Keys of the excluded occurrences. */
  readonly leftOut: readonly string[];
  /** How many there were up to the horizon, if that was too many. */
  readonly cutFrom: number | null;
}

/** Most steps for one series. */
const MOST_STEPS = 100_000;

export const isSeries = ({ rules, added }: IcalEvent): boolean => rules.length > 0 || added.length > 0;

/** Identifies a moment within a series, in any notation. */
export function keyOfMoment(moment: Moment, zones: CalendarZones): string {
  if (moment.kind === 'day') return moment.wallClock.slice(0, 10);
  return new Date(zones.instantOf(moment) * 1000).toISOString().replace('.000', '');
}

/** Throws `TooManySteps` for rules without an end, and an `Error` for invalid times. */
export function occurrencesOf(event: IcalEvent, start: Moment, zones: CalendarZones, limits: SeriesLimits): Series {
  const { until, most, steps } = limits;
  const found = new Map<string, Occurrence>();
  const add = (moment: Moment): void => {
    const key = keyOfMoment(moment, zones);
    found.set(key, { start: moment, instant: zones.instantOf(moment), key });
  };
  add(start);
  const own = { left: Math.min(MOST_STEPS, steps.left) };
  const before = own.left;
  try {
    for (const rule of event.rules) for (const moment of momentsOf(rule, start, zones, until, own)) add(moment);
  } finally {
    steps.left -= before - own.left;
  }
  for (const moment of event.added) add(sameKind(moment, start));
  const leftOut = event.left.map((moment) => keyOfMoment(sameKind(moment, start), zones));
  for (const key of leftOut) found.delete(key);
  const within = [...found.values()].filter(({ instant }) => instant <= until).sort(byInstant);
  const isTooMuch = within.length > most;
  return { occurrences: within.slice(-most), leftOut, cutFrom: isTooMuch ? within.length : null };
}

const byInstant = (one: Occurrence, other: Occurrence): number => one.instant - other.instant;

function* momentsOf(
  rule: IcalRule,
  start: Moment,
  zones: CalendarZones,
  horizon: EpochSeconds,
  steps: StepBudget,
): Generator<Moment> {
  for (const wallClock of rule.starts(steps)) {
    const moment = { ...start, wallClock };
    if (zones.instantOf(moment) > horizon || isBehind(moment, rule.until, zones)) return;
    yield moment;
  }
}

/** A last day counts as a whole; a last time without a zone is in the event's zone. */
function isBehind(moment: Moment, until: Moment | null, zones: CalendarZones): boolean {
  if (until === null) return false;
  if (until.kind === 'day' || moment.kind === 'day')
    return moment.wallClock.slice(0, 10) > until.wallClock.slice(0, 10);
  if (until.kind === 'floating') return moment.wallClock > until.wallClock;
  return zones.instantOf(moment) > zones.instantOf(until);
}

/** Some writers exclude a day of a timed series: that means the occurrence of that day. */
const sameKind = (moment: Moment, start: Moment): Moment =>
  moment.kind === 'day' && start.kind !== 'day'
    ? { ...start, wallClock: `${moment.wallClock.slice(0, 10)}${start.wallClock.slice(10)}` }
    : moment;
