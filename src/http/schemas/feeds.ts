// The parameters of the feeds.
import type { ParameterTable } from '../route.ts';
import { eventList } from './event.ts';
import type { ListSettings } from './lists.ts';
import { anyId, passwordToPresent, refused } from './primitives.ts';

/** `GET /events.ics`: whatever filters the list filters the calendar. A calendar has no pages, and shows today's events. */
export function calendarFeed(settings: ListSettings): ParameterTable {
  const { page: _page, per_page: _perPage, as_of: _asOf, ...filters } = eventList(settings);
  // Known in order to be refused: who asks for the past must not be told the present.
  return { ...filters, as_of: refused(() => false) };
}

export const calendarEvent: ParameterTable = { id: anyId('event'), password: passwordToPresent };

export const newestEvents: ParameterTable = {};
