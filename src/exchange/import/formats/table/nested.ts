// Records of JSON with members of members, as Google, Microsoft, Eventbrite, Localist, Luma, Meetup, Facebook, Ticketmaster, Indico, pretix,
// OpenAgenda and schema.org write events: as rows of a table. What says that an event is not public, does not take place or is a draft keeps its name, which tables know.
import { type ForeignRecord, isObject } from '../../fields.ts';
import { isWithheld, publicationNamed } from '../../publication.ts';
import { ALONE } from '../daybook/records.ts';
import { cell, FALSE, richTextIn } from './cells.ts';
import { isOfFullCalendar, repeatedIn } from './full-calendar.ts';
import { type Field, fieldsNamed, isOfPublication } from './headings.ts';
import type { Row } from './rows.ts';

/** Where each field may stand: the first path with a value counts, of `a&b` both. Of lists each element is looked at. */
const PATHS: { readonly [Name in Field]?: string } = {
  title: 'name.text subject title name summary displayName',
  start:
    'start.dateTime start.date start.local start.localDate startDate.dateTime startDate.date startDate start_at begin_at starting_at dateTime datetime_local start.utc start.datetime event_instances.event_instance.start start_date start_time start begin local_date scheduling.config.startDate dateAndTimeSettings.startDate value',
  start_time: 'local_time',
  end: 'end.dateTime end.date end.local end.localDate endDate.dateTime endDate.date endDate end_at endTime end.utc end.datetime event_instances.event_instance.end end_date end_time end scheduling.config.endDate dateAndTimeSettings.endDate end_value',
  timezone:
    'start.timeZone start.timezone startDate.timeZone startDate.tz timeZone timezone time_zone tz scheduling.config.timeZoneId dateAndTimeSettings.timeZoneId',
  all_day: 'start.date isAllDay event_instances.event_instance.all_day allDay all_day allday',
  venue:
    'location.displayName location_name geo_address_json.full_address geo_address_json.address geo_address_info.full_address venue place _embedded.venues roomFullname location locations eventLocation.venueName location.address.streetAddress location.address.addressLocality',
  organizer:
    'organizer.emailAddress.name organizer.displayName organizer group.name promoter.name host.name originAgenda creator.fullName',
  description: 'body.content description.html longDescription description content info',
  url: 'localist_url eventUrl url link public_url canonicalUrl',
  cost: 'offers.price offers.priceSpecification.price offers.lowPrice&offers.highPrice ticket_cost ticket_availability.minimum_ticket_price.major_value&ticket_availability.maximum_ticket_price.major_value priceRanges.min&priceRanges.max',
  currency:
    'offers.priceCurrency offers.priceSpecification.priceCurrency ticket_availability.minimum_ticket_price.currency priceRanges.currency currency',
  registration_url: 'ticket_url ticket_uri potentialAction.target.urlTemplate potentialAction.target offers.url',
  age_range: 'typicalAgeRange',
  languages: 'inLanguage.alternateName inLanguage',
  image: 'logo.original.url logo.url photo_url cover_url cover.source image.url image.contentUrl image images.url',
  category: 'filters.event_types.name about.name classifications.segment category categories',
  tags: 'keywords.name keywords tags',
  event_status: 'event_status eventStatus status.code',
  lat: 'geo_latitude geo_lat',
  lng: 'geo_longitude geo_lon',
  uid: 'uid id api_id',
};

/** What a place is called, and what its parts are called there. */
const PLACES = 'location.address location.location location place.location place venue.address venue.location venue'
  .concat(' _embedded.venues.address _embedded.venues.location _embedded.venues geo eventLocation')
  .split(' ');
const PARTS: { readonly [Name in Field]?: string } = {
  address: 'streetAddress street address_1 line1 address',
  city: 'addressLocality city town',
  province: 'addressRegion state region',
  zip: 'postalCode postal_code zip postcode',
  country: 'addressCountry countryOrRegion country countryCode',
  lat: 'geo.latitude coordinates.latitude latitude lat',
  lng: 'geo.longitude coordinates.longitude longitude lng lon',
};
/** Where to attend online: a part of the place. */
const MEETINGS = pathsIn('onlineMeeting.joinUrl hangoutLink stream_url meeting_url');
const PATHS_OF_FIELDS = [
  ...Object.entries(PATHS),
  ...Object.entries(PARTS).map(([field, names]) => [
    field,
    PLACES.flatMap((place) => names.split(' ').map((name) => `${place}.${name}`)).join(' '),
  ]),
].map(([field = '', paths = '']) => [field, pathsIn(paths)] as const);

