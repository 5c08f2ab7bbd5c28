// Lists of events: all that is to come, a few days, a category, a tag. With the form that filters them.

import type { EventAnswer } from '../answers.ts';
import type { EventPage } from '../calendar.ts';
import { type Html, html, type Markup } from '../html.ts';
import { address, type Query } from '../links.ts';
import { pageLinks } from '../page-links.ts';
import type { Feeds } from '../periods.ts';
import { type Emptiness, emptyList } from './empty-list.ts';
import { eventCards, heroOf } from './event-cards.ts';
import { type FacetContent, facetChips } from './facets.ts';
import { type FilterContent, filterForm, withPlace } from './filter-form.ts';
import { layout, type Surroundings, type View } from './layout.ts';
import { listTools, onPaper } from './list-tools.ts';

export interface ListContent extends FilterContent {
  readonly title: string;
  readonly description?: Markup;
  /** The categories that are counted, and what filters would leave. */
  readonly facets: Pick<FacetContent, 'categories' | 'counts'>;
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

export function listPage(surroundings: Surroundings, content: ListContent): Html {
  const { description, path, filters, list, current, alternate, feeds, embedded, emptiness, featured = [] } = content;
  const isNew = emptiness === 'new';
  const title = isNew ? surroundings.words('new_calendar') : content.title;
  return layout(surroundings, {
    title,
    canonical: pageAddress(content, list.page),
    ...(alternate !== undefined && { api: alternate }),
    ...(current && { current }),
    feeds,
    filters,
    main: [
      html`<h1>${title}</h1>`,
      ...(description ? [html`<div class="prose" dangerouslySetInnerHTML=${description}></div>`] : []),
      html`<div id="hero" data-live>${featured.length > 0 && heroOf(surroundings, featured)}</div>`,
      ...(isNew ? [] : filtering(surroundings, content)),
      html`<div id="results" data-live>${eventList(surroundings, content)}</div>`,
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
  { title, ...form }: FilterContent & { readonly title: string },
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
const filtering = (surroundings: Surroundings, content: ListContent): Html[] => [
  filterForm(surroundings, content),
  facetChips(surroundings, { ...content, ...content.facets, filters: withPlace(content.filters) }),
  html`<p class="total" role="status" id="total" data-live>${surroundings.words('total', { total: content.list.total })}</p>`,
];

const eventList = (surroundings: Surroundings, content: ListContent): Html =>
  content.list.events.length === 0
    ? emptyList(surroundings, content.emptiness ?? 'filtered')
    : html`<div>
    ${eventCards(surroundings, content.list.events)}
    ${pageLinks(surroundings.words, content.list, (page) => pageAddress(content, page))}
  </div>`;

const pageAddress = ({ path, filters }: ListContent, page: number): string =>
  address(path, [...filters, ['page', page > 1 ? String(page) : '']]);
