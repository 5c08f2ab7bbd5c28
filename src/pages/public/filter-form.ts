// The form that filters lists: a form of its own without script, whose fields are the address.
import { byLabelParameter, LABEL_PARAMETERS, type LabelParameter } from '../../calendar/event/domain/event-labels.ts';
import { byParameter, TRAIT_PARAMETERS, type TraitParameter } from '../../calendar/event/domain/event-traits.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { TermView } from '../../queries/published.ts';
import { type Html, html } from '../html.ts';
import { type Query, without } from '../links.ts';
import { type Options, optionsOf } from '../options.ts';
import type { Places } from '../places.ts';
import type { Words } from '../words.ts';
import { valueInWords } from './audience.ts';
import type { Surroundings } from './layout.ts';

/** What fields offer. */
export interface Choices {
  /** Those that have events, each below those that contain it. */
  readonly categories: readonly TermView[];
  readonly tags: readonly TermView[];
  readonly places: Places;
}

/** A field of the form, by its parameter. */
export type Field =
  | 'search'
  | 'when'
  | 'categories'
  | 'tags'
  | 'venue'
  | 'near'
  | 'geoloc_radius'
  | LabelParameter
  | TraitParameter;

export interface FilterContent {
  /** Where the list is, without its filters. */
  readonly path: string;
  /** As they were sent, without the page. */
  readonly filters: Query;
  readonly choices: Choices;
  /** Left out where the page itself decides it. */
  readonly without?: readonly Field[];
  /** Why the filters cannot be used. */
  readonly problem?: string;
}

const FIELDS: readonly Field[] = [
  'search',
  'when',
  'categories',
  'tags',
  'venue',
  'near',
  'geoloc_radius',
  ...LABEL_PARAMETERS,
  ...TRAIT_PARAMETERS,
];
/** Behind "More filters" until they are used. */
const FURTHER: readonly Field[] = ['tags', 'venue', 'near', 'geoloc_radius', ...LABEL_PARAMETERS, ...TRAIT_PARAMETERS];
const DISTANCES_KM = ['5', '10', '50', '100'];
const DEFAULT_KM = '25';

export function filterForm(surroundings: Surroundings, content: FilterContent): Html {
  const { words } = surroundings;
  const { path, choices, without = [], problem } = content;
  const filters = withPlace(content.filters);
  const textOf = (name: string): string => filters.find(([one]) => one === name)?.[1] ?? '';
  const fields = FIELDS.filter((name) => !without.includes(name) && isOffered(name, choices, textOf));
  const others = filters.filter(([name]) => !fields.some((field) => field === name));
  const isUsed = (name: Field) => textOf(name) !== '';
  const fieldsOf = (names: readonly Field[]) =>
    names
      .filter((name) => fields.includes(name))
      .map((name) => FIELD[name]({ surroundings, words, choices, value: textOf(name) }));
  const further = fieldsOf(FURTHER);
  return html`<form class="filters" action=${path} method="get" role="search">
    ${others.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="fields">${fieldsOf(FIELDS.filter((name) => !FURTHER.includes(name)))}</div>
    ${
      further.length > 0 &&
      html`<details open=${FURTHER.some(isUsed)}><summary>${words('more_filters')}</summary>
        <div class="fields">${further}</div></details>`
    }
    <p class="buttons"><button type="submit">${words('show')}</button>
      ${fields.includes('near') && html`<button type="button" class="quiet" data-near-me=${words('no_location')}>${words('near_me')}</button>`}</p>
  </form>`;
}

/** Coordinates in an address are shown as a place. */
export function withPlace(filters: Query): Query {
  const values = new Map(filters);
  const [lat, lng] = [values.get('geoloc_lat'), values.get('geoloc_lng')];
  if (lat === undefined || lng === undefined) return filters;
  const rest = without(filters, 'geoloc_lat', 'geoloc_lng');
  return values.has('near') ? rest : [...rest, ['near', `${lat}, ${lng}`]];
}

function isOffered(field: Field, { categories, tags, places }: Choices, textOf: (name: string) => string): boolean {
  if (textOf(field) !== '') return true;
  if (field === 'categories') return categories.length > 0;
  if (field === 'tags') return tags.length > 0;
  if (field === 'venue') return places.venues.length > 1;
  if (field === 'near' || field === 'geoloc_radius') return places.names.length > 0;
  // Chips offer those that there are.
  return field !== 'languages';
}

interface FieldContent {
  readonly surroundings: Surroundings;
  readonly words: Words;
  readonly choices: Choices;
  readonly value: string;
}

type DrawField = (content: FieldContent) => Html;

const FIELD: { readonly [Name in Field]: DrawField } = {
  ...byParameter(
    (name): DrawField =>
      ({ words, value }) =>
        check(words(`only.${name}`), name, value),
  ),
  ...byLabelParameter(
    (name, { values }): DrawField =>
      ({ surroundings, words, value }) =>
        select(words(`only.${name}`), name, value, [
          ['', words('any')],
          ...values.map((one) => [one, valueInWords(surroundings, name, one)] as const),
        ]),
  ),
  search: ({ words, value }) => html`<label><span>${words('search')}</span>
    <input type="search" name="search" value=${value} maxlength="200" list="found" autocomplete="off" />
    <datalist id="found"></datalist></label>`,
  when: ({ words, value }) =>
    select(words('when'), 'when', value, [
      ['', words('upcoming')],
      ...(['today', 'weekend', 'next_week'] as const).map((period) => [period, words(period)] as const),
    ]),
  categories: ({ words, choices, value }) =>
    select(words('category'), 'categories', value, [
      ['', words('all_categories')],
      ...choices.categories.map(
        ({ slug, name, ancestorSlugs }) => [slug, `${'– '.repeat(ancestorSlugs.length)}${lineOfHtml(name)}`] as const,
      ),
    ]),
  tags: ({ words, choices, value }) =>
    select(words('tag'), 'tags', value, [
      ['', words('all_tags')],
      ...choices.tags.map(({ slug, name }) => [slug, lineOfHtml(name)] as const),
    ]),
  venue: ({ words, choices, value }) =>
    select(words('venue'), 'venue', value, [
      ['', words('all_venues')],
      ...choices.places.venues.map(({ id, venue }) => [String(id), lineOfHtml(venue)] as const),
    ]),
  near: ({ words, choices, value }) => html`<div><label><span>${words('near')}</span>
    <input name="near" list="places" value=${value} maxlength="200" autocomplete="off" placeholder=${words('near_hint')} /></label>
    <datalist id="places">${choices.places.names.map((name) => html`<option value=${name}></option>`)}</datalist></div>`,
  geoloc_radius: ({ words, value }) =>
    select(words('distance'), 'geoloc_radius', value, [
      ['', `${DEFAULT_KM} km`],
      ...DISTANCES_KM.map((km) => [km, `${km} km`] as const),
    ]),
};

/** Words for no, and nothing. */
const NO: readonly string[] = ['', '0', 'false', 'no', 'off'];

const check = (label: string, name: Field, value: string): Html => html`<label class="check">
  <input type="checkbox" name=${name} value="1" checked=${!NO.includes(value)} /><span>${label}</span></label>`;

/** A value of an address that is not among the options is one more of them. */
function select(label: string, name: Field, chosen: string, options: Options): Html {
  const all = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as const];
  return html`<label><span>${label}</span><select name=${name}>${optionsOf(all, chosen)}</select></label>`;
}
