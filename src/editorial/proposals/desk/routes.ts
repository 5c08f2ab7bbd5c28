// The routes of the review queue. Who may see and do what is decided by the API.

import type { FastifyReply } from 'fastify';
import { sendProposed } from '../../../calendar/event/desk/preview.ts';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Json } from '../../../http/schemas/members.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { type Problem, problemOf, type QueryMembers } from '../../../pages/desk/api.ts';
import { formFields, inWordsOf, problemNote } from '../../../pages/desk/forms.ts';
import { reviewsWaiting } from '../../../pages/desk/home/waiting.ts';
import { choice, filterDay, filtersForm, pagesNav, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Query } from '../../../pages/links.ts';
import { may, mayAssignAuthors, mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { guestsLink } from '../../guest-links/desk/guests-link.ts';
import { changeList, fieldName, valueShown } from '../../history/desk/values.ts';
import { RESOURCE_KINDS } from '../../history/queries/resource.ts';
import { PROPOSAL_STATES } from '../domain/proposal.ts';
import {
  authorText,
  hasPreview,
  hiddenIn,
  isUndecided,
  noteText,
  type Proposal,
  type ProposalsPage,
  REVIEW,
  type ReadProposal,
  UNDECIDED,
  wishText,
} from './reading.ts';
import { allowedOf, commentList, REVIEW_STEPS, type ReviewStep, stepForm } from './steps.ts';

const PER_PAGE = 25;
const NONE: ProposalsPage = { proposals: [], total: 0, total_pages: 0 };

export const reviewSection: DeskSection = {
  word: 'review',
  path: REVIEW,
  may: (user) => may(user, 'create', 'event'),
  count: async (request) => (mayReadEveryHistory(request.user) ? reviewsWaiting(request) : 0),
  routes(app) {
    app.get(REVIEW, async ({ desk }, reply) => {
      const { body, problem } = await desk.api.ask<ProposalsPage>('/proposals', queryOf(desk));
      const list = problem ? NONE : body;
      const proposals = await Promise.all(list.proposals.map((one) => inFull(desk, one)));
      const { words, parameters } = desk;
      const filters: Query = FILTERS.map((name) => [name, textOf(parameters, name)]);
      return show(reply, {
        title: words('review'),
        section: REVIEW,
        problem,
        main: [
          html`<h1>${words('review')}</h1>`,
          problemNote(inWordsOf(problem, { opened_after: words('opened_from'), opened_before: words('opened_to') })),
          filtersForm(
            desk,
            REVIEW,
            [
              choice('whose', words('whose'), textOf(parameters, 'whose'), [
                ['', words('whose_all')],
                ['mine', words('whose_mine')],
                ['waiting', words('whose_waiting')],
              ]),
              choice('state', words('field_status'), textOf(parameters, 'state'), [
                ['', words('proposals_undecided')],
                ...PROPOSAL_STATES.map((state) => [state, words(`proposal_${state}`)] as const),
              ]),
              choice('kind', words('kind'), textOf(parameters, 'kind'), [
                ['', words('any_kind')],
                ...RESOURCE_KINDS.map((kind) => [kind, words(`kind_${kind}`)] as const),
              ]),
              filterDay(desk, { name: 'from', label: words('opened_from') }),
              filterDay(desk, { name: 'to', label: words('opened_to') }),
            ],
            filters,
          ),
          ...results(words(list.total === 0 ? 'no_proposals' : 'proposals_found', { total: list.total }), [
            html`<ul class="rows">${proposals.map((one) => row(desk, one))}</ul>`,
            pagesNav(desk, list.total_pages, REVIEW, filters),
          ]),
        ],
      });
    });
    app.get<ById>(`${REVIEW}/${ID}`, async ({ params }, reply) => showProposal(reply, params.id, null));
    app.get<ById>(`${REVIEW}/${ID}/preview`, async ({ desk, params: { id } }, reply) => {
      const proposal = await desk.api.read<ReadProposal>(`/proposals/${id}`);
      return hasPreview(proposal) ? sendProposed(reply, proposal) : leadTo(reply, `${REVIEW}/${id}`);
    });
    app.post<ById>(`${REVIEW}/${ID}/step`, async ({ params }, reply) => take(reply, params.id));
    app.post<ById>(`${REVIEW}/${ID}/revise`, async ({ params }, reply) => revise(reply, params.id));
  },
};

/** The filters of the page as the API takes them; those that are not decided, unless a state is chosen. */
function queryOf({ parameters, user }: DeskRequest): QueryMembers {
  const whose = textOf(parameters, 'whose');
  return {
    state: textOf(parameters, 'state') || UNDECIDED,
    kind: textOf(parameters, 'kind'),
    opened_after: textOf(parameters, 'from'),
    opened_before: textOf(parameters, 'to'),
    author: whose === 'mine' ? user.id : undefined,
    reviewer: whose === 'waiting' ? user.id : undefined,
    page: textOf(parameters, 'page'),
    per_page: PER_PAGE,
  };
}

/** With what the resource would be, which lists leave out; as the list has it if it is not there any more. */
async function inFull({ api }: DeskRequest, proposal: Proposal): Promise<Proposal> {
  const { body, problem } = await api.ask<ReadProposal>(`/proposals/${proposal.id}`);
  return problem ? proposal : body;
}

async function showProposal(reply: FastifyReply, id: string, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { body: proposal, etag } = await desk.api.tagged<ReadProposal>(`/proposals/${id}`);
  const [steps, sets] = await Promise.all([stepsOf(desk, proposal), setsOf(desk, proposal)]);
  return show(reply, proposalPage(desk, { proposal, etag, steps, sets, problem }));
}

/** What the API lets this user do, in the state that the proposal is in. */
async function stepsOf({ api, user }: DeskRequest, proposal: Proposal): Promise<readonly ReviewStep[]> {
  const { id, state, approvals } = proposal;
  const isApproved = state === 'approved_for_set' && approvals.some((one) => one.id === user.id);
  const inState = REVIEW_STEPS.filter(
    (step) =>
      step === 'comments' ||
      (isUndecided(proposal) &&
        (state !== 'changes_requested' || step !== 'request-changes') &&
        (state !== 'approved' || step === 'approve') &&
        !(isApproved && step === 'approve')),
  );
  return allowedOf(api, `/proposals/${id}`, inState);
}

interface OpenSets {
  readonly sets: readonly { readonly id: number; readonly name: string; readonly proposals: readonly number[] }[];
}

/** Those that are still collected, without those that it is in. */
async function setsOf({ api, user }: DeskRequest, { id, state }: Proposal): Promise<OpenSets['sets']> {
  if ((state !== 'open' && state !== 'approved_for_set') || !mayAssignAuthors(user)) return [];
  const { body, problem } = await api.ask<OpenSets>('/sets', { state: 'open', per_page: 50 });
  return problem ? [] : body.sets.filter(({ proposals }) => !proposals.includes(id));
}

/** Takes a step only on the state that was shown, so that nothing is approved that the reviewer has not seen. */
async function take(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, form } = desk;
  const step = REVIEW_STEPS.find((one) => one === textOf(form, 'step'));
  if (step === undefined) return showProposal(reply, id, null);
  const text = textOf(form, 'text').trim();
  if (step === 'comments' && text === '')
    return showProposal(reply, id, problemOf(desk.words('missing_fields'), { text: desk.words('missing_field') }));
  const { problem } = await api.send('POST', `/proposals/${id}/${step}`, { text }, { ifMatch: textOf(form, '_etag') });
  if (problem) return showProposal(reply, id, problem);
  return leadTo(reply, `${REVIEW}/${id}`, 'said_step');
}

