// The parameters of the feeds.
import Type from 'typebox';
import { eventList } from './event.ts';
import type { ListSettings } from './lists.ts';
import { anyId, optional, passwordToPresent, refused } from './primitives.ts';

/**
 * `GET /events.ics`: all filters of the list apply to the calendar. A calendar has no pages, and shows today's events.
 */
export function calendarFeed(settings: ListSettings) {
  const { page: _page, per_page: _perPage, as_of: _asOf, ...filters } = eventList(settings).properties;
  // Declared in order to be refused: a request for the past must not get the present.
  return Type.Object({ ...filters, ...optional({ as_of: refused<string>('nothing') }) });
}

export const calendarEvent = Type.Object({ id: anyId('event'), ...optional({ password: passwordToPresent }) });

export const newestEvents = Type.Object({});
