// schema.org objects (https://schema.org/Event, /Place, /Person) in single reads.
import type { CalendarEvent } from '../calendar/event/domain/calendar-event.ts';
import { type PriceRange, priceRanges } from '../calendar/event/domain/cost.ts';
import { currencyOf } from '../calendar/event/domain/currency.ts';
import { type EventStatus, eventStatusOf, previousStarts } from '../calendar/event/domain/event-status.ts';
import { isOnline } from '../calendar/event/domain/online.ts';
import { offsetOf } from '../calendar/event/domain/schedule.ts';
import type { Organizer } from '../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../calendar/linked-post/domain/venue.ts';
import { decodeEntities, stripTags } from '../kernel/text/plain-text.ts';
import type { EpochSeconds, WallClock } from '../kernel/time/zone.ts';
import { imageAddress, postUrl, presentMembers, utc } from './post-fragment.ts';
import { currencyCode, fragmentOf, slot } from './slots.ts';

const DESCRIPTION_LENGTH = 300;

export function eventJsonLd(event: CalendarEvent): string {
  const { schedule } = event;
  /** Whole days have no time of day: readers would show one. */
  const written = (at: WallClock, instant: EpochSeconds): string =>
    schedule.allDay ? at.slice(0, 10) : `${at.replace(' ', 'T')}${offsetText(offsetOf(at, instant))}`;
  return fragmentOf({
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: plain(event.title),
    ...presentMembers({ description: shortPlain(event.excerpt || event.description) }),
    ...image(event),
    url: postUrl('event', event),
    eventAttendanceMode: `https://schema.org/${attendanceMode(event)}EventAttendanceMode`,
    eventStatus: `https://schema.org/${statusType(event)}`,
    ...previousDates(event, written),
    location: isOnline(event) ? [virtualLocation(event), slot('commaThenPlace')] : slot('location'),
    organizer: slot('organizerLd'),
    ...offers(event),
    ...audience(event),
    startDate: written(schedule.start, schedule.startsAt),
    endDate: written(schedule.end, schedule.endsAt),
  });
}

/** `languages` and `ageRange` are stored as schema.org has them. */
const audience = ({ ageRange, languages, registrationUrl }: CalendarEvent) => ({
  ...presentMembers({ typicalAgeRange: ageRange }),
  ...(languages !== '' && { inLanguage: languages.split(', ') }),
  ...(registrationUrl !== '' && { potentialAction: { '@type': 'RegisterAction', target: registrationUrl } }),
});

const attendanceMode = (event: CalendarEvent): string => {
  if (!isOnline(event)) return 'Offline';
  return event.venues.length > 0 ? 'Mixed' : 'Online';
};

const virtualLocation = (event: CalendarEvent) => ({
  '@type': 'VirtualLocation',
  url: event.online?.virtualUrl ?? postUrl('event', event),
});

const STATUS_TYPES: { readonly [Status in EventStatus]: string } = {
  scheduled: 'EventScheduled',
  canceled: 'EventCancelled',
  postponed: 'EventPostponed',
};

function statusType(event: CalendarEvent): string {
  const status = eventStatusOf(event);
  if (status === 'scheduled' && event.online?.moved) return 'EventMovedOnline';
  return status === 'scheduled' && previousStarts(event).length > 0 ? 'EventRescheduled' : STATUS_TYPES[status];
}

/** schema.org lets it repeat: all of them, the first one first. */
function previousDates(event: CalendarEvent, written: (at: WallClock, instant: EpochSeconds) => string) {
  const dates = previousStarts(event).map(({ start, startsAt }) => written(start, startsAt));
  return dates.length === 0 ? {} : { previousStartDate: dates };
}

/** What its numbers are worth is said where the mark is that of a currency. */
function offers(event: CalendarEvent) {
  const ranges = priceRanges(event.cost).filter(({ mark }) => currencyOf(mark, null) !== null);
  const [first, ...others] = ranges.map((range) => ({
    ...priceMembers(range),
    priceCurrency: currencyCode(range.mark),
    url: postUrl('event', event),
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: `${utc(event.date).replace(' ', 'T')}+00:00`,
  }));
  return first === undefined ? {} : { offers: others.length === 0 ? first : [first, ...others] };
}

