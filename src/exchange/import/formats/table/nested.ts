// Records of JSON with members of members, as Google, Microsoft, Eventbrite, Localist, Luma, Meetup and schema.org write events: as rows of
// a table. What says that an event is not public, does not take place or is a draft keeps its name, which tables know.
import { type Given, isObject } from '../../fields.ts';
import { ALONE } from '../daybook/records.ts';
import { cell, richTextIn } from './cells.ts';
import { isOfFullCalendar, repeatedIn } from './full-calendar.ts';
import type { Field } from './headings.ts';
import type { Row } from './rows.ts';

/** Where each field may stand: the first path with a value counts, of `a&b` both. Of lists each element is looked at. */
const PATHS: { readonly [Name in Field]?: string } = {
  title: 'name.text subject summary title name',
  start:
    'start.dateTime start.date start.local startDate start_at dateTime event_instances.event_instance.start start_date start',
  end: 'end.dateTime end.date end.local endDate end_at endTime event_instances.event_instance.end end_date end',
  timezone: 'start.timeZone start.timezone timeZone timezone',
  all_day: 'start.date isAllDay event_instances.event_instance.all_day allDay',
  venue:
    'location.displayName location_name geo_address_json.full_address geo_address_json.address venue location location.address.streetAddress location.address.addressLocality',
  address:
    'location.address.streetAddress location.address.street venue.address.address_1 venue.address_1 venue.address geo.street location.address',
  city: 'location.address.addressLocality location.address.city venue.address.city venue.city geo.city',
  province: 'location.address.addressRegion location.address.state venue.address.region venue.state geo.state',
  zip: 'location.address.postalCode venue.address.postal_code venue.postalCode geo.zip',
  country:
    'location.address.addressCountry location.address.countryOrRegion venue.address.country venue.country geo.country',
  lat: 'location.geo.latitude location.coordinates.latitude venue.latitude venue.lat geo.latitude geo_latitude',
  lng: 'location.geo.longitude location.coordinates.longitude venue.longitude venue.lng venue.lon geo.longitude geo_longitude',
  organizer: 'organizer.emailAddress.name organizer.displayName organizer group.name',
  description: 'body.content description.html description',
  url: 'localist_url eventUrl url link',
  cost: 'offers.price offers.priceSpecification.price offers.lowPrice&offers.highPrice ticket_cost ticket_availability.minimum_ticket_price.major_value&ticket_availability.maximum_ticket_price.major_value',
  currency:
    'offers.priceCurrency offers.priceSpecification.priceCurrency ticket_availability.minimum_ticket_price.currency currency',
  registration_url: 'ticket_url potentialAction.target.urlTemplate potentialAction.target offers.url',
  age_range: 'typicalAgeRange',
  languages: 'inLanguage.alternateName inLanguage',
  image: 'logo.original.url logo.url photo_url cover_url image.url image.contentUrl image',
  category: 'filters.event_types.name about.name categories',
  tags: 'keywords.name keywords',
  uid: 'uid id api_id',
};
/** Where to attend online: a part of the place. */
const MEETINGS = pathsIn('onlineMeeting.joinUrl hangoutLink stream_url meeting_url');
const PATHS_OF_FIELDS = Object.entries(PATHS).map(([field, paths]) => [field, pathsIn(paths)] as const);

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
/** An end that is the day behind the last one. */
const ENDS_BEHIND = pathsIn('end.date end.dateTime');
const REPEATS = ['recurrence', 'eventSchedule', 'daysOfWeek', 'rrule'];

const REPEATING =
  'it repeats, and its dates are not in the list: ask for them (`singleEvents=true` of Google Calendar, `calendarView` of Microsoft Graph), or take the iCalendar address of that calendar';

const SEPARATORS: Readonly<Record<string, string>> = { cost: '/', languages: ',' };
/** Of several pictures and links the first counts. */
const isAddress = (field: string): boolean => ['image', 'url', 'registration_url'].includes(field);

/** Whether a record has members of members, or those of FullCalendar; another flat one is a row as it is. */
export const isNestedRecord = (record: Given): boolean =>
  '@type' in record || isOfFullCalendar(record) || Object.values(record).some(isNested);

export function rowOfNested(said: Given): Row {
  const record = isObject(said.extendedProps) ? { ...said.extendedProps, ...said } : said;
  const used = new Set([...NOT_READ, ...('iCalUId' in record ? ['type'] : [])]);
  const values: { [name: string]: unknown } = {};
  const at = (paths: readonly Path[], separator = '|', most = Number.POSITIVE_INFINITY): string => {
    for (const { root, members } of paths) {
      if (!(root in record)) continue;
      const texts = new Set(members.flatMap((path) => textsAt(record, path)));
      if (texts.size === 0) continue;
      used.add(root);
      return [...texts].slice(0, most).join(separator);
    }
    return '';
  };
  for (const [field, paths] of PATHS_OF_FIELDS)
    values[field] = at(paths, SEPARATORS[field] ?? '|', isAddress(field) ? 1 : undefined);
  const meeting = at(MEETINGS);
  if (meeting !== '') values.venue = [values.venue, meeting].filter(Boolean).join('; ');
  values.description = richTextIn(String(values.description)) ?? values.description;
  // Where to buy it is where it is told.
  if (values.registration_url === values.url) values.registration_url = '';
  if (values.timezone === 'UTC') {
    values.timezone = '';
    for (const name of ['start', 'end']) values[name] = `${values[name]}Z`.replace(/^Z|(?<=Z)Z$/, '');
  }
  if (values.all_day !== '' && values.all_day !== 'false') {
    values.all_day = 'true';
    for (const name of ['start', 'end']) values[name] = String(values[name]).slice(0, 'YYYY-MM-DD'.length);
    if (at(ENDS_BEHIND) !== '' || isOfFullCalendar(record)) values.end_time = '00:00';
  }
  const repeated = repeatedIn(record);
  if (repeated) Object.assign(values, repeated);
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const rest = Object.entries(record).filter(
    ([name, value]) =>
      value !== undefined && !/^@/.test(name) && !(name in filled) && !used.has(name) && !isNested(value),
  );
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

/** What places and organizers say of themselves in the words of schema.org, and what that is in those of the API. */
const DETAILS: Readonly<Record<string, string>> = {
  ...{ telephone: 'phone', email: 'email', url: 'website', sameAs: 'website', 'address.streetAddress': 'address' },
  ...{ 'address.addressLocality': 'city', 'address.addressRegion': 'stateprovince', 'address.postalCode': 'zip' },
  'address.addressCountry': 'country',
};

const restOf = ({ location, organizer }: Given): Given => ({
  venue: [location].flat().map((one) => detailsOf('venue', one)),
  organizer: [organizer].flat().map((one) => detailsOf('organizer', one)),
});

const detailsOf = (kind: string, one: unknown): Given => ({
  ...Object.fromEntries(
    Object.entries(DETAILS).flatMap(([path, name]) => {
      const [text] = textsAt(one, path.split('.'));
      return text === undefined ? [] : [[name, text]];
    }),
  ),
  [kind]: cell(one),
});

const lackingIn = ({ superEvent, description }: Given): readonly string[] => [
  ...(/EventSeries$/.test(textsAt(superEvent, ['@type']).join(' ')) ? [ALONE] : []),
  ...(/…$/.test(cell(description)) ? [CUT] : []),
];

const CUT = 'taken with the beginning of its description: it does not tell the rest';

const isNested = (value: unknown): boolean => (Array.isArray(value) ? value.some(isNested) : isObject(value));

/** Of a list: those of a place with many addresses are as many again. */
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
