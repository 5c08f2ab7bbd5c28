// What foreign records may contain: what the API accepts from an author.

import { readAges, readLanguages } from '../../calendar/event/domain/audience.ts';
import type { EventInput, Extensions, Plain } from '../../calendar/event/domain/calendar-event.ts';
import type { LinkedPostInput } from '../../calendar/linked-post/commands/linked-posts.ts';
import type { ImageReference } from '../../calendar/resource/domain/image.ts';
import { present } from '../../domain/present.ts';
import { cleanHtml } from '../../kernel/text/clean-html.ts';
import { isWithin, MAX_LINE_BYTES, MAX_TEXT_BYTES } from '../../kernel/text/text-size.ts';
import { isActive, isAddress, isWebAddress } from '../../kernel/text/web-address.ts';
import { type DateValue, isTooEarly, resolveDate } from '../../kernel/time/date-input.ts';
import { resolveZone, type Zone } from '../../kernel/time/zone.ts';
import type {
  ImportKind,
  Origin,
  PlannedEvent,
  PlannedPost,
  PlannedSeries,
  PlannedTerm,
  Reading,
  Remark,
} from './import-plan.ts';

/** `cleaned`: texts keep only harmless HTML, as from an author. `kept`: they stay unchanged. */
export type Html = 'cleaned' | 'kept';

const MAX_TERM_LENGTH = 200;
/** The extensions of an event, as JSON, have no more characters. */
const MAX_EXTENSIONS_LENGTH = 16_384;

/**
 * An input without invalid parts. A text that is too long refuses its record; an invalid address, picture or coordinate
 * is left out, with a note.
 */
export function accepted(reading: Reading, html: Html): Reading {
  const faults = [...reading.faults];
  const remarks: Remark[] = [...(reading.remarks ?? [])];
  // Without a tag there is nothing to clean, and a text stays as its editor wrote it.
  const clean = (text: string): string => (html === 'cleaned' && text.includes('<') ? cleanHtml(text) : text);

  function isShort(kind: ImportKind, { name, place }: Origin, input: object): boolean {
    const reason = tooLong(input);
    if (reason !== undefined) faults.push({ kind, name, place, reason });
    return reason === undefined;
  }

  function isOfOurTimes({ name, place }: Origin, { times }: EventInput): boolean {
    const early = DATES.find((member) => isEarly(times?.[member]));
    const reason = `its ${early} date is before the year 1000; it must have a year of four digits`;
    if (early !== undefined) faults.push({ kind: 'event', name, place, reason });
    return early === undefined;
  }

  function usable<Input extends Addresses>(kind: ImportKind, origin: Origin, input: Input): Input {
    const whole = { ...input, ...completedIn(input) };
    const omissions = unusableOf(whole);
    for (const { text } of omissions) remarks.push({ kind, origin, text });
    return without(
      whole,
      omissions.map(({ member }) => member),
    );
  }

  const term = (planned: PlannedTerm): PlannedTerm[] => {
    const { kind, origin, name, slug, description } = planned;
    const { length } = [...name];
    if (length > MAX_TERM_LENGTH) {
      const reason = `its name has ${length} characters, which is too many`;
      faults.push({ kind, name: origin.name, place: origin.place, reason });
      return [];
    }
    return isShort(kind, origin, { slug, description }) ? [planned] : [];
  };

  const linked =
    <Input extends LinkedPostInput>(kind: 'venue' | 'organizer') =>
    (planned: PlannedPost<Input>): PlannedPost<Input>[] => {
      const { name = '', description } = planned.input;
      const texts = present({ name: clean(name), description: description && clean(description) });
      const input = { ...usable(kind, planned.origin, planned.input), ...texts };
      return isShort(kind, planned.origin, input) ? [{ ...planned, input }] : [];
    };

  const event = (planned: PlannedEvent): PlannedEvent[] => {
    const input = usable('event', planned.origin, planned.input);
    const cleaned = { ...planned, input: { ...input, ...cleanTexts(input, clean) } };
    if (!isShort('event', planned.origin, cleaned.input) || !isOfOurTimes(planned.origin, cleaned.input)) return [];
    return [planned.series ? { ...cleaned, series: series(planned.series) } : cleaned];
  };

  const series = ({ repeating, overrides, singles }: PlannedSeries): PlannedSeries => ({
    repeating,
    overrides: overrides.flatMap(([date, planned]) => event(planned).map((one) => [date, one] as const)),
    singles: singles.flatMap(event),
  });

  const { terms, venues, organizers, events } = reading.plan;
  const plan = {
    terms: terms.flatMap(term),
    venues: venues.flatMap(linked('venue')),
    organizers: organizers.flatMap(linked('organizer')),
    events: events.flatMap(event),
  };
  return { plan, faults, remarks };
}

