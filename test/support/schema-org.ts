// Checks JSON-LD of events: the types and members that schema.org has, and what search engines want of them
// (developers.google.com, structured data of events).

type Json = { readonly [member: string]: unknown };

/** A day, or an instant with its offset. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:[+-]\d\d:\d\d|Z))?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)$/;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

type Check = (value: unknown) => string | null;

const text: Check = (value) => {
  if (typeof value !== 'string' || value.trim() === '') return 'must be a text that is not empty';
  return /<\/?[a-z][^>]*>|&(?:amp|lt|gt|quot|nbsp|#\d+);/i.test(value) ? 'must be a text without markup' : null;
};
const address: Check = (value) =>
  typeof value === 'string' && URL.canParse(value) ? null : 'must be an absolute address';
const date: Check = (value) =>
  typeof value === 'string' && DATE.test(value) ? null : 'must be a day, or a time with an offset';
const instant: Check = (value) =>
  typeof value === 'string' && INSTANT.test(value) ? null : 'must be a time with an offset';
const amount: Check = (value) => (typeof value === 'number' && value >= 0 ? null : 'must be a number from 0');
const number: Check = (value) => (typeof value === 'number' ? null : 'must be a number');
const currency: Check = (value) =>
  typeof value === 'string' && CURRENCIES.has(value) ? null : 'must be a code of ISO 4217';
const memberOf =
  (...names: readonly string[]): Check =>
  (value) =>
    names.some((name) => value === `https://schema.org/${name}`) ? null : `must be one of ${names.join(', ')}`;

type Shape = { readonly [member: string]: Check | readonly string[] };

const THING = { '@type': text, name: text, description: text, image: address, url: address, sameAs: address };
const OFFER = {
  ...{ '@type': text, priceCurrency: currency, url: address, category: text, validFrom: instant },
  availability: memberOf('InStock', 'SoldOut', 'PreOrder'),
};

/** The members of each type; a list names the types of an object. */
const SHAPES: { readonly [type: string]: Shape } = {
  Event: {
    ...THING,
    '@context': (value) => (/^https?:\/\/schema\.org\/?$/.test(String(value)) ? null : 'must be schema.org'),
    startDate: date,
    endDate: date,
    previousStartDate: date,
    eventStatus: memberOf('EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled', 'EventMovedOnline'),
    eventAttendanceMode: memberOf(
      ...['OfflineEventAttendanceMode', 'OnlineEventAttendanceMode', 'MixedEventAttendanceMode'],
    ),
    location: ['Place', 'VirtualLocation'],
    organizer: ['Organization', 'Person'],
    performer: ['PerformingGroup', 'Person', 'Organization'],
    offers: ['Offer', 'AggregateOffer'],
    eventSchedule: ['Schedule'],
    about: ['DefinedTerm'],
    keywords: (value) => [value].flat().map(text).find(Boolean) ?? null,
    superEvent: ['EventSeries'],
  },
  Schedule: { '@type': text, scheduleTimezone: text },
  DefinedTerm: THING,
  EventSeries: THING,
  Offer: { ...OFFER, price: amount },
  AggregateOffer: { ...OFFER, lowPrice: amount, highPrice: amount },
  Place: { ...THING, address: ['PostalAddress'], geo: ['GeoCoordinates'], telephone: text },
  VirtualLocation: { '@type': text, url: address },
  Organization: { ...THING, telephone: text, email: text },
  Person: { ...THING, telephone: text, email: text },
  PostalAddress: {
    ...{ '@type': text, streetAddress: text, addressLocality: text, addressRegion: text },
    ...{ postalCode: text, addressCountry: text },
  },
  GeoCoordinates: { '@type': text, latitude: number, longitude: number },
};

const REQUIRED: { readonly [type: string]: readonly string[] } = {
  Event: ['@context', 'name', 'startDate', 'endDate', 'eventStatus', 'eventAttendanceMode', 'url'],
  Offer: ['price', 'priceCurrency', 'url', 'availability', 'validFrom'],
  // Of `from $5` the highest is not known, of `up to $5` the lowest.
  AggregateOffer: ['priceCurrency', 'url'],
  Place: ['name'],
  VirtualLocation: ['url'],
  Organization: ['name'],
  Person: ['name'],
  GeoCoordinates: ['latitude', 'longitude'],
};

/** What is wrong with an object, each with the path to it; an empty list: nothing. */
export function schemaProblems(value: unknown, types: readonly string[] = ['Event'], path = '$'): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} must be an object`];
  const object = value as Json;
  const type = String(object['@type']);
  const shape = SHAPES[type];
  if (!shape || !types.includes(type)) return [`${path} must be of type ${types.join(' or ')}, not ${type}`];
  if (Object.keys(object).length === 1) return [`${path} is empty`];
  const missing = (REQUIRED[type] ?? []).filter((member) => object[member] === undefined);
  return [
    ...missing.map((member) => `${path}.${member} is missing`),
    ...Object.entries(object).flatMap(([member, content]) =>
      memberProblems(content, shape[member], `${path}.${member}`),
    ),
  ];
}

function memberProblems(content: unknown, wanted: Shape[string] | undefined, path: string): readonly string[] {
  if (wanted === undefined) return [`${path} is no member of its type`];
  if (Array.isArray(content) && content.length === 0) return [`${path} is empty`];
  return [content].flat().flatMap((one) => {
    if (typeof wanted !== 'function') return schemaProblems(one, wanted, path);
    const problem = wanted(one);
    return problem === null ? [] : [`${path} ${problem}`];
  });
}
