// The parameters of the venue routes.

import { coordinate, filledText, postId, postSlug } from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { oldState } from './as-of.ts';
import { linkedPostList } from './lists.ts';
import {
  anyId,
  authorship,
  contactField,
  decimal,
  description,
  existingId,
  optionalImage,
  required,
  text,
  website,
  wordFlag,
} from './primitives.ts';

const name: Parameter = text('venue.venue', filledText);

const fields = {
  ...authorship,
  description: description('venue'),
  image: optionalImage,
  address: contactField('venue.address'),
  city: contactField('venue.city'),
  country: contactField('venue.country'),
  province: contactField('venue.province'),
  state: contactField('venue.state'),
  zip: contactField('venue.zip'),
  phone: contactField('post.phone'),
  stateprovince: contactField('venue.stateprovince'),
  website: website('venue'),
  show_map: wordFlag('post.show_map'),
  show_map_link: wordFlag('post.show_map_link'),
  geo_lat: decimal('venue.geo_lat', coordinate(90, 'geo_lng'), {
    format: 'double',
    alsoTakes: ['null'],
  }),
  geo_lng: decimal('venue.geo_lng', coordinate(180, 'geo_lat'), {
    format: 'double',
    alsoTakes: ['null'],
  }),
} as const;

const id = existingId('venue', postId('venue'));
const slug = required(text('venue.path_slug', postSlug('venue')));

export const venueList = linkedPostList('venue');

export const venueCreate: ParameterTable = { venue: required(name), ...fields };

export const venueUpdate: ParameterTable = { id, venue: name, ...fields };

/** By slug. A `slug` that is sent beside the one in the path is the new one. */
export const venueUpdateBySlug: ParameterTable = { slug, venue: name, ...fields };

/** Whether there is one is for the handler to say: the log may hold what views have not. */
export const venueRead: ParameterTable = { id: anyId('venue'), ...oldState };
export const venueReadBySlug: ParameterTable = { slug, ...oldState };
export const venueDelete: ParameterTable = { id };
export const venueDeleteBySlug: ParameterTable = { slug };
