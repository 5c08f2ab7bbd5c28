// The sets of proposals, and opening another one.

import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { choice, pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';
import { CHANGE_SET_STATES } from '../domain/change-set.ts';
import type { SetsPage } from './reading.ts';

export const SETS = '/desk/sets';

interface SetListShown {
  readonly list: SetsPage;
  readonly problem: Problem | null;
}

export function setListPage(request: DeskRequest, { list, problem }: SetListShown): DeskPage {
  const { words, sent, form } = request;
  const state = textOf(sent, 'state');
  const name = { name: 'name', label: words('name'), value: textOf(form, 'name'), problem: problem?.fields.name };
  return {
    title: words('sets'),
    section: SETS,
    problem,
    main: [
      html`<h1>${words('sets')}</h1>`,
      problemNote(problem, { name: words('name') }),
      html`<form class="filters" method="get" action=${SETS}>
        ${choice('state', words('field_status'), state, [
          ['', words('any_set')],
          ...CHANGE_SET_STATES.map((one) => [one, words(`set_${one}`)] as const),
        ])}
        <p class="actions"><button type="submit">${words('find')}</button></p>
      </form>`,
      list.total === 0 && html`<p role="status">${words('no_sets')}</p>`,
      html`<ul class="rows">${list.sets.map(
        (set) => html`<li>
          <div><p class="what"><a href=${`${SETS}/${set.id}`}>${set.name}</a></p>
            <p class="hint">${words('proposals_found', { total: set.proposals.length })} · ${set.author.name} · ${siteMomentText(request, set.opened)}</p></div>
          <p class="hint">${set.at !== null && siteMomentText(request, set.at)}
            <span class=${set.state === 'failed' ? 'label bad' : 'label'}>${words(`set_${set.state}`)}</span></p>
        </li>`,
      )}</ul>`,
      pagesNav(request, list.total_pages, SETS, [['state', state]]),
      html`<form class="box fields narrow" method="post" action=${SETS}>
        ${formFields(request)}
        ${textField(name, { required: true })}
        ${textField({ name: 'description', label: words('field_description'), value: textOf(form, 'description') })}
        <p class="actions"><button class="main" type="submit">${words('new_set')}</button></p>
      </form>`,
    ],
  };
}
