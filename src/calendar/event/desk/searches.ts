// The searches that a user has saved for the list of events.
import type { FastifyReply } from 'fastify';
import { type ApiAnswer, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import type { SavedSearch } from '../../../people/users/domain/saved-searches.ts';

const LIST = '/desk/events';
const PATH = `${LIST}/searches`;

interface SavedSearches {
  readonly searches: readonly SavedSearch[];
  readonly etag: string;
}

const pathOf = ({ user }: DeskRequest): string => `/users/${user.id}/searches`;

export async function searchesOf(request: DeskRequest): Promise<SavedSearches> {
  const { body, headers, problem } = await request.api.ask<SavedSearches>(pathOf(request));
  return problem ? { searches: [], etag: '' } : { searches: body.searches, etag: headers.etag ?? '' };
}

type Change = (request: DeskRequest) => Promise<ApiAnswer<unknown>>;

const save: Change = (request) => {
  const { api, form } = request;
  return api.send('PUT', pathOf(request), { name: textOf(form, 'name'), query: textOf(form, 'query') });
};

/** Another of that name would be replaced. */
const rename: Change = async (request) => {
  const { api, form, words } = request;
  const [former, name] = [textOf(form, 'search'), textOf(form, 'name').trim()];
  const { searches, etag } = await searchesOf(request);
  if (former !== name && searches.some((one) => one.name === name))
    return { status: 400, body: null, headers: {}, problem: problemOf(words('search_name_taken')) };
  const { query = '' } = searches.find((one) => one.name === former) ?? {};
  return api.send('PUT', pathOf(request), { name, query, former }, { ifMatch: etag });
};

const remove: Change = (request) =>
  request.api.send('DELETE', `${pathOf(request)}?${new URLSearchParams({ name: textOf(request.form, 'search') })}`);

/** By the last part of the path of their forms. */
export const SEARCH_CHANGES = { save, rename, remove } as const;

/** Carries a change out and leads back to the list. `refuse` shows the list with what is wrong. */
export async function changeSearches(
  reply: FastifyReply,
  change: Change,
  refuse: (problem: Problem) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { problem } = await change(desk);
  if (problem) return refuse(problem);
  const query = textOf(desk.form, 'query');
  return leadTo(reply, query === '' ? LIST : `${LIST}?${query}`, 'said_saved');
}

/** The saved searches as links, with what can be done to them, and the filters of this page as another one. */
export function searchesPart(request: DeskRequest, searches: readonly SavedSearch[], here: string): Html {
  const { words } = request;
  return html`<div class="searches" id="searches" data-live>
    ${searchLinks(request, searches, here, LIST)}
    ${here !== '' && searches.every(({ query }) => query !== here) && saving(request, here)}
    ${
      searches.length > 0 &&
      html`<details><summary>${words('rename')} · ${words('remove')}</summary>
      <ul class="rows">${searches.map((one, at) => html`<li>${renaming(request, one, at)}</li>`)}</ul>
    </details>`
    }
  </div>`;
}

/** `path`: the page that they narrow. */
export const searchLinks = (
  { words }: DeskRequest,
  searches: readonly SavedSearch[],
  here: string,
  path: string,
): Html | false =>
  searches.length > 0 &&
  html`<nav aria-label=${words('saved_searches')}><ul>${searches.map(
    ({ name, query }) =>
      html`<li><a href=${`${path}?${query}`} aria-current=${query === here ? 'true' : undefined}>${name}</a></li>`,
  )}</ul></nav>`;

const saving = (request: DeskRequest, here: string): Html =>
  html`<details><summary>${request.words('save_search')}</summary>
    <form class="filters" method="post" action=${`${PATH}/save`}>
      ${formFields(request)}
      <input type="hidden" name="query" value=${here} />
      ${textField({ name: 'name', label: request.words('search_name'), value: '' }, { required: true, maxlength: 100 })}
      <p class="actions"><button type="submit">${request.words('save')}</button></p>
    </form>
  </details>`;

function renaming(request: DeskRequest, { name }: SavedSearch, at: number): Html {
  const { words } = request;
  const id = `search-${at}`;
  return html`<form class="filters" method="post" action=${`${PATH}/rename`}>
      ${formFields(request)}
      <input type="hidden" name="search" value=${name} />
      <div class="field"><label for=${id}>${words('search_name')}</label>
        <input id=${id} name="name" value=${name} required maxlength="100" /></div>
      <p class="actions"><button type="submit">${words('rename')}</button></p>
    </form>
    ${buttonForm(request, `${PATH}/remove`, words('remove'), { search: name })}`;
}

/** The filters of a list as a query. */
export const queryOf = (filters: Parameters<typeof address>[1]): string => address('', filters).slice(1);