const cleanTexts = ({ title, description, excerpt, extensions }: EventInput, clean: Clean): EventInput =>
  present({
    title: title && clean(title),
    description: description && clean(description),
    excerpt: excerpt && clean(excerpt),
    extensions: extensions && cleanExtensions(extensions, clean),
  });

const DATES = ['start', 'end'] as const;
const UTC = resolveZone('UTC') as Zone; // It is always known.

function isEarly(date: DateValue | undefined): boolean {
  const input = date === undefined ? null : resolveDate(date, { now: 0, zone: UTC });
  return input !== null && isTooEarly(input);
}

const LONG_TEXTS: ReadonlySet<string> = new Set<keyof EventInput>(['description', 'excerpt']);

/** What is said of the first member that is too long. */
function tooLong(input: object): string | undefined {
  for (const [member, text] of Object.entries<unknown>({ ...input })) {
    const most = LONG_TEXTS.has(member) ? MAX_TEXT_BYTES : MAX_LINE_BYTES;
    if (typeof text === 'string' && !isWithin(text, most))
      return `its ${member} has ${Buffer.byteLength(text)} bytes, but may have at most ${most}`;
  }
  return undefined;
}

type Clean = (text: string) => string;

const cleanExtensions = (extensions: Extensions, clean: Clean): Extensions =>
  Object.fromEntries(Object.entries(extensions).map(([name, value]) => [name, cleanValue(value, clean)]));

/** Cleans texts at any depth; an address that would run code becomes empty. */
function cleanValue(value: Plain, clean: Clean): Plain {
  if (typeof value === 'string') return isActive(value) ? '' : clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Plain) => cleanValue(one, clean));
  return cleanExtensions(value as Extensions, clean); // What is left of JSON.
}

const BARE_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#]\S*)?$/i;

function completedIn({ website, image, registrationUrl }: Addresses): Addresses {
  const picture = typeof image === 'object' && image !== null ? { ...image, url: completed(image.url) } : image;
  return present({
    website: website && completed(website),
    registrationUrl: registrationUrl && completed(registrationUrl),
    image: typeof picture === 'string' ? completed(picture) : picture,
  });
}

/** An address as browsers understand it: adds a missing scheme, encodes blanks and letters beyond ASCII. */
function completed(address: string): string {
  const text = address.trim();
  if (isAddress(text) || text === '') return address;
  if (BARE_HOST.test(text)) return `http://${text}`;
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : address;
}

/** What an input has that may be left out. */
interface Addresses {
  readonly extensions?: Extensions;
  readonly website?: string;
  readonly registrationUrl?: string;
  readonly ageRange?: string;
  readonly languages?: string;
  readonly image?: ImageReference | null;
  readonly coordinates?: { readonly lat: number; readonly lng: number } | null;
}

interface Unusable {
  readonly member: keyof Addresses;
  readonly text: string;
}

const MAX_SHOWN = 60;
const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_SHOWN));

function unusableOf({ website = '', image, coordinates, extensions = {}, ...audience }: Addresses): Unusable[] {
  const { registrationUrl = '', ageRange = '', languages = '' } = audience;
  const omissions: Unusable[] = [];
  if (JSON.stringify(extensions).length > MAX_EXTENSIONS_LENGTH)
    omissions.push({
      member: 'extensions',
      text: 'taken without the members that other calendars add: they are too long',
    });
  if (website.trim() !== '' && !isAddress(website.trim()))
    omissions.push({
      member: 'website',
      text: `taken without its website: ${quoted(website)} is not an absolute address`,
    });
  const picture = typeof image === 'object' && image !== null ? image.url : image;
  if (typeof picture === 'string' && !isWebAddress(picture))
    omissions.push({
      member: 'image',
      text: `taken without its image: ${quoted(picture)} is not an http or https address`,
    });
  if (registrationUrl !== '' && !isWebAddress(registrationUrl))
    omissions.push({
      member: 'registrationUrl',
      text: `taken without its registration_url: ${quoted(registrationUrl)} is not an http or https address`,
    });
  if (ageRange.trim() !== '' && readAges(ageRange) === null)
    omissions.push({
      member: 'ageRange',
      text: `taken without its age_range: ${quoted(ageRange)} cannot be read; try 6-12, 18+ or -12`,
    });
  if (readLanguages(languages) === null)
    omissions.push({
      member: 'languages',
      text: `taken without its languages: ${quoted(languages)} cannot be read; try codes such as en, de-CH`,
    });
  if (coordinates && !isOnEarth(coordinates))
    omissions.push({ member: 'coordinates', text: 'taken without its coordinates: they are not on earth' });
  return omissions;
}

const isOnEarth = ({ lat, lng }: { readonly lat: number; readonly lng: number }): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

function without<Input extends object>(input: Input, members: readonly string[]): Input {
  if (members.length === 0) return input;
  // Each of these members may be absent.
  return Object.fromEntries(Object.entries(input).filter(([name]) => !members.includes(name))) as Input;
}
