// Finding venues, organizers, categories and tags. Categories are a tree until something is searched.

import { problemNote } from '../../../pages/desk/forms.ts';
import { choice, filterInput, filtersForm, pagesNav, parkedLabel, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { timeControl } from '../../../pages/desk/time-control.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query } from '../../../pages/links.ts';
import { mayListUnpublished, mayMerge } from '../../../people/auth/policy.ts';
import { type DeskKind, sectionOf } from './kinds.ts';
import { type Branch, type Listed, type ListedPage, STATES } from './reading.ts';

type ListContent = ListedPage | { readonly tree: readonly Branch[] };

export function resourceListPage(request: DeskRequest, kind: DeskKind, page: ListContent): DeskPage {
  const { words, user } = request;
  const section = sectionOf(kind);
  const problem = 'tree' in page ? null : page.problem;
  return {
    title: words(kind.collection),
    section,
    problem,
    main: [
      html`<div class="head"><h1>${words(kind.collection)}</h1>
        ${mayMerge(user, kind.kind) && html`<a class="button" href=${`${section}/duplicates`}>${words('look_alike')}</a>`}
        <a class="button main" href=${`${section}/new`}>${words(kind.newOne)}</a></div>`,
      problemNote(problem),
      filterForm(request, kind),
      timeControl(request, { at: section, now: section, filters: [['search', textOf(request.parameters, 'search')]] }),
      ...('tree' in page ? tree(request, kind, page.tree) : listPart(request, kind, page)),
    ],
  };
}

const filtersOf = ({ parameters }: DeskRequest): Query =>
  ['search', 'state', 'as_of'].map((name) => [name, textOf(parameters, name)]);

function filterForm(request: DeskRequest, kind: DeskKind): Html {
  const { words, parameters, user } = request;
  const states = STATES.map((state) => [state, words(`state_${state}`)] as const);
  const fields = [
    filterInput('search', words('search'), textOf(parameters, 'search')),
    kind.isPost &&
      mayListUnpublished(user) &&
      choice('state', words('field_status'), textOf(parameters, 'state'), [['', words('any_state')], ...states]),
  ];
  return filtersForm(request, sectionOf(kind), fields, filtersOf(request));
}

function listPart(request: DeskRequest, kind: DeskKind, { items: all, total, pages }: ListedPage): readonly Html[] {
  const { words } = request;
  if (all.length === 0) return results(words('none_match'), []);
  return results(words('found_all', { total }), [
    html`<div class="scroll">${table(request, kind, all)}</div>`,
    pagesNav(request, pages, sectionOf(kind), filtersOf(request)),
  ]);
}

function table({ words, parameters }: DeskRequest, kind: DeskKind, all: readonly Listed[]): Html {
  const at = textOf(parameters, 'as_of');
  const pathOf = ({ id }: Listed): string => {
    const own = `${sectionOf(kind)}/${id}`;
    return at === '' ? own : address(`${own}/history/at`, [['as_of', at]]);
  };
  const columns = kind.isPost ? (['place', 'field_status'] as const) : (['events'] as const);
  const isVenue = kind.kind === 'venue';
  return html`<table class="stack">
    <thead><tr><th scope="col">${words('field_name')}</th>${columns.map(
      (word) => html`<th scope="col">${words(word === 'place' && !isVenue ? 'contact' : word)}</th>`,
    )}</tr></thead>
    <tbody>${all.map(
      (one) => html`<tr>
        <td><a href=${pathOf(one)}>${one.name || words('untitled')}</a></td>
        ${kind.isPost ? html`<td>${one.place}</td><td>${stateLabel(words, one)}${one.isParked && parkedLabel(words)}</td>` : html`<td>${one.count}${one.isParked && parkedLabel(words)}</td>`}
      </tr>`,
    )}</tbody>
  </table>`;
}

export function stateLabel(words: DeskRequest['words'], { status, mergedInto }: Listed): Html {
  if (mergedInto !== undefined) return html`<span class="label">${words('merged')}</span>`;
  const state = STATES.find((one) => one === status) ?? 'publish';
  return html`<span class=${state === 'publish' ? 'label good' : 'label'}>${words(`state_${state}`)}</span>`;
}

const tree = (request: DeskRequest, kind: DeskKind, branches: readonly Branch[]): readonly Html[] =>
  branches.length === 0
    ? results(request.words('none_match'), [])
    : results('', [html`<div class="box">${branchList(request, kind, branches)}</div>`]);

const branchList = (request: DeskRequest, kind: DeskKind, branches: readonly Branch[]): Html =>
  html`<ul class="tree">${branches.map(
    ({ id, name, count, below, isParked }) => html`<li>
      <a href=${`${sectionOf(kind)}/${id}`}>${name}</a> <small>${request.words('events_count', { total: count ?? 0 })}</small>${isParked && parkedLabel(request.words)}
      ${below.length > 0 && branchList(request, kind, below)}
    </li>`,
  )}</ul>`;
