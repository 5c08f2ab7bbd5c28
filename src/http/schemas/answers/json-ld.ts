// The schema.org objects of single reads.
import { component, decimal, instant, object, oneOf, optional, text } from './members.ts';

const about = { name: text('Name as plain text.'), description: text('Short description, escaped for HTML.') };
const picture = optional({ image: text('Address of the picture.') });

const offer = object('What it costs.', {
  '@type': oneOf('Kind of object.', ['Offer']),
  price: text('Amount, or lowest and highest amount.'),
  priceCurrency: text('Code of the currency.'),
  url: text('Public page.'),
  category: text('Always primary.'),
  availability: text('Always inStock.'),
  validFrom: instant('Publication.'),
});

export const eventJsonLd = object('The event in the words of schema.org.', {
  '@context': text('Address of the vocabulary.'),
  '@type': oneOf('Kind of object.', ['Event']),
  ...about,
  ...picture,
  url: text('Public page.'),
  eventAttendanceMode: text('How people attend.'),
  eventStatus: text('Whether it takes place as planned.'),
  startDate: instant('Start with the offset of its zone.'),
  endDate: instant('End with the offset of its zone.'),
  ...optional({
    location: component('VenueJsonLd', 'The venue, when there is one.'),
    organizer: component('OrganizerJsonLd', 'The first organizer, when there is one.'),
    offers: offer,
  }),
  performer: text('Always Organization.'),
});

const postalAddress = object('Postal address; only what is known.', {
  ...optional({
    streetAddress: text('Street address.'),
    addressLocality: text('City.'),
    addressRegion: text('State or province.'),
    postalCode: text('Postal code.'),
    addressCountry: text('Country.'),
  }),
  '@type': oneOf('Kind of object.', ['PostalAddress']),
});

const coordinates = object('Where it lies.', {
  '@type': oneOf('Kind of object.', ['GeoCoordinates']),
  latitude: decimal('Latitude in degrees.'),
  longitude: decimal('Longitude in degrees.'),
});

export const venueJsonLd = object('The venue in the words of schema.org.', {
  '@type': oneOf('Kind of object.', ['Place']),
  ...about,
  ...picture,
  url: text('Always empty.'),
  address: postalAddress,
  ...optional({ geo: coordinates }),
  telephone: text('Telephone number.'),
  sameAs: text('Web site.'),
});

export const organizerJsonLd = object('The organizer in the words of schema.org.', {
  '@type': oneOf('Kind of object.', ['Person']),
  ...about,
  ...picture,
  url: text('Web site.'),
  telephone: text('Telephone number.'),
  email: text('E-mail address.'),
  sameAs: text('Web site.'),
});
