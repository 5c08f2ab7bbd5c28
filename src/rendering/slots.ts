// Pre-rendered JSON has slots for what depends on the reader (where links point) or on other documents (what is embedded).
// A slot is a raw control character: JSON text never holds one, so data can never be mistaken for a slot.
import type { EpochSeconds, WallClock } from '../time/zone.ts';

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
} as const;

export type SlotName = keyof typeof SLOT;
export type SlotValues = { readonly [Name in SlotName]?: string } & {
  /** What the clock of the site shows at an instant. */
  readonly siteTime?: (instant: EpochSeconds) => WallClock;
};

const SITE_TIME = '\u0014';
const SITE_TIME_END = '\u0015';

/** A slot for what the clock of the site shows at an instant: that follows from zone rules, which documents never ask. */
export const siteTime = (instant: EpochSeconds): string => `${SITE_TIME}${instant}${SITE_TIME_END}`;

const NAMES = new Map(Object.entries(SLOT).map(([name, character]) => [character.charCodeAt(0), name as SlotName])); // Keys of SLOT itself.
const ANY_SLOT = new RegExp(`[${Object.values(SLOT).join('')}]|${SITE_TIME}(-?\\d+)${SITE_TIME_END}`, 'g');

/** Puts values into the slots of a fragment; a slot without a value disappears. */
export const fill = (fragment: string, values: SlotValues): string =>
  fragment.replace(ANY_SLOT, (character, instant: string | undefined) => {
    if (instant !== undefined) return values.siteTime?.(Number(instant)) ?? '';
    const name = NAMES.get(character.charCodeAt(0));
    return (name && values[name]) ?? '';
  });

/** A text as it stands inside a JSON string, for slots that lie within one. */
export const insideString = (text: string): string => JSON.stringify(text).slice(1, -1);
