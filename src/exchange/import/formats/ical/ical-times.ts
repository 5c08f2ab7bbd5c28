// When an occurrence of a calendar event begins and ends, in the terms of commands.
import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import { formatCivil, parseCivil, SECONDS_PER_DAY } from '../../../../kernel/time/civil-time.ts';
import type { EpochSeconds } from '../../../../kernel/time/zone.ts';
import type { IcalEvent } from './ical.ts';
import type { Length, Moment } from './ical-moments.ts';
import type { CalendarZones } from './ical-zones.ts';

/** The times of an occurrence that begins at `start`, with the duration of the event. */
export function timesOf(
  { event, start: first }: { readonly event: IcalEvent; readonly start: Moment },
  start: Moment,
  zones: CalendarZones,
): NonNullable<EventInput['times']> {
  const { shown, toInput } = zones.of(start);
  if (start.kind === 'day') {
    const day = parseCivil(start.wallClock);
    const days = Math.max(1, Math.ceil(daySpan(event, first) / SECONDS_PER_DAY));
    const last = formatCivil(day + (days - 1) * SECONDS_PER_DAY);
    return { start: start.wallClock.slice(0, 10), end: last.slice(0, 10), allDay: true, timezone: shown.name };
  }
  const begin = zones.instantOf(start);
  const end = endOf(event, first, start, zones);
  if (end < begin) throw new Error('it ends before it starts');
  // An end in another form than the start is not a wall clock of the shown zone.
  const isInOtherTerms = event.end && (event.end.kind !== first.kind || event.end.tzid !== first.tzid);
  return { start: toInput(begin), end: isInOtherTerms ? end : toInput(end), allDay: false, timezone: shown.name };
}

const daySpan = ({ end, duration }: IcalEvent, first: Moment): number =>
  end ? parseCivil(end.wallClock) - parseCivil(first.wallClock) : secondsIn(duration);

const secondsIn = (length: Length | null): number => (length ? length.days * SECONDS_PER_DAY + length.seconds : 0);

/** Wall-clock duration between two times of one zone; otherwise elapsed time. Days of a length are by the clock. */
function endOf({ end, duration }: IcalEvent, first: Moment, start: Moment, zones: CalendarZones): EpochSeconds {
  const later = (seconds: number): EpochSeconds =>
    zones.instantOf({ ...start, wallClock: formatCivil(parseCivil(start.wallClock) + seconds) });
  if (!end) return later((duration?.days ?? 0) * SECONDS_PER_DAY) + (duration?.seconds ?? 0);
  if (end.kind !== first.kind || end.tzid !== first.tzid)
    return zones.instantOf(start) + zones.instantOf(end) - zones.instantOf(first);
  return later(parseCivil(end.wallClock) - parseCivil(first.wallClock));
}
