// The review queue: proposals, found by state, kind, author and age.

import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { inWordsOf, problemNote } from '../../../pages/desk/forms.ts';
import { choice, filterInput, pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';
import type { Query } from '../../../pages/links.ts';
import { RESOURCE_KINDS } from '../../history/queries/resource.ts';
import { PROPOSAL_STATES } from '../domain/proposal.ts';
import { authorText, noteText, type Proposal, type ProposalsPage, wishText } from './reading.ts';

export const REVIEW = '/desk/review';
const FILTERS = ['whose', 'state', 'kind', 'from', 'to'] as const;

interface QueueShown {
  readonly list: ProposalsPage;
  /** What the resources would be called, by the number of the proposal; absent or '' where that is not shown. */
  readonly names: ReadonlyMap<number, string>;
  readonly problem: Problem | null;
}

export function queuePage(request: DeskRequest, { list, names, problem }: QueueShown): DeskPage {
  const { words, sent } = request;
  const filters: Query = FILTERS.map((name) => [name, textOf(sent, name)]);
  return {
    title: words('review'),
    section: REVIEW,
    problem,
    main: [
      html`<h1>${words('review')}</h1>`,
      problemNote(inWordsOf(problem, { opened_after: words('opened_from'), opened_before: words('opened_to') })),
      html`<form class="filters" method="get" action=${REVIEW} role="search">
        ${choice('whose', words('whose'), textOf(sent, 'whose'), [
          ['', words('whose_all')],
          ['mine', words('whose_mine')],
          ['waiting', words('whose_waiting')],
        ])}
        ${choice('state', words('field_status'), textOf(sent, 'state'), [
          ['', words('proposals_undecided')],
          ...PROPOSAL_STATES.map((state) => [state, words(`proposal_${state}`)] as const),
        ])}
        ${choice('kind', words('kind'), textOf(sent, 'kind'), [
          ['', words('any_kind')],
          ...RESOURCE_KINDS.map((kind) => [kind, words(`kind_${kind}`)] as const),
        ])}
        ${filterInput('from', words('opened_from'), textOf(sent, 'from'), 'date')}
        ${filterInput('to', words('opened_to'), textOf(sent, 'to'), 'date')}
        <p class="actions"><button type="submit">${words('find')}</button></p>
      </form>`,
      html`<p role="status">${list.total === 0 ? words('no_proposals') : words('proposals_found', { total: list.total })}</p>`,
      html`<ul class="rows">${list.proposals.map((one) => row(request, one, names.get(one.id) ?? ''))}</ul>`,
      pagesNav(request, list.total_pages, REVIEW, filters),
    ],
  };
}

const row = (request: DeskRequest, proposal: Proposal, name: string) => {
  const { words } = request;
  const { id, state, opened, note, approvals, approvals_needed: needed } = proposal;
  return html`<li>
    <div><p class="what"><a href=${`${REVIEW}/${id}`}>${wishText(request, proposal)}${name !== '' && ` – ${name}`}</a></p>
      ${note !== '' && html`<p class="reason"><q>${noteText(note)}</q></p>`}
      <p class="hint">${siteMomentText(request, opened)} · ${authorText(request, proposal)}</p></div>
    <p class="hint">${needed > 1 && words('approvals_of', { given: approvals.length, needed })}
      <span class=${state === 'applied' ? 'label good' : 'label'}>${words(`proposal_${state}`)}</span></p>
  </li>`;
};
