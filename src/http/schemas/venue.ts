// The parameters of the venue routes.
import Type from 'typebox';
import { oldState } from './as-of.ts';
import { linkedPostList } from './lists.ts';
import {
  anyId,
  authorship,
  contactField,
  decimal,
  description,
  existingId,
  optional,
  optionalImage,
  text,
  website,
  wordFlag,
} from './primitives.ts';

const name = text('venue.venue', 'filledText');

const coordinate = { format: 'double', alsoTakes: ['null'] } as const;

const fields = optional({
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
  geo_lat: decimal<number | null>('venue.geo_lat', ['coordinate', 90, 'geo_lng'], coordinate),
  geo_lng: decimal<number | null>('venue.geo_lng', ['coordinate', 180, 'geo_lat'], coordinate),
});

const id = existingId('venue', ['postId', 'venue']);
const slug = text('venue.path_slug', ['postSlug', 'venue']);

export const venueList = linkedPostList('venue');

export const venueCreate = Type.Object({ venue: name, ...fields });

export const venueUpdate = Type.Object({ id, ...optional({ venue: name }), ...fields });

/** By slug. A `slug` that is sent beside the one in the path is the new one. */
export const venueUpdateBySlug = Type.Object({ slug, ...optional({ venue: name }), ...fields });

/** Whether there is one is for the handler to say: the log may hold what views have not. */
export const venueRead = Type.Object({ id: anyId('venue'), ...oldState });
export const venueReadBySlug = Type.Object({ slug, ...oldState });
export const venueDelete = Type.Object({ id });
export const venueDeleteBySlug = Type.Object({ slug });