/** The member that a path begins with, and the whole of each of those that count together. */
interface Path {
  readonly root: string;
  readonly members: readonly (readonly string[])[];
}

function pathsIn(paths: string): readonly Path[] {
  return paths.split(' ').map((path) => {
    const members = path.split('&').map((one) => one.split('.'));
    return { root: members[0]?.[0] ?? '', members };
  });
}

/** Addresses for those who sign in, and kinds of records that are no categories. */
const NOT_READ = ['webLink', 'htmlLink', 'eventType'];
/** What says which kind of record it is, and not what kind of event. */
const OF_RECORD = /event|feature|single|occurrence|exception|series|public/i;
/** An end that is the day behind the last one. */
const ENDS_BEHIND = pathsIn('end.date end.dateTime');
const STATES = ['', 'scheduled', 'rescheduled', 'movedonline', 'postponed', 'full', 'canceled'];
const REPEATS = ['recurrence', 'eventSchedule', 'daysOfWeek', 'rrule'];

const REPEATING =
  'it repeats, and its dates are not in the list: ask for them (`singleEvents=true` of Google Calendar, `calendarView` of Microsoft Graph), or take the iCalendar address of that calendar';

const SEPARATORS: Readonly<Record<string, string>> = { cost: '/', languages: ',' };
/** Of several pictures and links the first counts. */
const isAddress = (field: string): boolean => ['image', 'url', 'registration_url'].includes(field);

/** Whether a record has members of members, or those of FullCalendar; another flat one is a row as it is. */
export const isNestedRecord = (record: ForeignRecord): boolean =>
  '@type' in record || isOfFullCalendar(record) || Object.values(record).some(isNested);

export function rowOfNested(source: ForeignRecord): Row {
  const record = isObject(source.extendedProps) ? { ...source.extendedProps, ...source } : source;
  const usedNames = new Set([...NOT_READ, ...(OF_RECORD.test(cell(record.type)) ? ['type'] : [])]);
  // Other members say more exactly when it is, or that it is published.
  if ('local_time' in record) usedNames.add('time');
  if (record.status === true) usedNames.add('status');
  const values: { [name: string]: unknown } = {};
  const at = (paths: readonly Path[], separator = '|', most = Number.POSITIVE_INFINITY): string => {
    for (const { root, members } of paths) {
      if (!(root in record)) continue;
      const texts = new Set(members.flatMap((path) => textsAt(record, path)));
      if (texts.size === 0) continue;
      usedNames.add(root);
      return [...texts].slice(0, most).join(separator);
    }
    return '';
  };
  for (const [field, paths] of PATHS_OF_FIELDS)
    values[field] ||= at(paths, SEPARATORS[field] ?? '|', isAddress(field) ? 1 : undefined);
  values.venue = String(values.venue).replace(/\s*[\r\n]+\s*/g, ', ');
  const meeting = at(MEETINGS);
  if (meeting !== '') values.venue = [values.venue, meeting].filter(Boolean).join('; ');
  values.description = richTextIn(String(values.description)) ?? values.description;
  // Where to buy it is where it is told.
  if (values.registration_url === values.url) values.registration_url = '';
  if (values.timezone === 'UTC') {
    values.timezone = '';
    for (const name of ['start', 'end']) values[name] = `${values[name]}Z`.replace(/^Z|(?<=Z|[+-]\d\d:?\d\d)Z$/, '');
  }
  if (!FALSE.test(String(values.all_day))) {
    values.all_day = 'true';
    for (const name of ['start', 'end']) values[name] = String(values[name]).slice(0, 'YYYY-MM-DD'.length);
    if (at(ENDS_BEHIND) !== '' || isOfFullCalendar(record)) values.end_time = '00:00';
  }
  // OpenAgenda counts them.
  const status = 'firstTiming' in record ? STATES[Number(record.status)] : undefined;
  if (status !== undefined) values.status = status;
  if (isWithdrawn(record)) values.private = 'true';
  const repeated = repeatedIn(record);
  if (repeated) Object.assign(values, repeated);
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const isNarrow = Object.keys(record).length < MAX_NAMES;
  const rest = Object.entries(record).flatMap(([name, value]) => {
    if (value === undefined || /^@/.test(name) || name in filled || usedNames.has(name)) return [];
    if (!isNested(value)) return [[name, value]];
    // One that tables know has its text, such as `Kategorie: { name }`; of what keeps it from the public each text counts.
    if (!isNarrow) return [];
    const text = cell(value) || (isOfPublication(name) ? wordOf(value) : '');
    return text !== '' && fieldsNamed(name).length > 0 ? [[name, text]] : [];
  });
  const row = {
    ...{ values: { ...filled, ...Object.fromEntries(rest) }, line: null },
    ...('@type' in record && { rest: restOf(record), notes: lackingIn(record) }),
  };
  if (/background/.test(`${record.display} ${record.rendering}`))
    return { ...row, problem: 'it is a background of its calendar, and no event' };
  if (repeated) return row;
  return REPEATS.some(
    (name) => isNested(record[name]) || Array.isArray(record[name]) || /DTSTART/.test(cell(record[name])),
  )
    ? { ...row, problem: REPEATING }
    : row;
}

