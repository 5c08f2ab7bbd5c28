// Lists of events: all that is to come, a few days, a category, a tag. With the form that filters them.

import type { EventAnswer } from '../answers.ts';
import type { EventPage } from '../calendar.ts';
import { type Html, html, type Markup } from '../html.ts';
import { address, type Query } from '../links.ts';
import type { Feeds } from '../periods.ts';
import { type Emptiness, emptyList } from './empty-list.ts';
import { eventCards, heroOf } from './event-cards.ts';
import { type FacetsShown, facetChips } from './facets.ts';
import { type FormShown, filterForm, withPlace } from './filter-form.ts';
import { layout, type Surroundings, type View } from './layout.ts';
import { listTools, onPaper } from './list-tools.ts';

export interface ListShown extends FormShown {
  readonly title: string;
  readonly description?: Markup;
  /** The categories that are counted, and what filters would leave. */
  readonly facets: Pick<FacetsShown, 'categories' | 'counts'>;
  readonly list: EventPage;
  readonly current?: View;
  /** Where the API answers for this page. */
  readonly alternate?: string;
  readonly feeds: Feeds;
  /** The filters for the element that embeds the list. */
  readonly embedded?: Query;
  /** Above the list. */
  readonly featured?: readonly EventAnswer[];
  /** Why there are no events, if there are none. */
  readonly emptiness?: Emptiness;
}

export function listPage(surroundings: Surroundings, shown: ListShown): Html {
  const { description, path, filters, list, current, alternate, feeds, embedded, emptiness, featured = [] } = shown;
  const isNew = emptiness === 'new';
  const title = isNew ? surroundings.words('new_calendar') : shown.title;
  return layout(surroundings, {
    title,
    canonical: pageAddress(shown, list.page),
    ...(alternate !== undefined && { api: alternate }),
    ...(current && { current }),
    feeds,
    filters,
    main: [
      html`<h1>${title}</h1>`,
      ...(description ? [html`<div class="prose" dangerouslySetInnerHTML=${description}></div>`] : []),
      html`<div id="hero" data-live>${featured.length > 0 && heroOf(surroundings, featured)}</div>`,
      ...(isNew ? [] : filtering(surroundings, shown)),
      html`<div id="results" data-live>${eventList(surroundings, shown)}</div>`,
      listTools(surroundings, {
        ...{ title, path: address(path, filters), printed: onPaper(path, filters), feeds },
        ...(embedded && { embedded }),
      }),
    ],
  });
}

/** In place of a list whose filters cannot be used: what was typed is still there, and why it cannot be used. */
export const refusedList = (
  surroundings: Surroundings,
  { title, ...form }: FormShown & { readonly title: string },
): Html =>
  layout(surroundings, {
    title,
    main: [
      html`<h1>${title}</h1>`,
      filterForm(surroundings, form),
      html`<p><a href="/">${surroundings.words('to_list')}</a></p>`,
    ],
  });

/** How many there are is said again whenever that changes. */
const filtering = (surroundings: Surroundings, shown: ListShown): Html[] => [
  filterForm(surroundings, shown),
  facetChips(surroundings, { ...shown, ...shown.facets, filters: withPlace(shown.filters) }),
  html`<p class="total" role="status" id="total" data-live>${surroundings.words('total', { total: shown.list.total })}</p>`,
];

function eventList(surroundings: Surroundings, shown: ListShown): Html {
  const { words } = surroundings;
  const { events, page, pages } = shown.list;
  if (events.length === 0) return emptyList(surroundings, shown.emptiness ?? 'filtered');
  return html`<div>
    ${eventCards(surroundings, events)}
    ${
      pages > 1 &&
      html`<nav class="pages" aria-label=${words('pages')}>
      ${page > 1 && html`<a rel="prev" href=${pageAddress(shown, page - 1)}>${words('previous')}</a>`}
      <span>${words('page_of', { page, pages })}</span>
      ${page < pages && html`<a rel="next" href=${pageAddress(shown, page + 1)}>${words('next')}</a>`}
    </nav>`
    }
  </div>`;
}

const pageAddress = ({ path, filters }: ListShown, page: number): string =>
  address(path, [...filters, ['page', page > 1 ? String(page) : '']]);
