import { type CalendarEvent, type EventFact, evolveEvent } from '../../src/calendar/event/domain/calendar-event.ts';
import { factOf, instantOf, type RecordedEvent } from '../../src/log/envelope.ts';

/** Raise it when anything below changes: the read model is then refilled. */
export const VERSION = 1;

/** Prefix of the streams to read. */
export const PREFIX = 'event-';

export const fold = (state: CalendarEvent | null, event: RecordedEvent): CalendarEvent | null =>
  evolveEvent(state, factOf<EventFact>(event), instantOf(event));

/** The month in which it begins by its own clock, such as `2026-12`; null when it is not public. */
export function monthOf({ status, hidden, schedule }: CalendarEvent): string | null {
  return status === 'publish' && !hidden ? schedule.start.slice(0, 7) : null;
}
