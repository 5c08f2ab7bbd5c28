// A venue as clients see it: what has no value is left out.
import Type from 'typebox';
import { address, component, decimal, flag, integer, object, optional, orNull, text } from './members.ts';
import { authorshipMembers, globalIdMembers, shownOrHidden } from './post.ts';

export const venue = object(
  'A venue. What has no value is left out; what is under a password is empty or null until the password is presented.',
  {
    id: integer('Id.'),
    ...authorshipMembers,
    url: address('Public page.'),
    venue: text('Name, ready to be shown as HTML.'),
    ...optional({
      description: text('Description as HTML.'),
      slug: text('Slug.'),
      image: shownOrHidden('The picture; false when it is under a password.', Type.Ref('Image')),
      address: text('Street address.'),
      city: text('City.'),
      country: text('Country.'),
      province: text('Province.'),
      state: text('State.'),
      zip: text('Postal code.'),
      phone: text('Telephone number.'),
      website: text('Its own web site.'),
      stateprovince: text('State or province.'),
      geo_lat: decimal('Latitude in degrees.'),
      geo_lng: decimal('Longitude in degrees.'),
      json_ld: component('VenueJsonLd', 'Only in single reads.'),
    }),
    show_map: orNull(flag('Whether a map is shown.')),
    show_map_link: orNull(flag('Whether a link to a map is shown.')),
    ...globalIdMembers,
  },
);
