// The parameters of the feeds.
import { eventList, traitFilters } from '../../../calendar/event/http/event-schema.ts';
import { aheadInstant, withProposals } from '../../../editorial/time-travel/http/as-of-schema.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import { anyId, optional, passwordToPresent, refused, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { CANCELLED_MODES, type CancelledMode } from '../../../kernel/text/wire-words.ts';

const cancelled = (modes: readonly CancelledMode[]) =>
  text<CancelledMode>('calendar_feed.cancelled', ['oneOf', modes], { default: 'prefix' });

/** Instants to come; the handler refuses others. */
const ahead = optional({ as_of: aheadInstant, with: withProposals });

/** `GET /events.ics`: all filters of the list apply to the calendar. A calendar has no pages. */
export function calendarFeed(settings: ListSettings) {
  const { page: _page, per_page: _perPage, as_of: _asOf, with: _with, ...filters } = eventList(settings).properties;
  return Type.Object({
    ...filters,
    ...ahead,
    ...optional({ cancelled: cancelled(CANCELLED_MODES) }),
  });
}

/** `GET /events.csv`: the filters of the list, about the present. */
export function eventTable(settings: ListSettings) {
  const { page: _page, per_page: _perPage, ...filters } = eventList(settings).properties;
  return Type.Object({ ...filters, ...optional({ as_of: refused(), with: refused() }) });
}

/** One event is not left out of its own calendar. */
export const calendarEvent = Type.Object({
  id: anyId('event'),
  ...ahead,
  ...optional({ password: passwordToPresent, cancelled: cancelled(['status', 'prefix']) }),
});

/** `GET /events.atom` and `.rss`: the filters of the list that concern the event itself, not its dates or its status. */
export function newestEvents(settings: ListSettings) {
  const { search, categories, tags, venue, organizer, featured, series } = eventList(settings).properties;
  const { geoloc, geoloc_lat, geoloc_lng, geoloc_radius } = eventList(settings).properties;
  return Type.Object({
    search,
    categories,
    tags,
    venue,
    organizer,
    featured,
    ...optional(traitFilters),
    series,
    geoloc,
    geoloc_lat,
    geoloc_lng,
    geoloc_radius,
    ...ahead,
    ...optional({ cancelled: cancelled(CANCELLED_MODES) }),
  });
}
