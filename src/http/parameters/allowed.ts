// Sentences that say what parameters may be: one for each sort of value.
import type { Caller } from '../../auth/caller.ts';
import { phrase, type Wording } from '../../locales/phrases.ts';

/** A sentence about the parameter of this name, for this caller. */
export type Allowed = (name: string, caller: Caller) => Wording;

type Kind = 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'user';

const DATES = ['2027-03-01', '2027-03-01 20:00', '2027-03-01T20:00:00Z'];
const ZONES = ['Europe/Paris', 'UTC+2', '+05:30'];
const ADDRESS = 'https://example.org/';
const PICTURE = 'https://example.org/picture.jpg';
const COSTS = ['12.50', '$10 - $20', 'Free'];

export const range =
  (least: number, most: number): Allowed =>
  (name) =>
    phrase('allowed_range', { name, least, most });

export const countFrom =
  (least: number): Allowed =>
  (name) =>
    phrase('allowed_from', { name, least });

export const oneOf =
  (values: readonly string[]): Allowed =>
  (name) =>
    phrase('allowed_one_of', { name, values });

export const someOf =
  (values: readonly string[]): Allowed =>
  (name) =>
    phrase('allowed_some_of', { name, values });

export const publicStatus: Allowed = (name) => phrase('allowed_public_status', { name });
export const date: Allowed = (name) => phrase('allowed_date', { name, examples: DATES });
export const zone: Allowed = (name) => phrase('allowed_zone', { name, examples: ZONES });
export const address: Allowed = (name) => phrase('allowed_address', { name, example: ADDRESS });
export const picture: Allowed = (name) => phrase('allowed_image', { name, example: PICTURE });

export const costs =
  (most: number): Allowed =>
  (name) =>
    phrase('allowed_cost', { name, examples: COSTS, most });

export const filledText =
  (most: number): Allowed =>
  (name) =>
    phrase('allowed_filled_text', { name, most });

export const text =
  (most: number): Allowed =>
  (name) =>
    phrase('allowed_text', { name, most });

export const characters =
  (least: number, most: number): Allowed =>
  (name) =>
    phrase('allowed_characters', { name, least, most });

export const id =
  (kind: Kind): Allowed =>
  (name) =>
    phrase('allowed_id', { name, kind });

export const ids =
  (kind: Kind, most: number): Allowed =>
  (name) =>
    phrase('allowed_ids', { name, kind, most });

export const anyIds =
  (most: number): Allowed =>
  (name) =>
    phrase('allowed_any_ids', { name, most });

export const terms =
  (kind: Kind, most: number): Allowed =>
  (name) =>
    phrase('allowed_terms', { name, kind, most });

export const termMembers =
  (most: number, mostCharacters: number): Allowed =>
  (name) =>
    phrase('allowed_term_members', { name, most, characters: mostCharacters });

export const slug =
  (kind: Kind): Allowed =>
  (name) =>
    phrase('allowed_slug', { name, kind });

export const coordinate =
  (limit: number, partner: string): Allowed =>
  (name) =>
    phrase('allowed_coordinate', { name, least: -limit, most: limit, partner });

export const distance =
  (most: number): Allowed =>
  (name) =>
    phrase('allowed_distance', { name, most });

export const links =
  (member: string): Allowed =>
  (name) =>
    phrase('allowed_links', { name, member });
