// Properties of calendar events as command inputs, with their references.
import { type EventInput, FURTHER_EVENT_ROWS } from '../../../../calendar/event/domain/calendar-event.ts';
import type { OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import { PLACE_ROWS, type VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import type { TermKind } from '../../../../calendar/term/domain/term.ts';
import { present } from '../../../../domain/present.ts';
import { cleanHtml, cleanRichText } from '../../../../kernel/text/clean-html.ts';
import { comparedName } from '../../../../kernel/text/compared-name.ts';
import { textOfHtml } from '../../../../kernel/text/html-text.ts';
import { decodeEntities, withoutControls } from '../../../../kernel/text/plain-text.ts';
import { typedAddress } from '../../editor-text.ts';
import { type ForeignRecord, fieldsIn, filledTextIn, objectsIn, recordNamed, textIn } from '../../fields.ts';
import {
  type Origin,
  type Place,
  type PlannedPost,
  type PlannedTerm,
  postNamed,
  termNamed,
} from '../../import-plan.ts';
import { publicationIn, publicationNamed } from '../../publication.ts';
import { placeIn, venueIn, type WrittenPlace } from '../places.ts';
import { foreignAsHtml, plainAsHtml, richTextIn } from '../table/cells.ts';
import type { IcalEvent } from './ical.ts';
import { lineOf } from './ical-lines.ts';

const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;
const PHONE = /^[+(]?\d[\d\s()./-]{4,}$/;

/** The calendar that an event is from. */
interface OfCalendar {
  readonly source: string;
  /** Written by a Daybook. */
  readonly isOurs: boolean;
  /** Who may see all of it (`X-CALENDARSERVER-ACCESS`); `''` if it does not say. */
  readonly access: string;
}

const folded = comparedName;

const keyOf = (kind: string, ...parts: readonly string[]): string =>
  `import:ical:${kind}:${JSON.stringify(parts.map(folded))}`;

/** Identifies the occurrence in every run; `''` for a single event. */
export const eventKey = (uid: string, occurrence: string): string =>
  `import:ical:event:${JSON.stringify([uid, occurrence])}`;

/** Identifies a series in every run. */
export const seriesKey = (uid: string): string => `import:ical:series:${JSON.stringify([uid])}`;

/** Foreign calendars have entities of HTML in plain texts; in ours they are what was typed. */
const htmlIn = ({ isOurs }: Pick<OfCalendar, 'isOurs'>): ((text: string) => string) =>
  isOurs ? plainAsHtml : foreignAsHtml;

/** References of a calendar event: derived from its texts, so existing resources stay unchanged. */
export interface Referred {
  readonly categories: readonly PlannedTerm[];
  readonly tags: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
}

export function referredBy(event: IcalEvent, calendar: OfCalendar, place: Place): Referred {
  const { source, isOurs } = calendar;
  const asHtml = htmlIn(calendar);
  const originOf = (key: string, name: string): Origin => ({ source, key, name, place });
  const tags = new Set(tagsOf(event).map(folded));
  const { tag = [], category = [] } = Object.groupBy(categoriesOf(event), (name) =>
    tags.has(folded(name)) ? 'tag' : 'category',
  );
  const termOf = (kind: TermKind, name: string): PlannedTerm =>
    termNamed(kind, originOf(keyOf(kind, name), name), asHtml(name));
  const postOf = <Input extends { readonly name: string }>(
    kind: 'venue' | 'organizer',
    written: string,
    input: Input,
    names: readonly string[],
  ) => {
    const record = recordNamed(event.ofDaybook, kind, input.name, names);
    const publication = publicationIn(record, textIn(record, 'status') ?? '');
    const origin = originOf(keyOf(kind, written), input.name);
    return postNamed(origin, { ...input, ...publication, name: asHtml(input.name) });
  };
  const namesOf = (all: readonly { readonly input: { readonly name: string } }[]) => all.map(({ input }) => input.name);
  const { venues } = whereaboutsOf(event);
  const organizers = organizersOf(event, isOurs);
  return {
    categories: category.map((name) => termOf('category', name)),
    tags: tag.map((name) => termOf('tag', name)),
    venues: venues.map(({ written, input }) => postOf('venue', written, input, namesOf(venues))),
    organizers: organizers.map(({ written, input }) => postOf('organizer', written, input, namesOf(organizers))),
  };
}

/** A Daybook says which of them are tags. */
const tagsOf = ({ ofDaybook: { tags } }: IcalEvent): string[] =>
  Array.isArray(tags) ? tags.filter((name) => typeof name === 'string') : [];

/** Programs write addresses of their own among them, such as `http://schemas.google.com/g/2005#event`. */
function categoriesOf({ categories }: IcalEvent): string[] {
  const names = categories.map(lineOf).filter((name) => name !== '' && !WEB_ADDRESS.test(name));
  return [...Map.groupBy(names, folded).values()].flatMap(([first = '']) => first);
}

interface OrganizerOfEvent {
  readonly written: string;
  readonly input: OrganizerInput & { readonly name: string };
}

/** A contact is an organizer where there is none, and always in a calendar of a Daybook, which writes those without an email so. */
function organizersOf({ organizer, contacts }: IcalEvent, isOurs: boolean): OrganizerOfEvent[] {
  const email = organizer && EMAIL.test(organizer.email) ? realAddress(organizer.email) : '';
  const name = lineOf(realName(organizer?.name ?? '') || email).slice(0, MAX_NAME_LENGTH);
  const leading = name === '' ? [] : [{ written: name, input: { name, ...(email && { email }) } }];
  const named = contacts.flatMap((contact) => contactIn(contact, isOurs ? /, / : /[,;]\s+/));
  const [first] = named;
  if (isOurs) return [...leading, ...named];
  return leading.length === 0 && first ? [first] : leading;
}

/** A name with further parts, of which some are an address or a number. */
function contactIn(contact: string, separator: RegExp): OrganizerOfEvent[] {
  const written = lineOf(contact).slice(0, MAX_NAME_LENGTH);
  const parts = written.split(separator);
  const [website, email, phone] = [WEB_ADDRESS, EMAIL, PHONE].map((form) => parts.find((part) => form.test(part)));
  const name = realName(
    parts.filter((part) => part !== website && part !== email && part !== phone).join(', ') || written,
  );
  if (name === '') return [];
  return [
    {
      written,
      input: {
        name,
        ...(email && realAddress(email) && { email }),
        ...(phone && { phone }),
        ...(website && { website }),
      },
    },
  ];
}

/** Everything but times and references. Properties missing in the calendar stay unchanged here. */
export function inputOf(event: IcalEvent, title: string, calendar: Omit<OfCalendar, 'source'>): EventInput {
  const { texts, image, named, ofDaybook } = event;
  const { isOnline, meeting, page } = whereaboutsOf(event);
  const written = texts.url.trim();
  // Where that is no page of a Daybook any more it was edited elsewhere, and counts.
  const isAsWritten = /\/event\/[^/]+\/$/.test(written);
  const website = typedAddress((isAsWritten && textIn(ofDaybook, 'website')) || '') || written || page;
  const { status } = publicationOf(event, calendar) ?? { status: 'draft' };
  const { cost = filledTextIn(ofDaybook, 'cost'), registration_url: registrationUrl } = named;
  return {
    title: htmlIn(calendar)(title),
    description: descriptionOf(event, calendar),
    ...fieldsIn(ofDaybook, FURTHER_EVENT_ROWS),
    ...(website !== '' && { website }),
    ...present({ cost, registrationUrl, excerpt: cleanedIn(ofDaybook, 'excerpt') }),
    ...(image === '' ? {} : { image }),
    ...(isOnline && { online: { isVirtual: true, ...(meeting !== '' && { virtualUrl: meeting }) } }),
    ...(status && { status }),
  };
}

/** A class that is not known is private (RFC 5545, 3.8.1.3). Null: its status is not known. */
export function publicationOf(
  { texts }: IcalEvent,
  { access }: Pick<OfCalendar, 'access'>,
): ReturnType<typeof publicationNamed> {
  const publications = [texts.class, texts['x-calendarserver-access'], access].map(publicationNamed);
  return publications.some((one) => one === null || one.status)
    ? { status: 'private' }
    : publicationNamed(texts.status);
}

const isAlike = (one: string, other: string): boolean => inOneLine(one) === inOneLine(other);
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What is written so may be by anyone, as any other property. */
function cleanedIn(record: ForeignRecord, name: string): string | undefined {
  const html = textIn(record, name);
  return html === undefined ? undefined : cleanHtml(html);
}

/** The keys are the texts that all dates of a series share: cleaning takes its time. */
const described = new WeakMap<IcalEvent['texts'], string>();

function descriptionOf(event: IcalEvent, calendar: Omit<OfCalendar, 'source'>): string {
  const description = described.get(event.texts) ?? describe(event, calendar);
  described.set(event.texts, description);
  return description;
}

/** Google writes HTML into descriptions, Outlook beside them; RFC 9073 has a property for it. */
function describe({ texts, richText, ofDaybook }: IcalEvent, calendar: Omit<OfCalendar, 'source'>): string {
  const asHtml = htmlIn(calendar);
  const plain = withoutControls(texts.description).trim();
  const html = cleanedIn(ofDaybook, 'description');
  // Where it was edited elsewhere the plain text counts.
  if (html !== undefined && (html === '' || isAlike(textOfHtml(html), plain))) return html;
  return richTextIn(richText || (calendar.isOurs ? '' : plain)) ?? asHtml(plain || textOfHtml(cleanRichText(richText)));
}

const MAX_NAME_LENGTH = 200;

/** Links to meetings, wherever they stand. */
const MEETING =
  /https:\/\/(?:[\w-]+\.)*(?:zoom\.us\/(?:j|my|s|w)\/|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/|meet\.google\.com\/[a-z]+-|webex\.com\/(?:meet|join)\/)[^\s<>"')\]]+/i;

/** Venues as they are written; what a Daybook says of each of them counts. */
function placesOf({ texts, namedPlace, ofDaybook }: IcalEvent): WrittenPlace {
  const written = placeIn(texts.location, namedPlace);
  const records = objectsIn(ofDaybook, 'venue') ?? [];
  const names = records.map((record) => lineOf(textIn(record, 'venue') ?? '').slice(0, MAX_NAME_LENGTH));
  // Programs that keep what they do not know let people edit the rest.
  if (!names.every((name) => lineOf(texts.location).includes(name))) return written;
  const isOneEach = records.length === written.venues.length;
  const venues = records.flatMap((record, index) => {
    const name = names[index] ?? '';
    const place = isOneEach ? written.venues[index]?.written : name;
    return name === '' || place === undefined
      ? []
      : [{ written: place, input: { ...fieldsIn(record, PLACE_ROWS), name } }];
  });
  return venues.length === 0 ? written : { ...written, venues };
}

function whereaboutsOf(event: IcalEvent): WrittenPlace {
  const { texts, conference, place, namedPlace, richText } = event;
  const written = placesOf(event);
  const [linked = ''] = MEETING.exec(decodeEntities(`${texts.description} ${richText}`)) ?? [];
  const meeting = URL.parse(conference || written.meeting || linked)?.href ?? '';
  const where = { ...written, meeting, isOnline: written.isOnline || meeting !== '' };
  const isNamedAlone = written.venues.length === 0 && namedPlace?.name;
  const [first, ...others] = isNamedAlone ? venueIn(namedPlace.name, namedPlace) : written.venues;
  const coordinates = place ?? namedPlace?.place;
  if (!first || !coordinates) return first ? { ...where, venues: [first, ...others] } : where;
  return { ...where, venues: [{ ...first, input: { ...first.input, coordinates } }, ...others] };
}

// What large calendars write where there is nothing to be written: names and addresses of no person or house.

const ADDRESSES = [
  /^(?:unknown|unknownorganizer|no-?body|no-?one|none)@/i,
  /^(?:no|do-?not|donot)[._-]?reply(?:[._+-][^@]*)?@/i,
  /^(?:mailer-daemon|postmaster|bounces?|notifications?|imceaex-[^@]*)@/i,
  /@(?:[^@]+\.)?calendar\.google\.com$/i,
  /@(?:[^@]+\.)?(?:eventbrite|facebookmail|luma-mail|meetup)\.com$|@lu\.ma$/i,
  /@(?:[^@]+\.)?(?:invalid|localhost)$/i,
];
const NAMES =
  /^(?:(?:no|do ?not)[ -]?reply|mailer-daemon|invalid:?\s*nomail|no[ -]?e?mail|unknown(?: ?organi[sz]er)?|no[ -]?one|nobody|none|null|undefined|n\/a|no name|\(no name\)|[-–—?.]+)$/i;

/** Whether an address is that of a machine or a placeholder: what is sent to it is read by no person. */
const isOfMachine = (address: string): boolean => ADDRESSES.some((form) => form.test(address.trim()));

/** A name that names; empty for a placeholder. */
const realName = (name: string): string => (NAMES.test(name.trim()) || isOfMachine(name) ? '' : name);

/** An address that is read; empty for a placeholder. */
const realAddress = (address: string): string => (isOfMachine(address) ? '' : address);
