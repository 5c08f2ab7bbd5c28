// Pre-rendered JSON has slots for what depends on the reader (the base of links) or on other documents (embedded
// resources). A slot is a raw control character: JSON text never contains one, so data can never be mistaken for a
// slot; nor does its UTF-8, where such a byte is only ever that character.
import { randomBytes } from 'node:crypto';
import type { EpochSeconds, WallClock } from '../kernel/time/zone.ts';

export const SLOT = {
  /** Address of the public site, without a trailing slash. */
  site: '\u0001',
  /** Address of the API's root, without a trailing slash. */
  root: '\u0002',
  /** Host and path of the site. */
  host: '\u0003',
  /** Arrays of embedded terms. */
  categories: '\u0004',
  tags: '\u0005',
  /** `[]`, an object or an array of objects. */
  venue: '\u0006',
  organizer: '\u0007',
  /** A member `json_ld` with a comma behind (`…,`) or before it (`,…`), or nothing. */
  jsonLdThenComma: '\u000e',
  commaThenJsonLd: '\u000f',
  /** Inside an event's `json_ld`: the members `location` and `organizer`, each with a comma behind, or nothing. */
  location: '\u0010',
  organizerLd: '\u0011',
  /** Id of the event that an event belongs to; 0 for none. */
  parent: '\u0012',
  /** In a list in an event's `json_ld`: a comma and its place, or nothing. */
  commaThenPlace: '\u0013',
  /** The word for a price of nothing, in the language of the site. */
  free: '\u0016',
  /** What stands before and after an amount without a currency mark. */
  signBefore: '\u0018',
  signAfter: '\u0019',
  /** Of a date of a series: the rules of the series, as an object. */
  recurrence: '\u0017',
} as const;

export type SlotName = keyof typeof SLOT;
export type SlotValues = { readonly [Name in SlotName]?: string } & {
  /** What the clock of the site shows at an instant. */
  readonly siteTime?: (instant: EpochSeconds) => WallClock;
  /** The code of the currency that a mark means on this site. */
  readonly currency?: (mark: string) => string;
};

const SITE_TIME = '\u0014';
const SITE_TIME_END = '\u0015';
const CURRENCY = '\u001a';
const CURRENCY_END = '\u001b';

/**
 * `JSON.stringify` escapes control characters, including those in data. So until it has run, a slot is text that no
 * data can contain.
 */
const MARK = randomBytes(12).toString('base64url');

/** A slot as a member's value, or at any place in one. */
export const slot = (name: SlotName): string => `${MARK}${name}.`;

/** A slot for an instant in site time: that depends on zone rules, which documents do not use. */
export const siteTime = (instant: EpochSeconds): string => `${MARK}${instant}.`;

/** A slot for the code of a currency: which one a sign means depends on the site. */
export const currencyCode = (mark: string): string => `${MARK}${CURRENCY_NAME}${mark.replaceAll('.', '')}.`;
const CURRENCY_NAME = 'currency=';

/**
 * What a slot replaces besides its mark: the quotes of a whole value, or a whole member with a comma. What may be missing
 * brings its comma along: then a fragment is filled without a look at what surrounds the slot.
 */
const AROUND: { readonly [Name in SlotName]?: readonly [before: string, after: string] } = {
  categories: ['"', '"'],
  tags: ['"', '"'],
  venue: ['"', '"'],
  organizer: ['"', '"'],
  parent: ['"', '"'],
  recurrence: ['"', '"'],
  jsonLdThenComma: ['"json_ld":"', '",'],
  commaThenJsonLd: [',"json_ld":"', '"'],
  location: ['"location":"', '",'],
  organizerLd: ['"organizer":"', '",'],
  commaThenPlace: [',"', '"'],
};

interface Marked {
  readonly character: string;
  /** Characters to leave out before and after the mark. */
  readonly before: number;
  readonly after: number;
}

const MARKED: ReadonlyMap<string, Marked> = new Map(
  Object.entries(SLOT).map(([name, character]) => {
    const [before, after] = AROUND[name as SlotName] ?? ['', '']; // Keys of SLOT itself.
    return [name, { character, before: before.length, after: after.length }];
  }),
);

/** An object as JSON text, with its slots. */
export function fragmentOf(object: object): string {
  const json = JSON.stringify(object);
  let written = '';
  let from = 0;
  for (let at = json.indexOf(MARK); at !== -1; at = json.indexOf(MARK, from)) {
    const end = json.indexOf('.', at + MARK.length);
    const name = json.slice(at + MARK.length, end);
    const marked = MARKED.get(name);
    if (marked) {
      written += json.slice(from, at - marked.before) + marked.character;
      from = end + 1 + marked.after;
    } else {
      const mark = name.startsWith(CURRENCY_NAME) ? name.slice(CURRENCY_NAME.length) : null;
      const filled = mark === null ? SITE_TIME + name + SITE_TIME_END : CURRENCY + mark + CURRENCY_END;
      written += json.slice(from, at) + filled;
      from = end + 1;
    }
  }
  return written + json.slice(from);
}

const NAMES = new Map(Object.entries(SLOT).map(([name, character]) => [character.charCodeAt(0), name as SlotName])); // Keys of SLOT itself.
const ANY_SLOT = new RegExp(
  `[${Object.values(SLOT).join('')}]|${SITE_TIME}(-?\\d+)${SITE_TIME_END}|${CURRENCY}([^${CURRENCY_END}]*)${CURRENCY_END}`,
  'g',
);

/** Puts values into the slots of a fragment; a slot without a value disappears. */
export const fill = (fragment: string, values: SlotValues): string =>
  fragment.replace(ANY_SLOT, (character, instant: string | undefined, mark: string | undefined) => {
    if (instant !== undefined) return values.siteTime?.(Number(instant)) ?? '';
    if (mark !== undefined) return values.currency?.(mark) ?? '';
    const name = NAMES.get(character.charCodeAt(0));
    return (name && values[name]) ?? '';
  });

/** A text for use inside a JSON string, for slots within one. */
export const insideString = (text: string): string => JSON.stringify(text).slice(1, -1);
