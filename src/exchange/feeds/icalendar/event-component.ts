// VEVENT: one calendar event.

import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import { foldLetters } from '../../../kernel/text/ascii-folding.ts';
import { lineOfHtml, shortHtml, textOfHtml } from '../../../kernel/text/html-text.ts';
import { resolveZone } from '../../../kernel/time/zone.ts';
import type { FeedEvent, FeedImage, FeedOrganizer, FeedVenue } from '../feed-event.ts';
import { type Presentation, presentedTitle } from '../presentation.ts';
import { contentLine, textValue, uriValue } from './content-lines.ts';
import { dateOf, isUnambiguous, isWrittenAsUtc, localDateTime, nextDate, utcDateTime } from './date-times.ts';
import { uidOf } from './uid.ts';

/** `described`: the zones that the calendar describes, by name; times of others are written as UTC. */
export interface EventSurroundings {
  readonly host: string;
  readonly described: ReadonlySet<string>;
  readonly presentation: Presentation;
}

export const eventComponent = (event: FeedEvent, surroundings: EventSurroundings): string =>
  component(event, uidOf(event, surroundings.host), timesOf(event, surroundings.described), surroundings);

/** A component with this UID; `times`: the lines that say when it is. */
export function component(
  event: FeedEvent,
  uid: string,
  times: string,
  { presentation }: Pick<EventSurroundings, 'presentation'>,
): string {
  const modified = utcDateTime(event.modified);
  return (
    contentLine('BEGIN', 'VEVENT') +
    contentLine('UID', textValue(uid)) +
    // Both are the time of this content: a published calendar has no other.
    contentLine('DTSTAMP', modified) +
    contentLine('CREATED', utcDateTime(event.created)) +
    contentLine('LAST-MODIFIED', modified) +
    contentLine('SEQUENCE', String(event.revision)) +
    times +
    contentLine('SUMMARY', textValue(lineOfHtml(presentedTitle(event, presentation)))) +
    text('DESCRIPTION', descriptionOf(event)) +
    contentLine('URL', uriValue(event.url)) +
    place(event) +
    conference(event) +
    contacts(event.organizers) +
    (event.terms.length === 0
      ? ''
      : contentLine('CATEGORIES', event.terms.map(({ name }) => textValue(name)).join(','))) +
    (event.image === null ? '' : image(event.image)) +
    text('COMMENT', event.notice) +
    contentLine('STATUS', statusOf(event, presentation)) +
    statusOfOurs(event) +
    text('X-DAYBOOK-EVENT', furtherText(event)) +
    contentLine('CLASS', event.status === 'private' ? 'PRIVATE' : 'PUBLIC') +
    contentLine('END', 'VEVENT')
  );
}

/** The characters of a description; calendar programs show far less. */
const MAX_DESCRIPTION = 100_000;

const descriptionOf = ({ description, excerpt }: FeedEvent): string =>
  textOfHtml(shortHtml(description, MAX_DESCRIPTION)) || textOfHtml(shortHtml(excerpt, MAX_DESCRIPTION));

const STATUS: { readonly [Status in PostStatus]: string } = {
  publish: 'CONFIRMED',
  future: 'CONFIRMED',
  private: 'CONFIRMED',
  draft: 'TENTATIVE',
  pending: 'TENTATIVE',
  trash: 'CANCELLED',
};

/** A canceled event without `STATUS:CANCELLED` is not `CONFIRMED` either. */
function statusOf({ status, eventStatus }: FeedEvent, { cancelled }: Presentation): string {
  if (eventStatus === 'scheduled') return STATUS[status];
  return eventStatus === 'canceled' && cancelled === 'status' ? 'CANCELLED' : 'TENTATIVE';
}

/** What the title and STATUS do not tell apart, for a Daybook that reads this. */
const statusOfOurs = ({ eventStatus, title }: FeedEvent): string =>
  eventStatus === 'scheduled'
    ? ''
    : contentLine('X-DAYBOOK-STATUS', eventStatus) + contentLine('X-DAYBOOK-SUMMARY', textValue(lineOfHtml(title)));

/** What has no property, for a Daybook that reads this. Of a description that is too long its plain text has to do. */
const furtherText = ({ further }: FeedEvent): string => {
  const written = JSON.stringify(further);
  return written === '{}' || written.length > MAX_DESCRIPTION ? '' : written;
};

const text = (name: string, value: string): string => (value === '' ? '' : contentLine(name, textValue(value)));

