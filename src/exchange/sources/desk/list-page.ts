// All sources with their states, and adding another one.

import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { whenText } from '../../../people/users/desk/reading.ts';
import { labelsOf, sourceFields } from './fields.ts';
import { SOURCES, type Source, titleOf } from './reading.ts';

export interface SourceListShown {
  readonly sources: readonly Source[];
  readonly problem: Problem | null;
}

export function sourceListPage(request: DeskRequest, { sources, problem }: SourceListShown): DeskPage {
  const { words } = request;
  return {
    title: words('sources'),
    section: SOURCES,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('sources')}</h1>`,
      html`<p>${words('sources_text')}</p>`,
      sources.length === 0 && html`<p role="status">${words('no_sources')}</p>`,
      html`<ul class="rows">${sources.map((one) => row(request, one))}</ul>`,
      html`<form class="box fields narrow" method="post" action=${SOURCES}>
        <h2>${words('new_source')}</h2>
        ${problemNote(problem, labelsOf(request))}
        ${formFields(request)}
        ${sourceFields(request, { source: null, problem })}
        <p class="actions"><button class="main" type="submit">${words('new_source')}</button></p>
      </form>`,
    ].filter((part) => part !== false),
  };
}

function row(request: DeskRequest, source: Source): Html {
  const { words } = request;
  const { id, name, address, last_poll: last, mode } = source;
  const hint = [
    name === '' ? '' : address,
    words(`source_mode_${mode}`),
    last ? words('source_last', { date: whenText(request, last.begun) }) : words('source_no_polls'),
    source.failures > 0 && last?.problem ? words(`source_problem_${last.problem}`) : '',
  ];
  return html`<li><div><p class="what"><a href=${`${SOURCES}/${id}`}>${titleOf(source)}</a></p>
      <p class="hint">${hint.filter((part) => part !== '').join(' · ')}</p></div>
    <p class="labels">${stateLabels(request, source)}</p></li>`;
}

export function stateLabels({ words }: DeskRequest, { paused, failures, to_confirm: held }: Source): Html[] {
  return [
    paused && html`<span class="label">${words('webhook_state_paused')}</span>`,
    failures > 0 && html`<span class="label bad">${words('source_failed', { count: failures })}</span>`,
    held !== null && html`<span class="label bad">${words('source_held')}</span>`,
    !paused && failures === 0 && html`<span class="label good">${words('source_well')}</span>`,
  ]
    .filter((part) => part !== false)
    .flat();
}