/** Says by a member that tables do not know that it is not public. */
const isWithdrawn = ({ live, active, type }: ForeignRecord): boolean =>
  [live, active].some((one) => cell(one) !== '' && FALSE.test(cell(one))) ||
  isWithheld(publicationNamed(cell(type))?.status);

/** The first text of an object that is no number. */
function wordOf(value: unknown): string {
  const texts = isObject(value) || Array.isArray(value) ? Object.values(value).map(wordOf) : [cell(value)];
  return texts.find((text) => /\D/.test(text)) ?? texts.find((text) => text !== '') ?? '';
}

/** What places and organizers say of themselves in the words of schema.org, and what that is in those of the API. */
const DETAILS: Readonly<Record<string, string>> = {
  ...{ telephone: 'phone', email: 'email', url: 'website', sameAs: 'website', 'address.streetAddress': 'address' },
  ...{ 'address.addressLocality': 'city', 'address.addressRegion': 'stateprovince', 'address.postalCode': 'zip' },
  'address.addressCountry': 'country',
};

const restOf = ({ location, organizer }: ForeignRecord): ForeignRecord => ({
  venue: [location].flat().map((one) => detailsOf('venue', one)),
  organizer: [organizer].flat().map((one) => detailsOf('organizer', one)),
});

const detailsOf = (kind: string, one: unknown): ForeignRecord => ({
  ...(isObject(one) && isObject(one.geo) && { coordinates: { lat: one.geo.latitude, lng: one.geo.longitude } }),
  ...Object.fromEntries(
    Object.entries(DETAILS).flatMap(([path, name]) => {
      const [text] = textsAt(one, path.split('.'));
      return text === undefined ? [] : [[name, text]];
    }),
  ),
  [kind]: cell(one),
});

const lackingIn = ({ superEvent, description }: ForeignRecord): readonly string[] => [
  ...(/EventSeries$/.test(textsAt(superEvent, ['@type']).join(' ')) ? [ALONE] : []),
  ...(/…$/.test(cell(description)) ? [CUT] : []),
];

const CUT = 'taken with the beginning of its description: it does not tell the rest';

const isNested = (value: unknown): boolean => (Array.isArray(value) ? value.some(isNested) : isObject(value));

/** What names stand for takes some time. */
const MAX_NAMES = 1_000;

/** So many parts of a list are looked at: a place with many addresses has as many again. */
const MAX_PARTS = 50;

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value))
    return name === undefined
      ? value.flatMap((one) => textsAt(one, []))
      : value.slice(0, MAX_PARTS).flatMap((one) => textsAt(one, [name, ...rest]));
  if (name !== undefined) return isObject(value) ? textsAt(value[name], rest) : [];
  const text = cell(value);
  return text === '' ? [] : [text];
}