/** Sends the author's wish again on top of what there is now, without the fields in which theirs is kept. */
async function revise(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, form } = desk;
  const { target, note, changes, conflicts } = await api.read<ReadProposal>(`/proposals/${id}`);
  const choices = (form.keep ?? {}) as { readonly [field: string]: unknown }; // What the parser of forms makes of `keep[…]`.
  const isTheirs = (field: string): boolean =>
    conflicts.some((conflict) => conflict.field === field) && choices[field] !== 'mine';
  const wish: { readonly [field: string]: Json } = Object.fromEntries(
    changes.filter(({ field }) => !isTheirs(field)).map(({ field, after }) => [field, after]),
  );
  const revised = { ...wish, ...(note !== '' && { note }), revises: Number(id) };
  const { problem } = await api.send('POST', `/${COLLECTIONS[target.kind]}/${target.id}/proposals`, revised);
  if (problem) return showProposal(reply, id, problem);
  return leadTo(reply, `${REVIEW}/${id}`, 'said_revised');
}

// The review queue: proposals, found by state, kind, author and age.

const FILTERS = ['whose', 'state', 'kind', 'from', 'to'] as const;

const row = (request: DeskRequest, proposal: Proposal) => {
  const { id, state, opened, note, approvals, approvals_needed: needed } = proposal;
  return html`<li>
    <div><p class="what"><a href=${`${REVIEW}/${id}`}>${wishText(request, proposal)}</a></p>
      ${note !== '' && html`<p class="reason"><q>${noteText(note)}</q></p>`}
      <p class="hint">${siteMomentText(request, opened)} · ${authorText(request, proposal)}</p></div>
    <p class="hint">${needed > 1 && request.words('approvals_of', { given: approvals.length, needed })}
      <span class=${state === 'applied' ? 'label good' : 'label'}>${request.words(`proposal_${state}`)}</span></p>
  </li>`;
};

