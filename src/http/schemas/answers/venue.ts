// A venue as clients see it: what has no value is left out.
import Type from 'typebox';
import { address, component, decimal, flag, integer, object, optional, orNull, text } from './members.ts';
import { authorshipMembers, globalIdMembers, shownOrHidden } from './post.ts';

export const venue = object('shown_venue', {
  id: integer('shown.id'),
  ...authorshipMembers,
  url: address('shown.url'),
  venue: text('shown.name'),
  ...optional({
    description: text('shown.description'),
    slug: text('shown.slug'),
    image: shownOrHidden('shown.image', Type.Ref('Image')),
    address: text('venue.address'),
    city: text('venue.city'),
    country: text('venue.country'),
    province: text('venue.province'),
    state: text('venue.state'),
    zip: text('venue.zip'),
    phone: text('post.phone'),
    website: text('shown.website'),
    stateprovince: text('shown_venue.stateprovince'),
    geo_lat: decimal('shown_venue.geo_lat'),
    geo_lng: decimal('shown_venue.geo_lng'),
    json_ld: component('VenueJsonLd', 'shown.json_ld'),
  }),
  show_map: orNull(flag('post.show_map')),
  show_map_link: orNull(flag('post.show_map_link')),
  ...globalIdMembers,
});
