// Venues, organizers, categories and tags: what sets their pages apart. A kind is a row here.

import type { MergedKind } from '../../../editorial/merges/domain/merge.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { User } from '../../../people/auth/caller.ts';
import { may, mayManageTerms } from '../../../people/auth/policy.ts';

export interface FormField {
  /** Its name in the API, and in the forms. */
  readonly name: string;
  readonly label: DeskWord;
  readonly input: 'line' | 'text' | 'url' | 'email' | 'tel' | 'decimal' | 'flag' | 'status' | 'parent' | 'picture';
  readonly hint?: DeskWord;
  readonly isRequired?: true;
  /** The API stores it with entities. */
  readonly isEncoded?: true;
}

/** Fields that belong together. */
export interface FormPart {
  readonly legend: DeskWord;
  readonly fields: readonly FormField[];
  /** Folded away, because most leave it alone; open where something in it is wrong. */
  readonly isFolded?: true;
  /** The place that they give is linked to a map. */
  readonly isPlace?: true;
}

export interface DeskKind {
  readonly kind: MergedKind;
  /** Its collection in the API, and its section of the desk. */
  readonly collection: 'venues' | 'organizers' | 'categories' | 'tags';
  /** The field that it is known by. */
  readonly name: 'venue' | 'organizer' | 'name';
  /** Posts have a state and a bin; terms are deleted. */
  readonly isPost: boolean;
  /** Terms of this kind have parents. */
  readonly isTree: boolean;
  readonly newOne: DeskWord;
  readonly may: (user: User) => boolean;
  readonly parts: readonly FormPart[];
  /** Beside them, with the button. */
  readonly aside: readonly FormField[];
}

const named = (name: DeskKind['name']): FormField => ({
  name,
  label: 'field_name',
  input: 'line',
  isRequired: true,
});
const DESCRIPTION: FormField = { name: 'description', label: 'field_description', input: 'text', hint: 'hint_html' };
const SLUG: FormField = { name: 'slug', label: 'field_slug', input: 'line', hint: 'hint_slug_of_name' };
const STATUS: FormField = { name: 'status', label: 'field_status', input: 'status' };
const IMAGE: FormField = { name: 'image', label: 'field_image', input: 'picture', hint: 'hint_image' };
const PHONE: FormField = { name: 'phone', label: 'field_phone', input: 'tel' };
const WEBSITE: FormField = { name: 'website', label: 'field_website', input: 'url' };
const EMAIL: FormField = { name: 'email', label: 'field_email', input: 'email' };

const PLACE: FormPart = {
  legend: 'place',
  isPlace: true,
  fields: [
    { name: 'address', label: 'field_address', input: 'line' },
    { name: 'zip', label: 'field_zip', input: 'line' },
    { name: 'city', label: 'field_city', input: 'line' },
    { name: 'stateprovince', label: 'field_stateprovince', input: 'line' },
    { name: 'country', label: 'field_country', input: 'line' },
    { name: 'geo_lat', label: 'field_geo_lat', input: 'decimal', hint: 'hint_geo' },
    { name: 'geo_lng', label: 'field_geo_lng', input: 'decimal', hint: 'hint_geo' },
    { name: 'show_map', label: 'field_show_map', input: 'flag' },
    { name: 'show_map_link', label: 'field_show_map_link', input: 'flag' },
  ],
};

/** The two that go together: one of them alone would not be a place. */
export const COORDINATES: readonly string[] = ['geo_lat', 'geo_lng'];

const TERM_PART: FormPart = { legend: 'details', fields: [{ ...named('name'), isEncoded: true }, DESCRIPTION] };

const VENUES: DeskKind = {
  kind: 'venue',
  collection: 'venues',
  name: 'venue',
  isPost: true,
  isTree: false,
  newOne: 'new_venue',
  may: (user) => may(user, 'create', 'venue'),
  parts: [
    { legend: 'details', fields: [named('venue'), DESCRIPTION] },
    PLACE,
    { legend: 'contact', isFolded: true, fields: [PHONE, WEBSITE, IMAGE] },
  ],
  aside: [STATUS, SLUG],
};

const ORGANIZERS: DeskKind = {
  kind: 'organizer',
  collection: 'organizers',
  name: 'organizer',
  isPost: true,
  isTree: false,
  newOne: 'new_organizer',
  may: (user) => may(user, 'create', 'organizer'),
  parts: [
    { legend: 'details', fields: [named('organizer'), DESCRIPTION] },
    { legend: 'contact', fields: [EMAIL, PHONE, WEBSITE, IMAGE] },
  ],
  aside: [STATUS, SLUG],
};

const CATEGORIES: DeskKind = {
  kind: 'category',
  collection: 'categories',
  name: 'name',
  isPost: false,
  isTree: true,
  newOne: 'new_category',
  may: (user) => mayManageTerms(user, 'category'),
  parts: [TERM_PART],
  aside: [{ name: 'parent', label: 'field_parent', input: 'parent' }, SLUG],
};

const TAGS: DeskKind = {
  kind: 'tag',
  collection: 'tags',
  name: 'name',
  isPost: false,
  isTree: false,
  newOne: 'new_tag',
  may: (user) => mayManageTerms(user, 'tag'),
  parts: [TERM_PART],
  aside: [SLUG],
};

export const DESK_KINDS: readonly DeskKind[] = [VENUES, ORGANIZERS, CATEGORIES, TAGS];

export const sectionOf = ({ collection }: DeskKind): string => `/desk/${collection}`;

export const fieldsOf = ({ parts, aside }: DeskKind): readonly FormField[] => [
  ...parts.flatMap(({ fields }) => fields),
  ...aside,
];
