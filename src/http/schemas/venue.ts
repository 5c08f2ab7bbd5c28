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

const name: Parameter = text('Name of the venue.', filledText);

const fields = {
  ...authorship,
  description: description('venue'),
  image: optionalImage,
  address: contactField('Street address.'),
  city: contactField('City.'),
  country: contactField('Country.'),
  province: contactField('Province.'),
  state: contactField('State.'),
  zip: contactField('Postal code.'),
  phone: contactField('Telephone number.'),
  stateprovince: contactField('State or province; derived from these two when empty.'),
  website: website('venue'),
  show_map: wordFlag('Whether a map is shown.'),
  show_map_link: wordFlag('Whether a link to a map is shown.'),
  geo_lat: decimal('Latitude in degrees; only with geo_lng. Both empty: none.', coordinate(90, 'geo_lng'), {
    format: 'double',
    alsoTakes: ['null'],
  }),
  geo_lng: decimal('Longitude in degrees; only with geo_lat. Both empty: none.', coordinate(180, 'geo_lat'), {
    format: 'double',
    alsoTakes: ['null'],
  }),
} as const;

const id = existingId('venue', postId('venue'));
const slug = required(text('Slug of the venue.', postSlug('venue')));

export const venueList = linkedPostList('venues');

export const venueCreate: ParameterTable = { venue: required(name), ...fields };

export const venueUpdate: ParameterTable = { id, venue: name, ...fields };

/** By slug. A `slug` that is sent beside the one in the path is the new one. */
export const venueUpdateBySlug: ParameterTable = { slug, venue: name, ...fields };

/** Whether there is one is for the handler to say: the log may hold what views have not. */
export const venueRead: ParameterTable = { id: anyId('venue'), ...oldState };
export const venueReadBySlug: ParameterTable = { slug, ...oldState };
export const venueDelete: ParameterTable = { id };
export const venueDeleteBySlug: ParameterTable = { slug };
