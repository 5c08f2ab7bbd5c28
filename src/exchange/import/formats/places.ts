// Where events are, as calendars and tables write it in one text: venues with their addresses, and meetings online.
import type { VenueInput } from '../../../calendar/linked-post/domain/venue.ts';
import { withoutControls } from '../../../kernel/text/plain-text.ts';

const MAX_NAME_LENGTH = 200;
/** Of a place: from here on nothing is read. The forms of addresses take the square of this at worst. */
const MAX_PLACE_LENGTH = 2_000;

export interface WrittenVenue {
  /** The place as it is written, in one line: by this it is found again. */
  readonly written: string;
  readonly input: VenueInput & { readonly name: string };
}

export interface WrittenPlace {
  readonly venues: readonly WrittenVenue[];
  readonly isOnline: boolean;
  /** Where to attend online; `''` if unknown. */
  readonly meeting: string;
  /** The page of the event, which some write for a place that they do not tell; `''` for none. */
  readonly page: string;
}

/** An address, and what ends a sentence behind it, which is no part of it. */
const ADDRESS_WITHIN = /(https?:\/\/[^\s<>"]+(?<![.,;:!?]))[.,:!?]*/i;
const PAGE_OF_EVENT =
  /^https?:\/\/(?:[\w-]+\.)*(?:eventbrite\.[a-z.]+|facebook\.com\/events|fb\.me|lu\.ma|luma\.com|meetup\.com)(?:\/|$)/i;
/** What programs and people write for a place of a meeting online. */
const ONLINE = [
  /^.{0,30}\bmicrosoft teams\b.{0,30}$/i,
  /^(?:bigbluebutton|discord|google meet|go ?to ?(?:meeting|webinar)|jitsi(?: meet)?|skype|teams|twitch|webex|youtube|zoom)(?:[ -](?:live|meeting|stream|webinar))*(?: \(.*\))?$/i,
  /^(?:(?:class|conference|evento?|événement|evenement|meeting|reuni[óã]o|réunion|riunione|seminar|session|webinar|wydarzenie|workshop) )?(?:100 ?% )?(?:online|virtual|virtuell|virtuel|virtueel|virtuale|remote|web(?:inar|cast)|live ?stream|en ligne|en línea|in linea|オンライン)(?:[ -]?(?:class|conference|event|evenement|kurs|meeting|only|seminar|session|treffen|veranstaltung|webinar|workshop|イベント|開催))?$/i,
];
/** What they write where the place is not known, or not for all. */
const UNSETTLED =
  /^(?:(?:location|venue|place|ort|lieu)?:? ?(?:tb[acd]|to be (?:announced|confirmed|decided|determined|defined))|n\/?a|none|unknown|[-–—?.]+|needs (?:a )?location|link visible for attendees|register to see address|(?:wird|steht) noch .{0,30}|noch offen|n\. ?n\.|à (?:confirmer|définir|préciser)|por (?:confirmar|determinar|definir)|da (?:definire|confermare)|a (?:definir|confirmar)|nog (?:niet bekend|te bepalen|onbekend)|do ustalenia|未定|調整中)$/i;

const isOnline = (line: string): boolean => ONLINE.some((form) => form.test(line));
const isPlace = (line: string): boolean => line !== '' && !isOnline(line) && !UNSETTLED.test(line);

/** Between values: it ends no entity, such as `&amp;`. */
export const SEMICOLON = /(?<!&#?\w{1,8});\s*/;

/** Of rooms and other places that are separated by semicolons each is a venue; parts of one address are one. */
export function placeIn(whole: string, named: NamedVenue | null = null): WrittenPlace {
  const text = whole.slice(0, MAX_PLACE_LENGTH);
  const [written = '', address = ''] = ADDRESS_WITHIN.exec(text) ?? [];
  const parts = text.replace(written, '').replace(/,\s*$/, '').split(SEMICOLON);
  const lines = parts.map((part) => lineOf(part).replace(/\s*[:(–—-]+$/, ''));
  const places = parts.filter((_, at) => isPlace(lines[at] ?? ''));
  const line = places.join(', ');
  const isOneAddress = places.length > 1 && !places.some(hasAddress) && hasAddress(line);
  const all = isOneAddress ? [line] : places;
  const page = PAGE_OF_EVENT.test(address) ? address : '';
  return {
    venues: all.flatMap((one, at) => venueIn(one, at === 0 ? named : null)),
    isOnline: address !== page || lines.some(isOnline),
    meeting: page === '' ? (URL.parse(address)?.href ?? '') : '',
    page,
  };
}

/** A venue whose name, and perhaps address, is also told by itself. */
export interface NamedVenue {
  readonly name: string;
  /** The address is in lines; `''` for none. */
  readonly address: string;
}

export function venueIn(text: string, named: NamedVenue | null): WrittenVenue[] {
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
  const address =
    japaneseAddress(written) ?? easternAddress(addressIn(isNamed && named?.address ? partsOf(named.address) : behind));
  if (isNamed && title !== written) return [{ written, input: { name: title, ...address } }];
  return [{ written, input: address === null ? { name: written } : { name, ...address } }];
}

const hasAddress = (text: string): boolean => addressIn(partsOf(text).slice(1)) !== null;
const lineOf = (text: string): string => withoutControls(text.slice(0, MAX_PLACE_LENGTH)).replace(/\s+/g, ' ').trim();
const partsOf = (text: string): string[] =>
  text
    .slice(0, MAX_PLACE_LENGTH)
    .split(/[\n,、]|\s[-–—|·•]\s/)
    .map(lineOf)
    .filter(Boolean);

type Address = Pick<VenueInput, 'address' | 'zip' | 'city' | 'stateprovince' | 'country'>;

/** A code before its town: `10115 Berlin`, `D-10115`, `1017 PH Amsterdam`, `61-805 Poznań`, `C1425 Buenos Aires`. */
const CODE_BEFORE =
  /^(?:[A-Z]{1,2}-)?(\d{4} ?[A-Z]{2}(?![A-Za-z])|\d{2,5}-\d{3}|\d{3} \d{2}|\d{4,7}|[A-Z]\d{4}(?:[A-Z]{3})?)(?: (\D+(?:[Cc]edex \d+)?))?$/;
/** A code behind its town or state: `Leeds LS1 1AA`, `CA 94043`, `Sydney NSW 2000`, `Maharashtra 400021`, `Dublin D01 K0F1`. */
const CODE_BEHIND =
  /^(?:([^:]+?) )?(\d{5}(?:-\d{3,4})?|\d{6}|\d{3} \d{2}|\d{3}-\d{4}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|[A-Z]\d[\dW] [A-Z\d]{4}|(?<=\b(?:ACT|NSW|NT|QLD|SA|TAS|VIC|WA) )\d{4})$/;
/** Codes of countries whose states stand between them and the town. */
const BEHIND_STATE = /^\d{6}$|^\d{3}-\d{4}$/;
const STATE = /^[A-Z]{2,4}$/;
/** `Milano MI`, `Sydney NSW`. */
const TOWN_IN_STATE = /^(.*\p{Ll}.*?) \(?([A-Z]{2,3})\)?$/u;
/** Their numbers are no codes. */
const STREET = /\b(?:avenue|ave|boulevard|blvd|drive|dr|lane|ln|place|pl|road|rd|square|sq|street|st|way)\.?$/i;

const hasNumber = (text: string | undefined): boolean => /\d/.test(text ?? '');
const isCode = (part: string): boolean => (CODE_BEFORE.test(part) || CODE_BEHIND.test(part)) && !STREET.test(part);

/** Null for what is no address, such as the number of a room: an address has a code, a country, or a street with a town. */
function addressIn(parts: readonly string[]): Address | null {
  const rest = [...parts];
  const ofCountry = rest.findLastIndex((part, at) => isCountry(part) && rest.slice(at + 1).every(isCode));
  let [country = ''] = ofCountry === -1 ? [] : rest.splice(ofCountry, 1);
  const at = rest.findLastIndex(
    (part, index) => isCode(part) && !(index === 0 && rest.length > 1 && /^\d+ /.test(part)),
  );
  const earlier = at === -1 ? rest : rest.slice(0, at);
  const hasTown = (): boolean => earlier.length > 1 || !hasNumber(earlier[0]);
  if (at === -1) {
    const isStreet = rest.length > 1 && hasNumber(rest[0]) && !hasNumber(rest.at(-1));
    if (country === '' && !isStreet) return null;
    const isState = country === '' ? rest.length > 2 : rest.length > 1;
    const isInWords = country !== '' && rest.length > 2 && rest.slice(-2).every((part) => !hasNumber(part));
    const stateprovince = (isState && STATE.test(rest.at(-1) ?? '')) || isInWords ? rest.pop() : undefined;
    const city = hasTown() ? rest.pop() : undefined;
    return filledAddress({ address: rest.join(', '), city, stateprovince, country });
  }
  const [, before = '', town = ''] = CODE_BEFORE.exec(rest[at] ?? '') ?? [];
  const [, lead = '', behind = ''] = before === '' ? (CODE_BEHIND.exec(rest[at] ?? '') ?? []) : [];
  const zip = before || behind;
  let [city, stateprovince] = townAndState(town || lead);
  const [further = '', ...states] = rest.slice(at + 1);
  const isHungarian = /^\d{4}$/.test(zip) && earlier.length > 1 && !hasNumber(earlier[0]) && hasNumber(earlier.at(-1));
  if (isCountry(city) && (isHungarian || (lead !== '' && earlier.length > 0 && !hasNumber(earlier.at(-1))))) {
    if (country === '') country = city;
    else stateprovince ||= city;
    city = '';
  }
  if (lead !== '' && BEHIND_STATE.test(zip) && earlier.length > 1) [stateprovince, city] = [city, ''];
  if (city !== '') stateprovince ||= [further, ...states].filter(Boolean).join(', ');
  else if (further !== '') [city, stateprovince] = [further, stateprovince || states.join(', ')];
  else if (isHungarian) city = earlier.shift() ?? '';
  else if (hasTown()) {
    [city, stateprovince] = townAndState(earlier.pop() ?? '', stateprovince);
    const isStateAlone = city === '' || (stateprovince === '' && earlier.length > 1 && !hasNumber(city));
    if (isStateAlone && earlier.length > 0) [stateprovince, city] = [stateprovince || city, earlier.pop() ?? ''];
  }
  return filledAddress({ address: earlier.join(', '), zip, city, stateprovince, country });
}

function townAndState(text: string, known = ''): [town: string, state: string] {
  if (known === '' && STATE.test(text)) return ['', text];
  const [, town = text, state = known] = TOWN_IN_STATE.exec(text) ?? [];
  return [town, state];
}

/** `日本、〒100-0005 東京都千代田区丸の内３丁目５−１` */
function japaneseAddress(text: string): Address | null {
  const [, country, zip, stateprovince, address] =
    /(?:(日本)[、,\s]*)?〒\s?(\d{3}-\d{4})\s*(東京都|北海道|(?:京都|大阪)府|\p{L}{2,3}県)?(.+)$/u.exec(text) ?? [];
  return zip === undefined ? null : filledAddress({ address, zip, stateprovince, country });
}

/** `Jongno-gu` and Seoul, `黄浦区` and `上海市`: a part of a town, and the town. */
const PART_OF_TOWN = /-(?:gu|dong|gun), |[区區], .*市$|구, .*시$/;
/** `서울특별시 종로구 세종대로 175`, `广东省广州市天河区…`: the largest first. */
const FROM_LARGEST = /^(\p{L}{2,3}省|\p{L}{2,6}도(?=\s))?\s?(\p{Script=Han}{2,3}?市|\p{L}{1,7}시(?=\s))\s?(.*\d.*)$/u;

/** The address with the town of Korean and Chinese ones in its own place. */
function easternAddress(parts: Address | null): Address | null {
  const { address = '', city = '', stateprovince = '' } = parts ?? {};
  if (PART_OF_TOWN.test(`${city}, ${stateprovince}`)) {
    const street = [address, city].filter(Boolean).join(', ');
    return filledAddress({ ...parts, address: street, city: stateprovince, stateprovince: '' });
  }
  const [, province, town, rest] = city === '' ? (FROM_LARGEST.exec(address) ?? []) : [];
  return town === undefined ? parts : filledAddress({ ...parts, address: rest, city: town, stateprovince: province });
}

const filledAddress = (address: { readonly [Member in keyof Address]: string | undefined }): Address =>
  Object.fromEntries(Object.entries(address).filter(([, text]) => text !== undefined && text !== ''));

const LANGUAGES = 'en de fr es it nl pt ja sv da nb fi cs sk pl hu ro hr sl et lv lt el tr ru uk ca'.split(' ');
/** Besides those that `Intl` knows. */
const COUNTRIES =
  'usa|us|u.s.|u.s.a.|united states of america|uk|u.k.|great britain|england|scotland|wales|northern ireland|republic of ireland|czech republic|holland|the netherlands|korea|uae';
let countries: ReadonlySet<string> | null = null;

const inEnglish = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** `DE`, as programs write it for programs, is Germany. */
export const countryNamed = (text: string): string => (/^[A-Z]{2}$/.test(text) ? (inEnglish.of(text) ?? text) : text);

/** A country is known by its name in many languages. */
function isCountry(text: string): boolean {
  if (countries === null) {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.map((other) => one + other));
    const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
    const all = names.flatMap((display) => codes.map((code) => display.of(code)?.toLowerCase() ?? ''));
    countries = new Set([...all.filter(Boolean), ...COUNTRIES.split('|')]);
  }
  return countries.has(text.toLowerCase());
}