const priceMembers = ({ lowest, highest }: PriceRange) =>
  lowest === highest
    ? { '@type': 'Offer', price: lowest }
    : {
        '@type': 'AggregateOffer',
        ...(lowest !== null && { lowPrice: lowest }),
        ...(highest !== null && { highPrice: highest }),
      };

export function venueJsonLd(venue: Venue): string {
  const address = presentMembers({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateprovince,
    postalCode: venue.zip,
    addressCountry: venue.country,
  });
  return fragmentOf({
    '@type': 'Place',
    name: plain(venue.name),
    ...presentMembers({ description: shortPlain(venue.description) }),
    ...image(venue),
    ...(Object.keys(address).length > 0 && { address: { ...address, '@type': 'PostalAddress' } }),
    ...(venue.coordinates && {
      geo: { '@type': 'GeoCoordinates', latitude: venue.coordinates.lat, longitude: venue.coordinates.lng },
    }),
    ...presentMembers({ telephone: venue.phone, sameAs: venue.website }),
  });
}

export const organizerJsonLd = (organizer: Organizer): string =>
  fragmentOf({
    '@type': 'Person',
    name: plain(organizer.name),
    ...presentMembers({ description: shortPlain(organizer.description) }),
    ...image(organizer),
    ...presentMembers({
      url: organizer.website,
      telephone: organizer.phone,
      email: organizer.email,
      sameAs: organizer.website,
    }),
  });

const image = ({ image: picture }: Pick<CalendarEvent, 'image'>) =>
  presentMembers({ image: picture ? imageAddress(picture) : '' });

/** `+05:30` */
function offsetText(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const plain = (text: string): string => onOneLine(decoded(stripTags(text))).trim();

const decoded = (text: string): string => decodeEntities(text).trim();

/** Blanks other than single spaces. Tested before replacing: most texts have none. */
const ODD_BLANKS = /[^\S ]| {2}/;

const onOneLine = (text: string): string => (ODD_BLANKS.test(text) ? text.replace(/\s+/g, ' ') : text);

/** Tags between which words are apart, although no blank stands between them. */
const BREAKS =
  /<\/?(?:address|article|aside|blockquote|br|caption|d[dlt]|div|figcaption|figure|footer|h[1-6r]|header|li|main|nav|ol|option|p|pre|section|table|t[bdhr]|tbody|tfoot|thead|ul)\b/gi;

const apart = (html: string): string => (html.includes('<') ? html.replace(BREAKS, ' $&') : html);

/** Characters that normally contain more than what is shown. */
const BEGINNING = 1_000;
/** Characters of HTML that are looked at: nothing is shown of what comes behind so much markup. */
const MARKUP = 16 * BEGINNING;
/** No entity is longer: what is cut in the middle of one differs by no more than that. */
const MAX_ENTITY = 12;

/** The words of a text; of a long one at least as many as are shown. */
function wordsOf(html: string): string {
  const cut = html.length > MARKUP ? html.lastIndexOf('<', MARKUP) : html.length;
  const some = apart(html.slice(0, cut > 0 ? cut : MARKUP));
  const text = stripTags(some, BEGINNING + 1);
  const beginning = onOneLine(decoded(text.slice(0, BEGINNING)));
  const isEnough = text.length <= BEGINNING || beginning.length > DESCRIPTION_LENGTH + MAX_ENTITY;
  return isEnough ? beginning : onOneLine(decoded(stripTags(some)));
}

/** Plain text short enough for a search result. */
function shortPlain(text: string): string {
  if (text === '') return '';
  const words = wordsOf(text);
  return words.length > DESCRIPTION_LENGTH ? `${words.slice(0, DESCRIPTION_LENGTH).trimEnd()}…` : words;
}