// One proposal: what it would change, what has changed meanwhile, what was said about it, and its decision.

interface ProposalContent {
  readonly proposal: ReadProposal;
  /** The entity tag of what is shown. */
  readonly etag: string;
  /** What this user may do about it. */
  readonly steps: readonly ReviewStep[];
  /** Sets that it can be put into. */
  readonly sets: readonly { readonly id: number; readonly name: string }[];
  readonly problem: Problem | null;
}

function proposalPage(request: DeskRequest, page: ProposalContent): DeskPage {
  const { words } = request;
  const { proposal, problem } = page;
  const { changes, target, fits } = proposal;
  const hidden = hiddenIn(request, proposal);
  const title = wishText(request, proposal);
  return {
    title,
    section: REVIEW,
    problem,
    main: [
      html`<p><a href=${REVIEW}>${words('review')}</a></p>`,
      html`<h1>${title}</h1>`,
      problemNote(isTold(page) ? null : problem, { text: words('comment') }),
      facts(request, proposal),
      isUndecided(proposal) && proposal.sets.length > 0 && html`<p class="note">${words('hint_in_set')}</p>`,
      proposal.note !== '' && html`<blockquote class="reason"><p>${noteText(proposal.note)}</p></blockquote>`,
      hidden !== null && html`<p class="note">${hidden}</p>`,
      // A conflict is shown field by field.
      fits === false && proposal.conflicts.length === 0 && html`<div class="problems"><p>${proposal.problem}</p></div>`,
      proposal.conflicts.length > 0 && conflicts(request, page),
      html`<section class="box"><h2>${words('what_changes')}</h2>
        ${changes.length === 0 ? html`<p>${words('no_difference')}</p>` : changeList(request, changes)}
        <p class="actions">${hasPreview(proposal) && html`<a class="button" href=${`${REVIEW}/${proposal.id}/preview`}>${words('preview')}</a>`}
          ${guestsLink(request, 'proposal', proposal.id)}
          ${!proposal.creates && html`<a href=${`/desk/${COLLECTIONS[target.kind]}/${target.id}/history`}>${words('history')}</a>`}</p>
      </section>`,
      commentList(request, proposal.comments),
      stepForm(request, {
        action: `${REVIEW}/${proposal.id}/step`,
        etag: page.etag,
        steps: page.steps,
        problem,
      }),
      page.sets.length > 0 && collecting(request, page),
    ],
  };
}

