// Where a calendar event is: its venues, with the address that calendars write behind a name, and meetings online.
import type { VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import { decodeEntities } from '../../../../kernel/text/plain-text.ts';
import type { IcalEvent } from './ical.ts';
import { lineOf } from './ical-lines.ts';

export const MAX_NAME_LENGTH = 200;

export interface VenueOfEvent {
  /** The place as it is written, in one line: by this it is found again. */
  readonly written: string;
  readonly input: VenueInput & { readonly name: string };
}

export interface Whereabouts {
  readonly venues: readonly VenueOfEvent[];
  readonly isOnline: boolean;
  /** Where to attend online; `''` if unknown. */
  readonly meeting: string;
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"]+/i;
/** Links to meetings, wherever they stand. */
const MEETING =
  /https:\/\/(?:[\w-]+\.)*(?:zoom\.us\/(?:j|my|s|w)\/|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/|meet\.google\.com\/[a-z]+-|webex\.com\/(?:meet|join)\/)[^\s<>"')\]]+/i;
/** What programs write for a place where there is none, in any language. */
const NO_PLACE = /^(?:.{0,30}\bmicrosoft teams\b.{0,30}|(?:google meet|skype|webex|zoom)(?: meeting)?|online)$/i;

/** `isOurs`: it is a calendar of a Daybook, where a semicolon separates venues. */
export function whereaboutsOf(event: IcalEvent, isOurs: boolean): Whereabouts {
  const { texts, conference, place, namedPlace } = event;
  const [address = ''] = WEB_ADDRESS.exec(texts.location) ?? [];
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
  const [name = '', ...behind] = partsOf(text);
  const title = lineOf(named?.name ?? '');
  const isNamed = title !== '' && written.startsWith(title);
  const address = addressIn(isNamed && named?.address ? partsOf(named.address) : behind);
  if (isNamed && title !== written) return [{ written, input: { name: title, ...address } }];
  return [{ written, input: address === null ? { name: written } : { name, ...address } }];
}

const partsOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map(lineOf)
    .filter((part) => part !== '');

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
    const isInState = country !== '' && rest.length > 2 && rest.slice(-2).every((part) => !/\d/.test(part));
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
    countries = new Set([...all.filter((name) => name !== ''), 'usa', 'u.s.a.', 'uk', 'england', 'scotland', 'wales']);
  }
  return countries.has(text.toLowerCase());
}
