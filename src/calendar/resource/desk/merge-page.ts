// Merging one into another: which one, what it would do, and, once it is done, the way back.

import { fieldName, valueText } from '../../../editorial/history/desk/values.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { reasonField } from '../../../pages/desk/editing.ts';
import { buttonForm, formFields, problemNote } from '../../../pages/desk/forms.ts';
import { filterInput } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { type DeskKind, sectionOf } from './kinds.ts';
import { stateLabel } from './list-page.ts';
import type { Listed, Merge } from './reading.ts';

/** One of the two, as it is named. */
interface Named {
  readonly id: string;
  readonly name: string;
}

interface MergeShown {
  readonly from: Named;
  /** Null: it is still to be chosen. */
  readonly into: Named | null;
  /** What it would do; null if it cannot be done. */
  readonly merge: Merge | null;
  /** Those that it could be merged into. */
  readonly candidates: readonly Listed[];
  readonly problem: Problem | null;
}

export function mergePage(request: DeskRequest, kind: DeskKind, shown: MergeShown): DeskPage {
  const { words } = request;
  const { from, into, merge, problem } = shown;
  const path = `${sectionOf(kind)}/${from.id}`;
  const title = words('merge_of', { name: from.name });
  return {
    title,
    section: sectionOf(kind),
    problem,
    main: [
      html`<p><a href=${path}>${words('back_to', { name: from.name })}</a></p>`,
      html`<h1>${title}</h1>`,
      problemNote(problem),
      into !== null && merge !== null && preview(request, { kind, from, into, merge }),
      choosing(request, kind, shown),
    ],
  };
}

interface Previewed {
  readonly kind: DeskKind;
  readonly from: Named;
  readonly into: Named;
  readonly merge: Merge;
}

function preview(request: DeskRequest, { kind, from, into, merge }: Previewed): Html {
  const { words } = request;
  const section = sectionOf(kind);
  const values = { name: from.name, into: into.name, total: merge.events.count };
  return html`<section class="box" aria-label=${words('what_changes')}>
    <p role="status" class="note">${words('merge_would', values)}</p>
    ${
      merge.differences.length > 0 &&
      html`<div class="scroll" role="region" tabindex="0" aria-label=${words('merge_differs')}><table>
        <caption>${words('merge_differs')}</caption>
        <thead><tr><th scope="col">${words('field')}</th><th scope="col">${words('merge_goes')}</th><th scope="col">${words('merge_stays')}</th></tr></thead>
        <tbody>${merge.differences.map(
          ({ field, goes, stays }) => html`<tr>
            <th scope="row">${fieldName(request, field)}</th>
            <td class="text">${valueText(request, field, goes)}</td>
            <td class="text">${valueText(request, field, stays)}</td>
          </tr>`,
        )}</tbody></table></div>`
    }
    <form method="post" action=${`${section}/${from.id}/merge`}>
      ${formFields(request)}
      <input type="hidden" name="into" value=${into.id} />
      ${reasonField(request, null)}
      <p class="actions"><button class="main" type="submit">${words('merge')}</button>
        <a href=${address(`${section}/${into.id}/merge`, [['into', from.id]])}>${words('merge_other_way')}</a></p>
    </form>
  </section>`;
}

function choosing({ words, sent }: DeskRequest, kind: DeskKind, { from, into, candidates }: MergeShown): Html {
  const path = `${sectionOf(kind)}/${from.id}/merge`;
  return html`<form class="filters" method="get" action=${path} role="search">
      ${filterInput('search', words(into === null ? 'merge_choose' : 'merge_choose_other'), textOf(sent, 'search'), 'text')}
      <p class="actions"><button type="submit">${words('find')}</button></p>
    </form>
    ${
      into === null &&
      (candidates.length === 0
        ? html`<p role="status">${words('none_match')}</p>`
        : html`<ul class="rows">${candidates.map(
            (
              one,
            ) => html`<li><span>${one.name} <small>${one.place || one.id}</small>${kind.isPost && one.status !== 'publish' && html` ${stateLabel(words, one)}`}</span>
              <a class="button" href=${address(path, [['into', String(one.id)]])}>${words('show_it')}<span class="unseen"> ${one.name}</span></a></li>`,
          )}</ul>`)
    }`;
}

interface GoneShown {
  readonly from: Named;
  /** The one that stays; null: it was not merged but deleted. */
  readonly into: Named | null;
  /** Where the way back leads; null where there is none. */
  readonly back: number | null;
  readonly problem: Problem | null;
}

/** In place of the form of one that was merged or deleted. */
export function gonePage(request: DeskRequest, kind: DeskKind, { from, into, back, problem }: GoneShown): DeskPage {
  const { words } = request;
  const section = sectionOf(kind);
  const path = `${section}/${from.id}`;
  return {
    title: from.name,
    section,
    problem,
    main: [
      html`<h1>${from.name}</h1>`,
      problemNote(problem),
      into === null
        ? html`<p class="note">${words('deleted_text')}</p>`
        : html`<p class="note">${words('merged_text')} <a href=${`${section}/${into.id}`}>${into.name}</a></p>`,
      html`<div class="actions"><a class="button" href=${`${path}/history`}>${words('history')}</a>
        ${back !== null && buttonForm(request, `${path}/back`, words(into === null ? 'bring_back' : 'unmerge'), { revision: String(back) })}</div>`,
      into !== null && back !== null && html`<p class="hint">${words('unmerge_text')}</p>`,
    ],
  };
}