const facts = (request: DeskRequest, proposal: ReadProposal): Html => {
  const { words } = request;
  const { state, opened, submission, decided_by: decided, approvals, approvals_needed: needed, sets } = proposal;
  const row = (label: string, value: Html | string | readonly Html[]): Html =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
    ${row(words('field_status'), html`<span class=${state === 'applied' ? 'label good' : 'label'}>${words(`proposal_${state}`)}</span>`)}
    ${row(words('proposed_by'), `${authorText(request, proposal)}, ${siteMomentText(request, opened)}`)}
    ${submission && row(words('submitted_by'), [submission.name, submission.email].filter(Boolean).join(' · '))}
    ${
      isUndecided(proposal) &&
      row(
        words('approvals'),
        [words('approvals_of', { given: approvals.length, needed }), ...approvals.map(({ name }) => name)].join(' · '),
      )
    }
    ${
      sets.length > 0 &&
      row(
        words('sets'),
        sets.map(
          ({ id, name, at }, place) =>
            html`${place > 0 && ' · '}<a href=${`/desk/sets/${id}`}>${name}</a>${at !== null && ` (${words('set_at', { date: siteMomentText(request, at) })})`}`,
        ),
      )
    }
    ${decided !== null && row(words('decided_by'), decided.name)}
  </dl>`;
};

/** That others settle a conflict is said with the conflict. */
const isTold = ({ proposal, problem, steps }: ProposalContent): boolean =>
  problem?.code === 'rest_proposal_conflict' && proposal.conflicts.length > 0 && !isSettled({ proposal, steps });

/** Whether this user, as its author or as a reviewer, chooses what is to hold. */
const isSettled = ({ proposal, steps }: Pick<ProposalContent, 'proposal' | 'steps'>): boolean =>
  (steps.includes('withdraw') || steps.includes('reject')) && proposal.action === 'change';

/** Chosen field by field; a choice makes a revision of the proposal. */
function conflicts(request: DeskRequest, { proposal, steps }: ProposalContent): Html {
  const { words } = request;
  const isRevised = isSettled({ proposal, steps });
  const text = (name: string, value: ReadProposal['conflicts'][number]['mine']): Html | string =>
    valueShown(request, name, value);
  const option = (name: string, value: string, label: string): Html =>
    html`<label class="check"><input type="radio" name=${`keep[${name}]`} value=${value} required checked=${textOf(request.form, `keep[${name}]`) === value} /> ${label}</label>`;
  const table = html`<div class="scroll" role="region" tabindex="0" aria-label=${words('conflicts')}><table>
    <thead><tr><th scope="col">${words('field')}</th><th scope="col">${words('conflict_base')}</th>
      <th scope="col">${words('theirs')}</th><th scope="col">${words('conflict_mine')}</th></tr></thead>
    <tbody>${proposal.conflicts.map(
      ({ field: name, base, theirs, mine }) => html`<tr><th scope="row">${fieldName(request, name)}</th>
        <td class="text">${text(name, base)}</td>
        <td class="text">${text(name, theirs)}${isRevised && option(name, 'theirs', words('take_this'))}</td>
        <td class="text">${text(name, mine)}${isRevised && option(name, 'mine', words('take_this'))}</td></tr>`,
    )}</tbody></table></div>`;
  return html`<section class="conflict">
    <h2>${words('conflicts')}</h2>
    ${
      isRevised
        ? html`<form method="post" action=${`${REVIEW}/${proposal.id}/revise`}>${formFields(request)}${table}
            <p class="actions"><button class="main" type="submit">${words('revise')}</button></p></form>`
        : html`<p class="problem" role="alert">${words('conflict_of_author')}</p>${table}`
    }
  </section>`;
}

const collecting = (request: DeskRequest, { proposal, sets }: ProposalContent): Html => {
  const { words } = request;
  return html`<form class="bulk" method="post" action="/desk/sets/collect">
    ${formFields({ ...request, form: {} })}
    <input type="hidden" name="proposal" value=${proposal.id} />
    <div class="field"><label for="set">${words('put_into_set')}</label>
      <select id="set" name="set">${sets.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></div>
    <p class="actions"><button type="submit">${words('carry_out')}</button></p>
  </form>`;
};
