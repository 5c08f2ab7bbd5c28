// Fields of resources and their values, in words.
import { MEDIA_PATH } from '../../../calendar/picture/domain/picture.ts';
import type { Json } from '../../../http/schemas/members.ts';
import { lineOfHtml, textOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { momentText } from '../../../pages/dates.ts';
import type { DeskSurroundings } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { withWords } from '../../compare/queries/text-changes.ts';
import type { FieldChange, Members } from './reading.ts';

/** The name of a field in forms; of one that no form has, its name in the API. `venue.city` is one of what is embedded. */
export function fieldName(surroundings: DeskSurroundings, field: string): string {
  const { words, language } = surroundings;
  const dot = field.indexOf('.');
  if (dot >= 0)
    return [field.slice(0, dot), field.slice(dot + 1)].map((part) => fieldName(surroundings, part)).join(': ');
  const word = `field_${field === 'notices' ? 'notice' : field}`;
  return word in language.desk ? words(word as DeskWord) : field;
}

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NAMES = ['title', 'venue', 'organizer', 'name', 'url', 'id'];

/** Fields whose values have words in forms. */
const WORDED: { readonly [field: string]: string } = { status: 'state', event_status: 'takes_place' };

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** The value of a field: an uploaded picture, or some lines of plain text. */
export function valueShown(surroundings: DeskSurroundings, field: string, value: Json): Html | string {
  const { words, language } = surroundings;
  const picture = pictureAt(surroundings, value);
  if (picture !== '')
    return html`<img class="thumbnail" src=${picture} alt=${words('picture_number', { id: String(memberOf(value, 'id')) })} loading="lazy" />`;
  const word = `${WORDED[field]}_${String(value)}`;
  if (word in language.desk) return words(word as DeskWord);
  if (typeof value === 'string' && DATE.test(value)) return momentText(language.code, value);
  return plainText(surroundings, value);
}

/** Whether a field has nothing to be shown. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && isObject(value) ? value[name] : undefined;

/** The path of an uploaded picture in its smallest size; '' if the value is none. Pictures of other hosts are not shown. */
function pictureAt({ site }: DeskSurroundings, value: Json): string {
  const url = memberOf(memberOf(memberOf(value, 'sizes'), 'thumbnail'), 'url') ?? memberOf(value, 'url');
  const path = String(url).replace(site, '');
  return path.startsWith(MEDIA_PATH) ? path : '';
}

function plainText(surroundings: DeskSurroundings, value: Json): string {
  const { words } = surroundings;
  if (isEmpty(value)) return words('nothing');
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (typeof value === 'string') return value.includes('<') ? textOfHtml(value) : lineOfHtml(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((one: Json) => plainText(surroundings, one)).join(', ');
  if (!isObject(value)) return '';
  const name = NAMES.map((member) => value[member]).find((one) => one !== undefined && one !== '');
  return name === undefined ? JSON.stringify(value) : plainText(surroundings, name);
}

/** What has changed, field by field; texts by their words. */
export const changeList = (surroundings: DeskSurroundings, changes: readonly FieldChange[]): Html =>
  html`<dl class="changes">${changes.map(
    (change) =>
      html`<div><dt>${fieldName(surroundings, change.field)}</dt><dd>${changeOf(surroundings, change)}</dd></div>`,
  )}</dl>`;

function changeOf(surroundings: DeskSurroundings, change: FieldChange): Html {
  const { field, before, after, words } = change.words ? change : withWords(change);
  if (words)
    return html`<p class="words">${words.map(({ change, text }) =>
      change === 'same' ? text : change === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`,
    )}</p>`;
  return html`<del>${valueShown(surroundings, field, before)}</del> <ins>${valueShown(surroundings, field, after)}</ins>`;
}
