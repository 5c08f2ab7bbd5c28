// What lists have around them: their filters, how many there are, and the way through their pages.
import { type Html, html } from '../html.ts';
import { address, type Query, without } from '../links.ts';
import { type Options, optionsOf } from '../options.ts';
import { pageLinks } from '../page-links.ts';
import { type Field, field } from './forms.ts';
import { dayInput } from './moments.ts';
import { type DeskRequest, type DeskSurroundings, textOf } from './page.ts';

type Parts = readonly (Html | false | undefined | readonly Html[])[];

/** The page of a list that an address names. */
export const pageIn = ({ parameters }: Pick<DeskSurroundings, 'parameters'>): number =>
  Number(textOf(parameters, 'page')) || 1;

/** `path` and `filters`: of the list. */
export const pagesNav = (request: DeskSurroundings, pages: number, path: string, filters: Query = []): Html | false =>
  pageLinks(request.words, { page: pageIn(request), pages }, (number) =>
    address(path, [...filters, ['page', String(number)]]),
  );

/**
 * The filters of a list, with the way back to all of it. With script they act as they are touched. On a small screen all but
 * the first are behind a button, which says how many of them are in use.
 */
export function filtersForm({ words }: DeskSurroundings, action: string, fields: Parts, filters: Query): Html {
  const [first, ...others] = fields;
  const inUse = filters.filter(([, value]) => value !== '');
  // Another time has a control of its own.
  const folded = without(inUse, filters[0]?.[0] ?? '', 'as_of', 'with').length;
  return html`<form class="filters" id="filters" method="get" action=${action} role="search">
    ${first}
    ${
      others.some(Boolean) &&
      html`<details><summary class="button">${words('filters')}<span id="in-use" data-live>${folded > 0 && ` (${folded})`}</span></summary>
        ${others}</details>`
    }
    <p class="actions"><button type="submit">${words('find')}</button>
      <span id="clear" data-live>${inUse.length > 0 && html`<a href=${action}>${words('clear_filters')}</a>`}</span></p>
  </form>`;
}

/** What filters leave: how many there are, which is said again whenever that changes, and the list. */
export const results = (total: string, list: Parts): readonly Html[] => [
  html`<p role="status" id="total" data-live>${total}</p>`,
  html`<div id="results" data-live>${list}</div>`,
];

/** Behind what is shown as it was before an event that cannot be applied. */
export const parkedLabel = (words: DeskSurroundings['words']): Html =>
  html` <span class="label bad">${words('parked')}</span>`;

/** A choice in a form of filters, with what was chosen. */
export const choice = (name: string, label: string, chosen: string, options: Options): Html =>
  html`<div class="field"><label for=${`filter-${name}`}>${label}</label>
    <select id=${`filter-${name}`} name=${name}>${optionsOf(options, chosen)}</select></div>`;

/** An input in a form of filters. */
export const filterInput = (name: string, label: string, value: string): Html =>
  html`<div class="field"><label for=${`filter-${name}`}>${label}</label>
    <input type="search" id=${`filter-${name}`} name=${name} value=${value} maxlength="200" /></div>`;

/** An input for a day in a form of filters, with the day that was chosen. */
export const filterDay = (request: DeskRequest, props: Omit<Field, 'value'>): Html =>
  field(props, dayInput(request, { ...props, value: textOf(request.parameters, props.name) }));
