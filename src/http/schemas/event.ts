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
  start_date: dateFilter('event_list.start_date', { default: WINDOW_START }),
  end_date: dateFilter('event_list.end_date', { default: WINDOW_END }),
  starts_before: dateFilter('event_list.starts_before'),
  starts_after: dateFilter('event_list.starts_after'),
  ends_before: dateFilter('event_list.ends_before'),
  ends_after: dateFilter('event_list.ends_after'),
  strict_dates: anything('event_list.strict_dates', nonEmptyString, { default: 'false' }),
  search: search('event_list.search'),
  categories: list('event_list.categories', termsToFilterBy('category')),
  tags: list('event_list.tags', termsToFilterBy('tag')),
  venue: list('event_list.venue', postsToFilterBy('venue')),
  organizer: list('event_list.organizer', postsToFilterBy('organizer')),
  featured: flag('event_list.featured'),
  status: statusFilter,
  geoloc: flag('event_list.geoloc'),
  geoloc_lat: decimal('event_list.geoloc_lat', coordinate(90, 'geoloc_lng'), {
    format: 'double',
  }),
  geoloc_lng: decimal('event_list.geoloc_lng', coordinate(180, 'geoloc_lat'), {
    format: 'double',
  }),
  geoloc_radius: decimal('event_list.geoloc_radius', radius, { format: 'double' }),
  include: list('event_list.include', idsOnly),
  post_parent: integer('event_list.post_parent', existing(postId('event'), positiveInt)),
  ticketed: flag('event_list.ticketed'),
  as_of: asOf,
});

const title: Parameter = text('event.title', filledText);
const start: Parameter = dateField('event.start_date');
const end: Parameter = dateField('event.end_date');

const fields = {
  ...authorship,
  description: text('event.description', longText),
  slug: text('event.slug', nonEmptyString),
  excerpt: text('event.excerpt', longText),
  timezone: text('event.timezone', zoneOrEmpty),
  all_day: flag('event.all_day', { default: false }),
  image: text('post.image', image, { alsoTakes: ['number'] }),
  cost: anything('event.cost', cost),
  website: anything('event.website', urlOrEmpty, { default: null }),
  show_map: flag('post.show_map'),
  show_map_link: flag('post.show_map_link'),
  hide_from_listings: flag('event.hide_from_listings'),
  sticky: flag('event.sticky'),
  featured: flag('event.featured'),
  ticketed: flag('event.ticketed'),
  post_parent: integer('event.post_parent', postIdOrEmpty('event')),
  categories: list('event.categories', termList, { default: null }),
  tags: list('event.tags', termList, { default: null }),
  venue: list('event.venue', linkedPosts('venue', venueCreate), {
    default: null,
    alsoTakes: ['null'],
  }),
  organizer: list('event.organizer', linkedPosts('organizer', organizerCreate), {
    default: null,
    alsoTakes: ['null'],
  }),
} as const;

const id = anyId('event');
const slug = required(text('event.path_slug', postSlug('event')));

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
