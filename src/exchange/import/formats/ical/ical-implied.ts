// Dates of a series that differ though no component says so for each of them.
import { formatCivil, parseCivil } from '../../../../kernel/time/civil-time.ts';
import { toWallClock } from '../../../../kernel/time/zone.ts';
import type { IcalEvent } from './ical.ts';
import type { Known } from './ical-known.ts';
import type { Moment } from './ical-moments.ts';
import { keyOfMoment, occurrencesOf } from './ical-series.ts';

/** Adds to the overrides of a series, by their keys, its dates that were added with another length, or changed with all that follow. */
export function addImplied(main: Known, overrides: Map<string, Known>): void {
  const { event, start, scope } = main;
  const { zones, limits } = scope;
  for (const added of event.added) {
    const key = keyOfMoment(added.start, zones);
    if ((added.end ?? added.duration) === null || overrides.has(key)) continue;
    const { end, duration } = added;
    overrides.set(key, asDate(main, added.start, added.start, { end, duration }));
  }
  const changes = [...overrides.values()].filter((known) => known.event.isForFuture);
  if (changes.length === 0) return;
  const { occurrences } = occurrencesOf(event, start, zones, limits);
  const froms = changes.flatMap((known) =>
    known.event.recurrenceId ? [{ known, from: known.event.recurrenceId }] : [],
  );
  for (const occurrence of occurrences) {
    if (overrides.has(occurrence.key)) continue;
    const last = froms
      .filter(({ from }) => zones.instantOf(from) < occurrence.instant)
      .toSorted((one, other) => zones.instantOf(one.from) - zones.instantOf(other.from))
      .at(-1);
    if (last) overrides.set(occurrence.key, movedTo(last.known, occurrence.start, last.from));
  }
}

/** A change of all later dates, at one of them: as far from it by the clock as it is from its own date. */
function movedTo(known: Known, date: Moment, from: Moment): Known {
  const { zones } = known.scope;
  const clockOf = (moment: Moment): number =>
    moment.kind === date.kind && moment.tzid === date.tzid
      ? parseCivil(moment.wallClock)
      : parseCivil(toWallClock(zones.instantOf(moment), zones.of(date).shown));
  const shift = clockOf(date) - clockOf(from);
  const moved = (moment: Moment): Moment => ({
    ...moment,
    wallClock: formatCivil(parseCivil(moment.wallClock) + shift),
  });
  const { end, duration } = known.event;
  return asDate(known, date, moved(known.start), { end: end && moved(end), duration });
}

function asDate(known: Known, recurrenceId: Moment, start: Moment, ending: Pick<IcalEvent, 'end' | 'duration'>): Known {
  const event = { ...known.event, ...ending, recurrenceId, start, rules: [], added: [], left: [], unread: [] };
  return { ...known, start, event };
}