/** When a single event is. */
export function timesOf(event: FeedEvent, described: ReadonlySet<string>): string {
  const { start, end, startsAt, endsAt } = event;
  if (event.isAllDay) {
    const until = nextDate(end);
    const first = contentLine('DTSTART', dateOf(start), { VALUE: 'DATE' });
    return until === null ? first : first + contentLine('DTEND', until, { VALUE: 'DATE' });
  }
  const isLong = endsAt > startsAt;
  if (!isExactInItsZone(event, described)) {
    const first = contentLine('DTSTART', utcDateTime(startsAt));
    return isLong ? first + contentLine('DTEND', utcDateTime(endsAt)) : first;
  }
  const zone = { TZID: event.timezone };
  const first = contentLine('DTSTART', localDateTime(start), zone);
  // The end must be later than the start. Without one an event ends as it starts.
  return isLong ? first + contentLine('DTEND', localDateTime(end), zone) : first;
}

function isExactInItsZone(event: FeedEvent, described: ReadonlySet<string>): boolean {
  const zone = resolveZone(event.timezone);
  if (zone === null || isWrittenAsUtc(zone) || !described.has(event.timezone)) return false;
  return isUnambiguous(event.start, zone, event.startsAt) && isUnambiguous(event.end, zone, event.endsAt);
}

/** Programs that do not know `CONFERENCE` show the address of an event without a venue as its place. */
function place({ venues, onlineAt }: FeedEvent): string {
  const location = venues.map(locationOf).join('; ');
  const coordinates = venues.find((venue) => venue.coordinates !== null)?.coordinates;
  const geo = coordinates ? contentLine('GEO', `${decimal(coordinates.lat)};${decimal(coordinates.lng)}`) : '';
  return text('LOCATION', location || onlineAt) + geo;
}

/** RFC 7986. */
const conference = ({ onlineAt }: FeedEvent): string =>
  onlineAt === '' ? '' : contentLine('CONFERENCE', uriValue(onlineAt), { VALUE: 'URI' });

const comparable = (text: string): string => foldLetters(text).trim().replace(/\s+/g, ' ');
const segmentsOf = (text: string): string[] => text.split(',').map(comparable);

/**
 * Name and address on one line, without repetitions: as a part of its own, or after the street, where people write zip
 * and city into the same field (`1 Mill Lane, Leeds LS1 1AA`).
 */
function locationOf({ name, address: [street = '', ...rest] }: FeedVenue): string {
  const phrases = new Set([...segmentsOf(name), ...segmentsOf(street)]);
  const behindStreet = segmentsOf(street).slice(1);
  const parts = comparable(street) === comparable(name) ? [name] : [name, street];
  for (const part of rest) {
    const words = comparable(part);
    if (phrases.has(words) || behindStreet.some((segment) => ` ${segment} `.includes(` ${words} `))) continue;
    phrases.add(words);
    parts.push(part);
  }
  return present(parts).join(', ');
}

/** About a decimetre, and never with an exponent. */
const decimal = (degrees: number): string =>
  degrees
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

const MAILBOX = /^[^\s@<>"]+@[^\s@<>"]+$/;

/** At most one organizer is allowed, and it must have an address; all others become contacts. */
function contacts(organizers: readonly FeedOrganizer[]): string {
  const leader = organizers.find(({ email }) => MAILBOX.test(email));
  return organizers.map((organizer) => (organizer === leader ? organizing(organizer) : contact(organizer))).join('');
}

const organizing = ({ name, email }: FeedOrganizer): string =>
  contentLine('ORGANIZER', uriValue(`mailto:${email}`), name === '' ? {} : { CN: name });

const contact = ({ name, phone, email, website }: FeedOrganizer): string =>
  text('CONTACT', present([name, phone, email, website]).join(', '));

const present = (texts: readonly string[]): string[] => texts.filter(Boolean);

const MEDIA_TYPES: { readonly [extension: string]: string } = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  avif: 'image/avif',
};

/** By the property for images (RFC 7986), and by the one that every reader supports. */
function image({ url, extension }: FeedImage): string {
  const type = MEDIA_TYPES[extension];
  const format = type === undefined ? {} : { FMTTYPE: type };
  return (
    contentLine('IMAGE', uriValue(url), { VALUE: 'URI', ...format, DISPLAY: 'BADGE' }) +
    contentLine('ATTACH', uriValue(url), format)
  );
}
