// schema.org objects (https://schema.org/Event, /Place, /Person) that single reads carry.
import type { CalendarEvent } from '../domain/calendar-event.ts';
import { costValues } from '../domain/cost.ts';
import type { Organizer } from '../domain/organizer.ts';
import { offsetOf } from '../domain/schedule.ts';
import type { Venue } from '../domain/venue.ts';
import { decodeEntities, stripTags } from '../text/plain-text.ts';
import type { EpochSeconds, WallClock } from '../time/zone.ts';
import { imageAddress, postUrl, presentMembers, utc } from './post-fragment.ts';
import { SLOT } from './slots.ts';

const DESCRIPTION_LENGTH = 300;

export function eventJsonLd(event: CalendarEvent): string {
  const { schedule } = event;
  const withOffset = (at: WallClock, instant: EpochSeconds): string =>
    `${at.replace(' ', 'T')}${offsetText(offsetOf(at, instant))}`;
  return (
    `{"@context":"http://schema.org","@type":"Event","name":${JSON.stringify(plain(event.title))},` +
    `"description":${JSON.stringify(shortPlain(event.excerpt || event.description))},` +
    `${presentMembers([['image', event.image ? imageAddress(event.image) : '']])}"url":"${postUrl('event', event)}",` +
    '"eventAttendanceMode":"https://schema.org/OfflineEventAttendanceMode",' +
    '"eventStatus":"https://schema.org/EventScheduled",' +
    `"startDate":"${withOffset(schedule.start, schedule.startsAt)}","endDate":"${withOffset(schedule.end, schedule.endsAt)}",` +
    `${SLOT.location}${SLOT.organizerLd}${offers(event)}"performer":"Organization"}`
  );
}

function offers(event: CalendarEvent): string {
  if (!event.cost) return '';
  const values = costValues(event.cost);
  const numbers = values.map(Number).filter(Number.isFinite);
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const price = numbers.length === 0 ? '0' : lowest === highest ? String(lowest) : `${lowest} – ${highest}`;
  return (
    `"offers":{"@type":"Offer","price":${JSON.stringify(price)},"priceCurrency":"USD","url":"${postUrl('event', event)}",` +
    `"category":"primary","availability":"inStock","validFrom":"${utc(event.date).replace(' ', 'T')}+00:00"},`
  );
}

export function venueJsonLd(venue: Venue): string {
  const address = presentMembers([
    ['streetAddress', venue.address],
    ['addressLocality', venue.city],
    ['addressRegion', venue.stateprovince],
    ['postalCode', venue.zip],
    ['addressCountry', venue.country],
  ]);
  return (
    `{"@type":"Place","name":${JSON.stringify(plain(venue.name))},"description":${JSON.stringify(shortPlain(venue.description))},` +
    `${presentMembers([['image', venue.image ? imageAddress(venue.image) : '']])}"url":"",` +
    `"address":{${address}"@type":"PostalAddress"},` +
    `${venue.coordinates ? `"geo":{"@type":"GeoCoordinates","latitude":${venue.coordinates.lat},"longitude":${venue.coordinates.lng}},` : ''}` +
    `"telephone":${JSON.stringify(venue.phone)},"sameAs":${JSON.stringify(venue.website)}}`
  );
}

export function organizerJsonLd(organizer: Organizer): string {
  return (
    `{"@type":"Person","name":${JSON.stringify(plain(organizer.name))},` +
    `"description":${JSON.stringify(shortPlain(organizer.description))},` +
    `${presentMembers([['image', organizer.image ? imageAddress(organizer.image) : '']])}"url":${JSON.stringify(organizer.website)},` +
    `"telephone":${JSON.stringify(organizer.phone)},"email":${JSON.stringify(organizer.email)},` +
    `"sameAs":${JSON.stringify(organizer.website)}}`
  );
}

/** `+05:30` */
function offsetText(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const plain = (text: string): string => decodeEntities(stripTags(text)).trim();

/** Blanks other than single spaces. Asked before they are replaced, like the next: most texts have none. */
const ODD_BLANKS = /[^\S ]| {2}/;
const MARKUP_SIGNS = /[&<>"]/;

/** Plain text short enough for a search result, escaped for HTML. */
function shortPlain(text: string): string {
  if (text === '') return '';
  const unfolded = plain(text);
  const words = ODD_BLANKS.test(unfolded) ? unfolded.replace(/\s+/g, ' ') : unfolded;
  const short = words.length > DESCRIPTION_LENGTH ? `${words.slice(0, DESCRIPTION_LENGTH).trimEnd()}…` : words;
  if (!MARKUP_SIGNS.test(short)) return short;
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
