// The rules of a calendar event as a series keeps them: by the clock of one zone.

import type { Repeating } from '../../../../editorial/series/domain/facts.ts';
import {
  parseSeriesRule,
  type SeriesDate,
  type SeriesRule,
  seriesDates,
} from '../../../../editorial/series/domain/rule-set.ts';
import { type EpochSeconds, toInstant, toWallClock, type WallClock, type Zone } from '../../../../kernel/time/zone.ts';
import type { IcalEvent, IcalRule } from './ical.ts';
import type { Moment } from './ical-moments.ts';
import type { CalendarZones } from './ical-zones.ts';

/** An override, with the date that it replaces. */
interface Override {
  readonly event: Pick<IcalEvent, 'recurrenceId'>;
}

export interface KeptSeries<One extends Override> {
  readonly zone: Zone;
  readonly start: WallClock;
  readonly repeating: Repeating;
  /** The keys are the wall clocks at which the rules put the dates. */
  readonly overrides: ReadonlyMap<WallClock, One>;
}

/** Why a series has to become single events; one line. */
interface NotKept {
  readonly reason: string;
}

interface Surroundings {
  readonly zones: CalendarZones;
  /** The horizon: overrides behind it are left for a later import. */
  readonly until: EpochSeconds;
}

/**
 * A master with its overrides as one series. Its dates are those that single events of it would have. Throws an `Error`
 * for invalid times.
 */
export function keepSeries<One extends Override>(
  event: IcalEvent,
  start: Moment,
  overrides: readonly One[],
  { zones, until }: Surroundings,
): KeptSeries<One> | NotKept {
  if (event.exceptions.length > 0) return { reason: 'it leaves dates out by a rule (EXRULE)' };
  const zone = zones.of(start).displayZone;
  const texts = event.rules.map(writtenRule);
  const rules: SeriesRule[] = [];
  for (const text of texts) {
    const rule = parseSeriesRule(text);
    if ('fault' in rule) return { reason: rule.detail };
    rules.push(rule);
  }
  const added = wallClocksOf(event.rdates.map((date) => date.start));
  if (added === null) return { reason: 'a date that was added cannot be said by the clock of its zone' };
  const set = { start: start.wallClock, zone, rules, added, skipped: [] };
  const dates = seriesDates(set, until);
  if ('fault' in dates) return { reason: dates.detail };
  if (!dates.every(isSameInstant)) return { reason: `it repeats by another clock than that of ${zone.name}` };
  const clockByInstant = new Map(dates.map(({ wallClock, instant }) => [instant, wallClock]));
  const exdates = new Set(event.exdates.flatMap((moment) => originalOf(moment) ?? []));
  const extra: WallClock[] = [];
  const changes = new Map<WallClock, One>();
  for (const one of overrides) {
    const date = one.event.recurrenceId && originalOf(one.event.recurrenceId);
    if (date === null) return { reason: 'a changed date cannot be said by the clock of its zone' };
    if (toInstant(date, zone) > until) continue;
    changes.set(date, one);
    // It takes place, whatever the rule says about it.
    exdates.delete(date);
    if (!clockByInstant.has(toInstant(date, zone))) extra.push(date);
  }
  const rdates = [...new Set([...added, ...extra])].sort();
  const repeating = { rules: texts, added: rdates, skipped: [...exdates].sort() };
  return { zone, start: start.wallClock, repeating, overrides: changes };

  function isSameInstant({ wallClock, instant }: SeriesDate): boolean {
    // Days have no instants of their own.
    return start.kind === 'day' || zones.instantOf({ ...start, wallClock }) === instant;
  }

  function wallClocksOf(moments: readonly Moment[]): WallClock[] | null {
    const written = moments.map(wallClockOf);
    return written.every((wallClock) => wallClock !== null) ? written : null;
  }

  /** Null for the second pass of a repeated hour. */
  function wallClockOf(moment: Moment): WallClock | null {
    if (moment.kind === start.kind && moment.tzid === start.tzid) return moment.wallClock;
    const instant = zones.instantOf(moment);
    const wallClock = toWallClock(instant, zone);
    return toInstant(wallClock, zone) === instant ? wallClock : null;
  }

  /** Where the rules put the date that a calendar may name by another clock. */
  function originalOf(moment: Moment): WallClock | null {
    if (start.kind === 'day') return wallClockOf(moment);
    return clockByInstant.get(zones.instantOf(moment)) ?? wallClockOf(moment);
  }
}

function writtenRule({ text, until }: IcalRule): string {
  if (until === null) return text;
  const written = until.wallClock.replace(/[-:]/g, '').replace(' ', 'T');
  if (until.kind === 'day') return `${text};UNTIL=${written.slice(0, 8)}`;
  return `${text};UNTIL=${written}${until.kind === 'utc' ? 'Z' : ''}`;
}
