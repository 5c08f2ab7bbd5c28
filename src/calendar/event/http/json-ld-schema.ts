// The schema.org objects of single reads.
import { component, decimal, eitherOf, instant, listOf, object, oneOf, text } from '../../../http/schemas/members.ts';
import { optional } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

const about = { name: text('json_ld.name'), ...optional({ description: text('json_ld.description') }) };
const picture = optional({ image: text('image.url') });

/** One price, or the lowest and the highest of several. */
const offer = object('offer', {
  '@type': oneOf('json_ld.type', ['Offer', 'AggregateOffer']),
  ...optional({
    price: decimal('offer.price'),
    lowPrice: decimal('offer.low_price'),
    highPrice: decimal('offer.high_price'),
  }),
  priceCurrency: text('offer.currency'),
  url: text('shown.url'),
  category: text('offer.category'),
  availability: text('offer.availability'),
  validFrom: instant('offer.valid_from'),
});

const virtualLocation = object('event_json_ld.location', {
  '@type': oneOf('json_ld.type', ['VirtualLocation']),
  url: text('event.virtual_url'),
});

export const eventJsonLd = object('event_json_ld', {
  '@context': text('json_ld.context'),
  '@type': oneOf('json_ld.type', ['Event']),
  ...about,
  ...picture,
  url: text('shown.url'),
  eventAttendanceMode: text('event_json_ld.attendance_mode'),
  eventStatus: text('event_json_ld.status'),
  ...optional({ previousStartDate: listOf(Type.String(), 'event_json_ld.previous_start_date') }),
  startDate: text('event_json_ld.start_date'),
  endDate: text('event_json_ld.end_date'),
  ...optional({
    location: eitherOf('event_json_ld.location', [
      Type.Ref('VenueJsonLd'),
      Type.Array(eitherOf('event_json_ld.location', [virtualLocation, Type.Ref('VenueJsonLd')])),
    ]),
    organizer: component('OrganizerJsonLd', 'event_json_ld.organizer'),
    offers: eitherOf('event_json_ld.offers', [offer, Type.Array(offer)]),
    typicalAgeRange: text('event_json_ld.ages'),
    inLanguage: listOf(Type.String(), 'event_json_ld.languages'),
    potentialAction: object('event_json_ld.registration', {
      '@type': oneOf('json_ld.type', ['RegisterAction']),
      target: text('event.registration_url'),
    }),
  }),
});

const postalAddress = object('venue_json_ld.address', {
  ...optional({
    streetAddress: text('venue.address'),
    addressLocality: text('venue.city'),
    addressRegion: text('shown_venue.stateprovince'),
    postalCode: text('venue.zip'),
    addressCountry: text('venue.country'),
  }),
  '@type': oneOf('json_ld.type', ['PostalAddress']),
});

const coordinates = object('venue_json_ld.geo', {
  '@type': oneOf('json_ld.type', ['GeoCoordinates']),
  latitude: decimal('shown_venue.geo_lat'),
  longitude: decimal('shown_venue.geo_lng'),
});

export const venueJsonLd = object('venue_json_ld', {
  '@type': oneOf('json_ld.type', ['Place']),
  ...about,
  ...picture,
  ...optional({
    address: postalAddress,
    geo: coordinates,
    telephone: text('post.phone'),
    sameAs: text('json_ld.web_site'),
  }),
});

export const organizerJsonLd = object('organizer_json_ld', {
  '@type': oneOf('json_ld.type', ['Person']),
  ...about,
  ...picture,
  ...optional({
    url: text('json_ld.web_site'),
    telephone: text('post.phone'),
    email: text('organizer.email'),
    sameAs: text('json_ld.web_site'),
  }),
});
