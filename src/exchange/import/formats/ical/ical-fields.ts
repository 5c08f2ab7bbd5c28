// Properties of calendar events as command inputs, with their references.
import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import type { OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import type { VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import { cleanRichText } from '../../../../kernel/text/clean-html.ts';
import { comparedName } from '../../../../kernel/text/compared-name.ts';
import { textOfHtml } from '../../../../kernel/text/html-text.ts';
import { decodeEntities, withoutControls } from '../../../../kernel/text/plain-text.ts';
import type { Origin, Place, PlannedPost, PlannedTerm } from '../../import-plan.ts';
import { publicationNamed } from '../../publication.ts';
import { plainAsHtml } from '../table/cells.ts';
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
}

const folded = comparedName;

const keyOf = (kind: string, ...parts: readonly string[]): string =>
  `import:ical:${kind}:${JSON.stringify(parts.map(folded))}`;

/** Identifies the occurrence in every run; `''` for a single event. */
export const eventKey = (uid: string, occurrence: string): string =>
  `import:ical:event:${JSON.stringify([uid, occurrence])}`;

/** Identifies a series in every run. */
export const seriesKey = (uid: string): string => `import:ical:series:${JSON.stringify([uid])}`;

/** References of a calendar event: derived from its texts, so existing resources stay unchanged. */
export interface Referred {
  readonly categories: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
}

export function referredBy(event: IcalEvent, { source, isOurs }: OfCalendar, place: Place): Referred {
  const originOf = (key: string, name: string): Origin => ({ source, key, name, place });
  return {
    categories: categoriesOf(event).map((name) => ({
      kind: 'category',
      origin: originOf(keyOf('category', name), name),
      upkeep: 'leave',
      id: undefined,
      name: plainAsHtml(name),
      slug: undefined,
      description: undefined,
      parent: null,
    })),
    venues: whereaboutsOf(event, isOurs).venues.map(({ written, input }) => ({
      origin: originOf(keyOf('venue', written), input.name),
      upkeep: 'leave',
      id: undefined,
      input: { ...input, name: plainAsHtml(input.name) },
      modified: '',
    })),
    organizers: organizersOf(event, isOurs).map(({ written, input }) => ({
      origin: originOf(keyOf('organizer', written), input.name),
      upkeep: 'leave',
      id: undefined,
      input: { ...input, name: plainAsHtml(input.name) },
      modified: '',
    })),
  };
}

function categoriesOf({ categories }: IcalEvent): string[] {
  const names = categories.map(lineOf).filter(Boolean);
  return names.filter((name, index) => names.findIndex((other) => folded(other) === folded(name)) === index);
}

interface OrganizerOfEvent {
  readonly written: string;
  readonly input: OrganizerInput & { readonly name: string };
}

/** A contact is an organizer where there is none, and always in a calendar of a Daybook, which writes those without an email so. */
function organizersOf({ organizer, contacts }: IcalEvent, isOurs: boolean): OrganizerOfEvent[] {
  const email = organizer && EMAIL.test(organizer.email) ? realAddress(organizer.email) : '';
  const name = lineOf(realName(organizer?.name ?? '') || email).slice(0, MAX_NAME_LENGTH);
  const leading = name === '' ? [] : [{ written: name, input: { name, ...(email === '' ? {} : { email }) } }];
  const [first] = contacts.flatMap(contactIn);
  if (isOurs) return [...leading, ...contacts.flatMap(contactIn)];
  return leading.length === 0 && first ? [first] : leading;
}

/** A name with further parts, of which some are an address or a number. */
function contactIn(contact: string): OrganizerOfEvent[] {
  const written = lineOf(contact).slice(0, MAX_NAME_LENGTH);
  const parts = written.split(', ');
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
export function inputOf(event: IcalEvent, title: string, { isOurs }: Pick<OfCalendar, 'isOurs'>): EventInput {
  const { texts, image } = event;
  const website = texts.url.trim();
  const { isOnline, meeting } = whereaboutsOf(event, isOurs);
  const { status } = publicationOf(event) ?? { status: 'draft' };
  return {
    title: plainAsHtml(title),
    description: descriptionOf(event, isOurs),
    ...(WEB_ADDRESS.test(website) && { website }),
    ...(image === '' ? {} : { image }),
    ...(isOnline && { online: { isVirtual: true, ...(meeting !== '' && { virtualUrl: new URL(meeting).href }) } }),
    ...(status && { status }),
  };
}

/** A class that is not known is private (RFC 5545, 3.8.1.3). Null: its status is not known. */
export function publicationOf({ texts }: IcalEvent): ReturnType<typeof publicationNamed> {
  const access = texts.class.trim() === '' ? {} : (publicationNamed(texts.class) ?? { status: 'private' });
  return access.status ? { status: 'private' } : publicationNamed(texts.status);
}

/** Signs such as `<` are text unless an element of a text ends, or a line. */
const MARKUP =
  /<\/(?:a|b|blockquote|body|div|em|font|h[1-6]|html|html-blob|i|li|ol|p|s|span|strong|table|td|tr|u|ul)\s*>|<(?:br|hr|li|p)(?:\s[^<>]*)?\/?>/i;
/** Where there are these, line ends are layout. */
const LINES = /<(?:br|div|li|p|td)\b/i;

/** Google writes HTML into descriptions, Outlook beside them; RFC 9073 has a property for it. */
function descriptionOf({ texts, richText }: IcalEvent, isOurs: boolean): string {
  const plain = withoutControls(texts.description).trim();
  const rich = richText || (!isOurs && MARKUP.test(plain) ? plain : '');
  if (rich === '') return plainAsHtml(plain);
  const clean = cleanRichText(LINES.test(rich) ? rich.replace(/\s+/g, ' ') : rich).trim();
  return textOfHtml(clean) === '' ? plainAsHtml(plain) : clean;
}

// Where a calendar event is: its venues, with the address that calendars write behind a name, and meetings online.

const MAX_NAME_LENGTH = 200;

interface VenueOfEvent {
  /** The place as it is written, in one line: by this it is found again. */
  readonly written: string;
  readonly input: VenueInput & { readonly name: string };
}

interface Whereabouts {
  readonly venues: readonly VenueOfEvent[];
  readonly isOnline: boolean;
  /** Where to attend online; `''` if unknown. */
  readonly meeting: string;
}

const ADDRESS_WITHIN = /https?:\/\/[^\s<>"]+/i;
/** Links to meetings, wherever they stand. */
const MEETING =
  /https:\/\/(?:[\w-]+\.)*(?:zoom\.us\/(?:j|my|s|w)\/|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/|meet\.google\.com\/[a-z]+-|webex\.com\/(?:meet|join)\/)[^\s<>"')\]]+/i;
/** What programs write for a place where there is none, in any language. */
const NO_PLACE = /^(?:.{0,30}\bmicrosoft teams\b.{0,30}|(?:google meet|skype|webex|zoom)(?: meeting)?|online)$/i;

/** `isOurs`: it is a calendar of a Daybook, where a semicolon separates venues. */
function whereaboutsOf(event: IcalEvent, isOurs: boolean): Whereabouts {
  const { texts, conference, place, namedPlace } = event;
  const [address = ''] = ADDRESS_WITHIN.exec(texts.location) ?? [];
  const parts = texts.location.replace(address, '').split(/;\s*/);
  const places = parts.filter((part) => part.trim() !== '' && !NO_PLACE.test(lineOf(part)));
  const [linked = ''] = MEETING.exec(decodeEntities(`${texts.description} ${event.richText}`)) ?? [];
  const meeting = conference || address || linked;
  const isOnline = meeting !== '' || parts.some((part) => NO_PLACE.test(lineOf(part)));
  const written = isOurs ? places : places.length === 0 ? [] : [places.join('; ')];
  const venues = written.flatMap((text, at) => venueIn(text, at === 0 ? namedPlace : null));
  const [first, ...others] = venues.length === 0 && namedPlace?.name ? venueIn(namedPlace.name, namedPlace) : venues;
  const coordinates = place ?? namedPlace?.place;
  if (!first) return { venues: [], isOnline, meeting };
  const pinned = coordinates ? { ...first, input: { ...first.input, coordinates } } : first;
  return { venues: [pinned, ...others], isOnline, meeting };
}

function venueIn(text: string, named: IcalEvent['namedPlace']): VenueOfEvent[] {
  const written = lineOf(text).slice(0, MAX_NAME_LENGTH);
  if (written === '') return [];
  // Meetup writes the address in brackets, where others write the number of a room.
  const [, outside = '', inside = ''] = /^(.+?)\s*\(([^()]+)\)$/.exec(written) ?? [];
  const bracketed = addressIn(partsOf(inside));
  if (bracketed?.zip ?? bracketed?.stateprovince ?? bracketed?.country)
    return [{ written, input: { name: outside, ...bracketed } }];
  const [name = '', ...behind] = partsOf(text);
  const title = lineOf(named?.name ?? '');
  const isNamed = title !== '' && written.startsWith(title);
  const address = addressIn(isNamed && named?.address ? partsOf(named.address) : behind);
  if (isNamed && title !== written) return [{ written, input: { name: title, ...address } }];
  return [{ written, input: address === null ? { name: written } : { name, ...address } }];
}

const partsOf = (text: string): string[] => text.split(/[\n,]/).map(lineOf).filter(Boolean);

type Address = Pick<VenueInput, 'address' | 'zip' | 'city' | 'stateprovince' | 'country'>;

/** A code before or behind the name of its town, or alone: `10115 Berlin`, `Leeds LS1 1AA`, `CA 94043`. */
const CODE =
  /^(?:[A-Z]{1,2}-)?(\d{4,6}|\d{3} \d{2})(?: (\D+))?$|^(?:(.+?) )?(\d{5}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)$/;
const STATE = /^[A-Z]{2,3}$/;
/** Their numbers are no codes. */
const STREET = /\b(?:avenue|ave|boulevard|blvd|drive|dr|lane|ln|place|pl|road|rd|square|sq|street|st|way)\.?$/i;

/** Null for what is no address, such as the number of a room: an address has a code, a country, or a street with a town. */
function addressIn(parts: readonly string[]): Address | null {
  const rest = [...parts];
  const country = isCountry(rest.at(-1) ?? '') ? (rest.pop() ?? '') : '';
  const at = rest.findLastIndex((part, index) => CODE.test(part) && !STREET.test(part) && !isLeading(part, index));
  if (at === -1) {
    const isStreet = rest.length > 1 && /\d/.test(rest[0] ?? '') && !/\d/.test(rest.at(-1) ?? '');
    if (country === '' && !isStreet) return null;
    const hasState = country === '' ? STATE.test(rest.at(-1) ?? '') : rest.slice(-2).every((part) => !/\d/.test(part));
    const isInState = rest.length > 2 && hasState;
    const stateprovince = isInState ? rest.pop() : undefined;
    const city = rest.length > 1 || !/\d/.test(rest[0] ?? '') ? rest.pop() : undefined;
    return present({ address: rest.join(', '), city, stateprovince, country });
  }
  const [, before = '', town = '', lead = '', behind = ''] = CODE.exec(rest[at] ?? '') ?? [];
  const beside = town || lead;
  const [further, ...states] = rest.slice(at + 1);
  const earlier = rest.slice(0, at);
  let stateprovince = states.join(', ') || (STATE.test(beside) ? beside : '');
  let city = STATE.test(beside) ? '' : beside;
  if (city !== '') stateprovince ||= further ?? '';
  else if (further !== undefined) city = further;
  else if (earlier.length > 2 && stateprovince === '')
    [stateprovince, city] = [earlier.pop() ?? '', earlier.pop() ?? ''];
  else if (earlier.length > 1 || !/\d/.test(earlier[0] ?? '')) city = earlier.pop() ?? '';
  return present({ address: earlier.join(', '), zip: before || behind, city, stateprovince, country });

  function isLeading(part: string, index: number): boolean {
    return index === 0 && rest.length > 1 && /^\d+ /.test(part);
  }
}

const present = (address: { readonly [Member in keyof Address]: string | undefined }): Address =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text !== undefined && text !== ''));

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'];
let countries: ReadonlySet<string> | null = null;

/** By its name in the languages of Daybook. */
function isCountry(text: string): boolean {
  if (countries === null) {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.map((other) => one + other));
    const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
    const all = names.flatMap((display) => codes.map((code) => display.of(code)?.toLowerCase() ?? ''));
    countries = new Set([...all.filter(Boolean), 'usa', 'u.s.a.', 'uk', 'england', 'scotland', 'wales']);
  }
  return countries.has(text.toLowerCase());
}

// What large calendars write where there is nothing to be written: names and addresses of no person or house.

const ADDRESSES = [
  /^(?:unknown|unknownorganizer|no-?body|no-?one|none)@/i,
  /^(?:no|do-?not|donot)[._-]?reply(?:[._+-][^@]*)?@/i,
  /^(?:mailer-daemon|postmaster|bounces?|notifications?|imceaex-[^@]*)@/i,
  /@(?:[^@]+\.)?calendar\.google\.com$/i,
  /@(?:[^@]+\.)?facebookmail\.com$/i,
  /@(?:[^@]+\.)?(?:invalid|localhost)$/i,
];
const NAMES =
  /^(?:invalid:?\s*nomail|no[ -]?e?mail|unknown(?: ?organi[sz]er)?|no[ -]?one|nobody|none|null|undefined|n\/a|no name|\(no name\)|[-–—?.]+)$/i;

/** Whether an address is that of a machine or a placeholder: what is sent to it is read by no person. */
const isOfMachine = (address: string): boolean => ADDRESSES.some((form) => form.test(address.trim()));

/** A name that names; empty for a placeholder. */
const realName = (name: string): string => (NAMES.test(name.trim()) || isOfMachine(name) ? '' : name);

/** An address that is read; empty for a placeholder. */
const realAddress = (address: string): string => (isOfMachine(address) ? '' : address);
