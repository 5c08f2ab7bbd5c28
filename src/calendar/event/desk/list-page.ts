// Finding events: filters, the list, and which of them are to be changed together.

import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskWord } from '../../../locales/language.ts';
import { type EventAnswer, venueNames } from '../../../pages/answers.ts';
import { siteMomentText, whenInList } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { hiddenFields, inWordsOf, problemNote } from '../../../pages/desk/forms.ts';
import { choice, filterInput, filtersForm, pagesNav, parkedLabel, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { askedInstant, timeControl } from '../../../pages/desk/time-control.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query, without } from '../../../pages/links.ts';
import { mayListUnpublished, mayReadEveryHistory } from '../../../people/auth/policy.ts';
import type { SavedSearch } from '../../../people/users/domain/saved-searches.ts';
import { sourceOf } from '../../picture/desk/reading.ts';
import type { DeskTerm, EventsPage } from './reading.ts';
import { queryOf, searchesPart } from './searches.ts';

/** Filters of the page, in its address. */
const FILTERS = [
  'search',
  'state',
  'period',
  'category',
  'tag',
  'venue',
  'organizer',
  'series',
  'author',
  'as_of',
  'with',
] as const;
export const STATES = ['publish', 'draft', 'pending', 'future', 'private', 'trash'] as const;
const PERIODS = ['upcoming', 'past', 'all'] as const;

interface EventListContent {
  readonly list: EventsPage;
  readonly categories: readonly DeskTerm[];
  readonly searches: readonly SavedSearch[];
  /** What is wrong with the filters. */
  readonly problem: Problem | null;
}

export function eventListPage(request: DeskRequest, page: EventListContent): DeskPage {
  const { words } = request;
  const { problem } = page;
  return {
    title: words('events'),
    section: '/desk/events',
    problem,
    main: [
      html`<div class="head" id="head" data-live><h1>${words('events')}</h1>
        ${!isAhead(request) && html`<a class="button" href=${address('/desk/calendar', filtersOf(request))}>${words('calendar')}</a>`}
        <a class="button main" href="/desk/events/new">${words('new_event')}</a></div>`,
      problemNote(inWordsOf(problem, { venue: words('field_venue'), organizer: words('field_organizer') })),
      filterForm(request, { categories: page.categories, action: '/desk/events', periods: PERIODS }),
      timeControl(request, {
        at: '/desk/events',
        compare: '/desk/events/compare',
        filters: filtersOf(request),
        now: address('/desk/events', without(filtersOf(request), 'as_of', 'with')),
      }),
      aheadNote(request),
      !isAhead(request) && searchesPart(request, page.searches, queryOf(filtersOf(request))),
      ...results(words(page.list.total === 0 ? 'none_found' : 'found', { total: page.list.total }), [
        resultList(request, page),
        pagesNav(request, page.list.total_pages, '/desk/events', filtersOf(request)),
        downloads(request, page),
      ]),
    ],
  };
}

/** Links to the whole list as a file. */
function downloads(request: DeskRequest, { list }: EventListContent): Html | false {
  const { words, user } = request;
  if (list.total === 0 || isAhead(request)) return false;
  const query = filtersOf(request);
  return html`<p class="actions">
    ${
      mayReadEveryHistory(user) &&
      html`<a href=${address('/desk/events.csv', query)} download>${words('as_table')}</a>
        <a href="/desk/events/many">${words('edited_table')}</a>`
    }
    <a href=${address('/desk/events.ics', query)} download>${words('as_calendar')}</a>
  </p>`;
}

/** A list of the past has what was public then, so states are none of its filters. */
export const isPast = ({ parameters, now, siteZone }: DeskRequest): boolean =>
  textOf(parameters, 'with') === '' && askedInstant(textOf(parameters, 'as_of'), siteZone) <= now;

/** Not the list of now: what is shown may not be there yet, so nothing of it is ticked or linked. */
const isAhead = ({ parameters }: DeskRequest): boolean =>
  textOf(parameters, 'as_of') !== '' || textOf(parameters, 'with') !== '';

function aheadNote(request: DeskRequest): Html | false {
  const { words, parameters, siteZone } = request;
  const [at, members] = [textOf(parameters, 'as_of'), textOf(parameters, 'with')];
  if (!isAhead(request)) return false;
  const instant = askedInstant(at, siteZone);
  const when = Number.isFinite(instant) ? siteMomentText(request, instant) : at;
  return html`<p class="note">${words(isPast(request) ? 'list_then' : 'list_ahead')}${at !== '' && `: ${when}`}${members !== '' && ` (${members})`}</p>`;
}

function resultList(request: DeskRequest, page: EventListContent): Html | false {
  const { words } = request;
  const { events, total } = page.list;
  if (events.length === 0) return false;
  if (isAhead(request)) return html`<div class="scroll">${table(request, events)}</div>`;
  const filters = filtersOf(request).filter(([, value]) => value !== '');
  return html`<form method="get" action="/desk/events/many">
    ${hiddenFields(filters)}
    <div class="scroll">${table(request, events)}</div>
    <p class="actions">
      <button type="submit" name="which" value="ticked">${words('many_ticked')}</button>
      <button type="submit" name="which" value="found">${words('many_found', { total })}</button>
    </p>
  </form>`;
}

export const filtersOf = ({ parameters }: DeskRequest): Query =>
  FILTERS.map((name) => [name, textOf(parameters, name)]);

/** Those that another page has chosen. */
const HIDDEN_FILTERS: ReadonlySet<string> = new Set(['tag', 'venue', 'organizer', 'series', 'author', 'as_of', 'with']);

interface FiltersOffered {
  readonly categories: readonly DeskTerm[];
  /** The page that is narrowed. */
  readonly action: string;
  /** Empty where the page itself says which time it shows. */
  readonly periods: readonly (typeof PERIODS)[number][];
}

export function filterForm(request: DeskRequest, { categories, action, periods }: FiltersOffered): Html {
  const { words, parameters, user } = request;
  const others = filtersOf(request).filter(([name, value]) => HIDDEN_FILTERS.has(name) && value !== '');
  const fields = [
    filterInput('search', words('search'), textOf(parameters, 'search')),
    mayListUnpublished(user) &&
      !isPast(request) &&
      choice('state', words('field_status'), textOf(parameters, 'state'), [
        ['', words('any_state')],
        ...STATES.map((state) => [state, words(`state_${state}`)] as const),
      ]),
    periods.length > 0 &&
      choice(
        'period',
        words('period'),
        textOf(parameters, 'period'),
        periods.map((period, at) => [at === 0 ? '' : period, words(`period_${period}`)]),
      ),
    categories.length > 0 &&
      choice('category', words('field_categories'), textOf(parameters, 'category'), [
        ['', words('any_category')],
        ...categories.map(({ id, name }) => [String(id), name] as const),
      ]),
    others.length > 0 && hiddenFields(others),
  ];
  return filtersForm(request, action, fields, filtersOf(request));
}

const table = (request: DeskRequest, events: readonly EventAnswer[]): Html =>
  html`<table class="stack">
    <thead><tr>${!isAhead(request) && html`<th scope="col"><span class="unseen">${request.words('tick')}</span></th>`}
      ${(['field_title', 'when', 'field_venue', 'field_status'] as const).map(
        (word) => html`<th scope="col">${request.words(word)}</th>`,
      )}</tr></thead>
    <tbody>${events.map((event) => row(request, event))}</tbody>
  </table>`;

function row(request: DeskRequest, event: EventAnswer): Html {
  const { words, site } = request;
  const isNow = !isAhead(request);
  const picture = event.image && sourceOf(site, event.image, 'thumbnail');
  const title = lineOfHtml(event.title) || words('untitled');
  return html`<tr>
    ${isNow && html`<td><input type="checkbox" name="ids[]" value=${event.id} aria-label=${words('tick_event', { title })} /></td>`}
    <td class="named">${picture && html`<img class="thumbnail" src=${picture} alt="" loading="lazy" />`}
      ${isNow || isPast(request) ? html`<a href=${isNow ? `/desk/events/${event.id}` : stateThen(request, event)}>${title}</a>` : title}</td>
    <td>${whenInList(request, event)}</td>
    <td>${venueNames(event).join(', ')}</td>
    <td>${stateLabel(words, event)}</td>
  </tr>`;
}

/** As it was then, behind the list of that time. */
const stateThen = ({ parameters }: DeskRequest, { id }: EventAnswer): string =>
  address(`/desk/events/${id}/history/at`, [['as_of', textOf(parameters, 'as_of')]]);

const stateLabel = (
  words: DeskRequest['words'],
  { status, event_status: takesPlace = 'scheduled', parked_at: parkedAt }: EventAnswer,
): Html =>
  html`<span class=${status === 'publish' ? 'label good' : 'label'}>${words(stateWord(status))}</span>${
    takesPlace !== 'scheduled' && html` <span class="label bad">${words(`takes_place_${takesPlace}`)}</span>`
  }${parkedAt !== undefined && parkedLabel(words)}`;

export const stateWord = (status: string): DeskWord => `state_${STATES.find((state) => state === status) ?? 'publish'}`;
