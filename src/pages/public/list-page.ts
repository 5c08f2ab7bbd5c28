// Lists of events: all that is to come, a few days, a category, a tag. With the form that filters them.
import type { TermView } from '../../read-model/queries.ts';
import { lineOfHtml } from '../../text/html-text.ts';
import type { EventPage } from '../calendar.ts';
import { type Html, html, type Markup } from '../html.ts';
import { address, type Query } from '../links.ts';
import { eventCards } from './event-cards.ts';
import { type Content, layout, type Surroundings, type View } from './layout.ts';

export interface ListShown {
  readonly title: string;
  readonly description?: Markup;
  /** Where this list is, without its filters. */
  readonly path: string;
  /** The filters as they were sent, without the page. */
  readonly filters: Query;
  readonly list: EventPage;
  readonly current?: View;
  readonly api?: string;
  /** Offered by the form; none where the page is about one. */
  readonly categories: readonly TermView[];
}

export function listPage(surroundings: Surroundings, shown: ListShown): Html {
  const { title, description, path, filters, list, current, api } = shown;
  const { page } = list;
  const content: Content = {
    title,
    canonical: address(path, [...filters, ['page', page > 1 ? String(page) : '']]),
    ...(api !== undefined && { api }),
    ...(current && { current }),
    main: [
      html`<h1>${title}</h1>`,
      ...(description ? [html`<div class="prose" dangerouslySetInnerHTML=${description}></div>`] : []),
      filterForm(surroundings, shown),
      eventList(surroundings, shown),
    ],
  };
  return layout(surroundings, content);
}

function eventList(surroundings: Surroundings, { path, filters, list }: ListShown): Html {
  const { words } = surroundings;
  const { events, total, page, pages } = list;
  if (events.length === 0) return html`<p class="none" role="status">${words('none')}</p>`;
  return html`<div>
    <p class="total" role="status">${words('total', { total })}</p>
    ${eventCards(surroundings, events)}
    ${
      pages > 1 &&
      html`<nav class="pages" aria-label=${words('pages')}>
      ${page > 1 && html`<a rel="prev" href=${pageAddress(path, filters, page - 1)}>${words('previous')}</a>`}
      <span>${words('page_of', { page, pages })}</span>
      ${page < pages && html`<a rel="next" href=${pageAddress(path, filters, page + 1)}>${words('next')}</a>`}
    </nav>`
    }
  </div>`;
}

const pageAddress = (path: string, filters: Query, page: number): string =>
  address(path, [...filters, ['page', page > 1 ? String(page) : '']]);

const sentValue = (filters: Query, wanted: string): string => filters.find(([name]) => name === wanted)?.[1] ?? '';

/** A form of its own without script: its filters are the address. Filters without a field here stay. */
function filterForm({ words }: Surroundings, { path, filters, categories }: ListShown): Html {
  const shownFields = categories.length > 0 ? ['search', 'categories'] : ['search'];
  const others = filters.filter(([name]) => !shownFields.includes(name));
  const isFiltered = shownFields.some((name) => sentValue(filters, name) !== '');
  return html`<form class="filters" action=${path} method="get" role="search">
    ${others.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <label><span>${words('search')}</span>
      <input type="search" name="search" value=${sentValue(filters, 'search')} maxlength="200" /></label>
    ${
      categories.length > 0 &&
      html`<label><span>${words('category')}</span>
        <select name="categories">
          <option value="">${words('all_categories')}</option>
          ${categories.map((category) => option(category, sentValue(filters, 'categories')))}
        </select></label>`
    }
    <button type="submit">${words('show')}</button>
    ${isFiltered && html`<a href=${address(path, others)}>${words('clear')}</a>`}
  </form>`;
}

const option = ({ slug, name, ancestorSlugs }: TermView, chosen: string): Html =>
  html`<option value=${slug} selected=${slug === chosen}>${'– '.repeat(ancestorSlugs.length)}${lineOfHtml(name)}</option>`;
