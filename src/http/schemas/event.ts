// The parameters of the event routes.

import { linkedPosts } from '../parameters/linked-posts.ts';
import {
  coordinate,
  cost,
  filledText,
  idsOnly,
  image,
  longText,
  nonEmptyString,
  positiveInt,
  postId,
  postIdOrEmpty,
  postSlug,
  radius,
  termList,
  urlOrEmpty,
  zoneOrEmpty,
} from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { asOf, existing, oldState } from './as-of.ts';
import { type ListSettings, postsToFilterBy, search, statusFilter, termsToFilterBy } from './lists.ts';
import { organizerCreate } from './organizer.ts';
import {
  anyId,
  anything,
  authorship,
  dateField,
  dateFilter,
  decimal,
  flag,
  integer,
  list,
  pageNumber,
  passwordToPresent,
  passwordToSet,
  perPage,
  required,
  text,
} from './primitives.ts';
import { venueCreate } from './venue.ts';

/**
 * `GET /events`. The defaults of `start_date` and `end_date` depend on the clock: the tables hold these words, and the
 * index puts dates in their place.
 */
export const WINDOW_START = 'yesterday 23:59';
export const WINDOW_END = '+24 months';

export const eventList = (settings: ListSettings): ParameterTable => ({
  page: pageNumber,
  per_page: perPage(settings.perPage),
  start_date: dateFilter('Only events that start on this date or later.', { default: WINDOW_START }),
  end_date: dateFilter('Only events that end on this date or earlier.', { default: WINDOW_END }),
  starts_before: dateFilter('Only events that start before this date.'),
  starts_after: dateFilter('Only events that start after this date.'),
  ends_before: dateFilter('Only events that end before this date.'),
  ends_after: dateFilter('Only events that end after this date.'),
  strict_dates: anything('Yes: dates count to the second; no: by whole days.', nonEmptyString, { default: 'false' }),
  search: search('title, description or excerpt'),
  categories: list('Ids or slugs of categories; events in one of them or below.', termsToFilterBy('category')),
  tags: list('Ids or slugs of tags; events with one of them.', termsToFilterBy('tag')),
  venue: list('Ids of venues; events at one of them.', postsToFilterBy('venue')),
  organizer: list('Ids of organizers; events by one of them.', postsToFilterBy('organizer')),
  featured: flag('Yes: only featured events; no: only others.'),
  status: statusFilter,
  geoloc: flag('Yes: only events whose venue has coordinates; no: only others.'),
  geoloc_lat: decimal('Latitude of the middle of a circle; only with geoloc_lng.', coordinate(90, 'geoloc_lng'), {
    format: 'double',
  }),
  geoloc_lng: decimal('Longitude of the middle of a circle; only with geoloc_lat.', coordinate(180, 'geoloc_lat'), {
    format: 'double',
  }),
  geoloc_radius: decimal('Radius of the circle in kilometres. Default: 25.', radius, { format: 'double' }),
  include: list('Ids of the only events to list; the default dates then do not apply.', idsOnly),
  post_parent: integer('Only events that belong to the event with this id.', existing(postId('event'), positiveInt)),
  ticketed: flag('Yes: only events with tickets; no: only others.'),
  as_of: asOf,
});

const title: Parameter = text('Title of the event.', filledText);
const start: Parameter = dateField('Start, in the zone of the event unless the value says its own.');
const end: Parameter = dateField('End, in the zone of the event unless the value says its own.');

const fields = {
  ...authorship,
  description: text('Description of the event.', longText),
  slug: text('Slug of the event. Default: derived from the title.', nonEmptyString),
  excerpt: text('Short description of the event.', longText),
  timezone: text('Time zone of the event. Default: the zone of the site.', zoneOrEmpty),
  all_day: flag('Whether it takes whole days.', { default: false }),
  image: text('Id of an image, or its absolute http or https address.', image, { alsoTakes: ['number'] }),
  cost: anything('Cost: an amount, a text, or several of them.', cost),
  website: anything("Absolute address of the event's own web site.", urlOrEmpty, { default: null }),
  show_map: flag('Whether a map is shown.'),
  show_map_link: flag('Whether a link to a map is shown.'),
  hide_from_listings: flag('Whether lists leave it out.'),
  sticky: flag('Whether it is pinned in the calendar.'),
  featured: flag('Whether it is featured.'),
  ticketed: flag('Whether it has tickets.'),
  post_parent: integer('Id of the event that it belongs to; 0 for none.', postIdOrEmpty('event')),
  categories: list('Ids, slugs or names of categories; new names are created.', termList, { default: null }),
  tags: list('Ids, slugs or names of tags; new names are created.', termList, { default: null }),
  venue: list('Ids of venues, or entries to be created.', linkedPosts('venue', venueCreate), {
    default: null,
    alsoTakes: ['null'],
  }),
  organizer: list('Ids of organizers, or entries to be created.', linkedPosts('organizer', organizerCreate), {
    default: null,
    alsoTakes: ['null'],
  }),
} as const;

const id = anyId('event');
const slug = required(text('Slug of the event.', postSlug('event')));

export const eventCreate: ParameterTable = {
  title: required(title),
  start_date: required(start),
  end_date: required(end),
  ...fields,
  password: passwordToSet,
};

const changes = { title, start_date: start, end_date: end, ...fields } as const;

/** By id; `slug` is the new one. */
export const eventUpdate: ParameterTable = { id, ...changes, password: passwordToSet };

/** By slug; whether the one in the path exists is for the handler to say, a `slug` sent beside it is the new one. */
export const eventUpdateBySlug: ParameterTable = { ...changes };

export const eventRead: ParameterTable = { id, password: passwordToPresent, ...oldState };
export const eventReadBySlug: ParameterTable = { slug, password: passwordToPresent, ...oldState };
export const eventDelete: ParameterTable = { id, password: passwordToPresent };
export const eventDeleteBySlug: ParameterTable = { slug };
