// The parameters of the feeds.
import Type from 'typebox';
import { CANCELLED_MODES, type CancelledMode } from '../../text/wire-words.ts';
import { eventList } from './event.ts';
import type { ListSettings } from './lists.ts';
import { anyId, optional, passwordToPresent, refused, text } from './primitives.ts';

const cancelled = (modes: readonly CancelledMode[]) =>
  text<CancelledMode>('calendar_feed.cancelled', ['oneOf', modes], { default: 'prefix' });

/**
 * `GET /events.ics`: all filters of the list apply to the calendar. A calendar has no pages, and shows today's events.
 */
export function calendarFeed(settings: ListSettings) {
  const { page: _page, per_page: _perPage, as_of: _asOf, with: _with, ...filters } = eventList(settings).properties;
  // Declared in order to be refused: a request for the past or for what is to come must not get the present.
  return Type.Object({
    ...filters,
    ...optional({
      cancelled: cancelled(CANCELLED_MODES),
      as_of: refused<string>('nothing'),
      with: refused<string>('nothing'),
    }),
  });
}

/** One event is not left out of its own calendar. */
export const calendarEvent = Type.Object({
  id: anyId('event'),
  ...optional({ password: passwordToPresent, cancelled: cancelled(['status', 'prefix']) }),
});

/** `GET /events.atom` and `.rss`: the filters of the list that concern the event itself, not its dates or its status. */
export function newestEvents(settings: ListSettings) {
  const { search, categories, tags, venue, organizer, featured, geoloc, geoloc_lat, geoloc_lng, geoloc_radius } =
    eventList(settings).properties;
  return Type.Object({
    ...{ search, categories, tags, venue, organizer, featured, geoloc, geoloc_lat, geoloc_lng, geoloc_radius },
    ...optional({ cancelled: cancelled(CANCELLED_MODES) }),
  });
}
