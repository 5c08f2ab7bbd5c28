// The routes of sets of proposals. Who may do what, and what fits together, is decided by the API.
import type { FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { toWallClock } from '../../../kernel/time/zone.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { type ApiAnswer, ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField, typedField } from '../../../pages/desk/forms.ts';
import { choice, filtersForm, pagesNav, results } from '../../../pages/desk/lists.ts';
import { momentField, typedMoment } from '../../../pages/desk/moments.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address, type Query } from '../../../pages/links.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { guestsLink } from '../../guest-links/desk/guests-link.ts';
import { changeList } from '../../history/desk/values.ts';
import { hasPreview, hiddenIn, type Proposal, type ReadProposal, wishText } from '../../proposals/desk/reading.ts';
import { allowedOf, commentList, REVIEW_STEPS, type ReviewStep, stepForm } from '../../proposals/desk/steps.ts';
import { CHANGE_SET_STATES } from '../domain/change-set.ts';
import { aheadPage, aheadPathOf, differencesWith, listAhead } from './ahead-page.ts';
import { type ChangeSet, isUndecided, SETS, type SetMember, type SetsPage, type TriedSet } from './reading.ts';

const PER_PAGE = 25;
const NONE: SetsPage = { sets: [], total: 0, total_pages: 0 };

export const setSection: DeskSection = {
  word: 'sets',
  path: SETS,
  may: mayAssignAuthors,
  routes(app) {
    app.get(SETS, async (_request, reply) => showList(reply, null));
    app.post(SETS, async ({ desk }, reply) => open(desk, reply));
    app.post(`${SETS}/collect`, async ({ desk }, reply) => collect(desk, reply));
    app.get<ById>(`${SETS}/${ID}`, async ({ params }, reply) => showSet(reply, params.id, null));
    app.get<ById>(`${SETS}/${ID}/ahead`, async ({ params }, reply) => showAhead(reply, params.id));
    const form = formsOf(app, SETS, showSet);
    form('apply', 'said_set', ({ api, form }, id) =>
      api.send('POST', `/sets/${id}/apply`, seenIn(form), { ifMatch: textOf(form, '_etag') }),
    );
    form('schedule', 'said_set', (desk, id) =>
      desk.api.send('POST', `/sets/${id}/schedule`, { at: typedMoment(desk, 'at').replace('T', ' ') }),
    );
    form('unschedule', 'said_set', ({ api }, id) => api.send('DELETE', `/sets/${id}/schedule`));
    form('withdraw', 'said_set', ({ api }, id) => api.send('DELETE', `/sets/${id}`));
    form('take-out', 'said_set', takeOut);
    form('step', 'said_set', takeStep);
  },
};

async function showList(reply: FastifyReply, refused: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { words, parameters } = desk;
  const state = textOf(parameters, 'state');
  const filters: Query = [['state', state]];
  const query = { state, page: textOf(parameters, 'page'), per_page: PER_PAGE };
  const answer = await desk.api.ask<SetsPage>('/sets', query);
  const list = answer.problem ? NONE : answer.body;
  const problem = refused ?? answer.problem;
  const name = typedField(desk, problem, 'name', 'name');
  return show(reply, {
    title: words('sets'),
    section: SETS,
    problem,
    main: [
      html`<h1>${words('sets')}</h1>`,
      problemNote(problem, { name: words('name') }),
      filtersForm(
        desk,
        SETS,
        [
          choice('state', words('field_status'), state, [
            ['', words('any_set')],
            ...CHANGE_SET_STATES.map((one) => [one, words(`set_${one}`)] as const),
          ]),
        ],
        filters,
      ),
      ...results(list.total === 0 ? words('no_sets') : '', [
        html`<ul class="rows">${list.sets.map(
          (set) => html`<li>
          <div><p class="what"><a href=${`${SETS}/${set.id}`}>${set.name}</a></p>
            <p class="hint">${words('proposals_found', { total: set.proposals.length })} · ${set.author.name} · ${siteMomentText(desk, set.opened)}</p></div>
          <p class="hint">${set.at !== null && siteMomentText(desk, set.at)}
            <span class=${set.state === 'failed' ? 'label bad' : 'label'}>${words(`set_${set.state}`)}</span></p>
        </li>`,
        )}</ul>`,
        pagesNav(desk, list.total_pages, SETS, filters),
      ]),
      html`<form class="box fields narrow" method="post" action=${SETS}>
        ${formFields(desk)}
        ${textField(name, { required: true })}
        ${textField(typedField(desk, null, 'description', 'field_description'))}
        <p class="actions"><button class="main" type="submit">${words('new_set')}</button></p>
      </form>`,
    ],
  });
}

async function open({ api, form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const members = { name: textOf(form, 'name'), description: textOf(form, 'description') };
  const { body, problem } = await api.send<ChangeSet>('POST', '/sets', members);
  if (problem) return showList(reply, problem);
  return leadTo(reply, `${SETS}/${body.id}`, 'said_set');
}

/** A proposal is put into a set from its own page. */
async function collect({ api, form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const id = encodeURIComponent(textOf(form, 'set'));
  const { problem } = await api.send('POST', `/sets/${id}/members`, { proposals: [Number(textOf(form, 'proposal'))] });
  if (problem) throw new ApiProblem(problem);
  return leadTo(reply, `${SETS}/${id}`, 'said_set');
}

async function takeOut({ api, form }: DeskRequest, id: string): Promise<ApiAnswer<unknown>> {
  const answer = await api.ask<ChangeSet>(`/sets/${id}`);
  if (answer.problem) return answer;
  const proposals = answer.body.proposals.filter((one) => String(one) !== textOf(form, 'proposal'));
  return api.send('PATCH', `/sets/${id}`, { proposals }, { ifMatch: answer.headers.etag ?? '' });
}

async function showSet(reply: FastifyReply, id: string, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const { body: set, etag } = await api.tagged<TriedSet>(`/sets/${id}`);
  // One that failed is answered as it failed.
  const again =
    set.state === 'failed'
      ? await api.send<TriedSet>('POST', `/sets/${id}/apply`, { dry_run: true })
      : { body: set, problem: null };
  const members = await Promise.all(set.proposals.map((one) => memberOf(desk, one)));
  const steps = await stepsOf(desk, set);
  const tried = isUndecided(set) && again.problem === null ? again.body : null;
  return show(reply, setPage(desk, { set, members, steps, etag, problem, tried }));
}

const SET_STEPS = ['approve', 'request-changes', 'comments'] as const satisfies readonly ReviewStep[];

/** What the API lets this user do, in the state that the set is in. */
async function stepsOf({ api, user }: DeskRequest, set: ChangeSet): Promise<readonly ReviewStep[]> {
  const { id, proposals, approvals } = set;
  const isOpen = isUndecided(set) && proposals.length > 0;
  const hasApproved = approvals.some((one) => one.id === user.id);
  const inState = SET_STEPS.filter((step) => step === 'comments' || (isOpen && !(step === 'approve' && hasApproved)));
  return allowedOf(api, `/sets/${id}`, inState);
}

/** A step is about the revisions that the page has shown: users approve what they have seen. */
async function takeStep({ api, form }: DeskRequest, id: string): Promise<ApiAnswer<unknown>> {
  const step = REVIEW_STEPS.find((one) => one === textOf(form, 'step')) ?? 'comments';
  const text = textOf(form, 'text').trim();
  return api.send('POST', `/sets/${id}/${step}`, { text, ...seenIn(form) }, { ifMatch: textOf(form, '_etag') });
}

/** The revisions that the page has shown: proposals may have been revised since. */
function seenIn(form: DeskRequest['form']): { readonly revisions?: string } {
  const revisions = textOf(form, '_revisions');
  return revisions === '' ? {} : { revisions };
}

async function showAhead(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const set = await desk.api.read<ChangeSet>(`/sets/${id}`);
  const differences = await differencesWith(desk.api, desk.now, set, textOf(desk.parameters, 'page'));
  return show(reply, aheadPage(desk, set, differences));
}

async function memberOf({ api }: DeskRequest, id: number): Promise<SetMember> {
  const { body, problem } = await api.ask<ReadProposal>(`/proposals/${id}`);
  return { id, proposal: problem ? null : body };
}

// One set: its proposals, what stands in their way, and when they are applied.

interface SetView {
  readonly set: ChangeSet;
  /** What applying it now would come to; null for a set that is decided. */
  readonly tried: TriedSet | null;
  readonly members: readonly SetMember[];
  readonly etag: string;
  /** What this user may do in its review. */
  readonly steps: readonly ReviewStep[];
  readonly problem: Problem | null;
}

function setPage(request: DeskRequest, view: SetView): DeskPage {
  const { words } = request;
  const { set, problem, tried } = view;
  return {
    title: set.name,
    section: SETS,
    problem,
    main: [
      html`<p><a href=${SETS}>${words('sets')}</a></p>`,
      html`<h1>${set.name}</h1>`,
      problemNote(problem, { at: words('apply_at'), text: words('comment') }),
      html`<p><span class=${set.state === 'failed' ? 'label bad' : 'label'}>${words(`set_${set.state}`)}</span>
        ${set.at !== null && html` ${words('set_at', { date: siteMomentText(request, set.at) })}`}</p>`,
      review(request, set),
      set.description !== '' && html`<p>${set.description}</p>`,
      tried !== null &&
        tried.others.length > 0 &&
        html`<p class="note">${words('set_others', { names: tried.others.map(({ name }) => name).join(', ') })}</p>`,
      members(request, view),
      isUndecided(set) &&
        view.members.length > 0 &&
        html`<p class="actions"><a class="button" href=${aheadPathOf(set)}>${words('changes_ahead')}</a>
          <a class="button" href=${listAhead(set)}>${words('list_ahead')}</a>
          ${guestsLink(request, 'set', set.id)}</p>`,
      commentList(request, set.comments),
      stepForm(request, {
        action: `${SETS}/${set.id}/step`,
        etag: view.etag,
        revisions: set.revisions,
        steps: view.steps,
        problem,
      }),
      isUndecided(set) && applying(request, view),
      set.request !== null &&
        html`<p><a class="button" href=${address('/desk/audit/revert', [['request', set.request]])}>${words('undo_set')}</a></p>`,
    ],
  };
}

/** The review of a set that needs approvals, or has been judged all the same. */
function review({ words }: DeskRequest, set: ChangeSet): Html | false {
  const { approvals, approvals_needed: needed, approvals_given, changes_requested: requester } = set;
  const isJudged = approvals.length > 0 || requester !== null;
  if (!isUndecided(set) || (needed === 0 && !isJudged)) return false;
  const count = needed === 0 ? approvals.length : approvals_given;
  const review = [words('approvals_of', { given: count, needed }), ...approvals.map(({ name }) => name)];
  return html`<dl class="facts">
    <div><dt>${words('approvals')}</dt><dd>${review.join(' · ')}</dd></div>
    ${requester !== null && html`<div><dt>${words('proposal_changes_requested')}</dt><dd>${requester.name}</dd></div>`}
  </dl>`;
}

function members(request: DeskRequest, { set, tried, members: all }: SetView): Html {
  const { words } = request;
  const problems = tried?.problems ?? set.problems;
  // The last one stays: a set that is not wanted is withdrawn.
  const isShrinking = isUndecided(set) && all.length > 1;
  if (all.length === 0) return html`<p role="status">${words('set_empty')}</p>`;
  return html`<ul class="rows">${all.map(
    ({ id, proposal }) => html`<li>
      <div><p class="what"><a href=${`/desk/review/${id}`}>${proposal === null ? `${words('kind_proposal')} ${id}` : wishText(request, proposal)}</a></p>
        ${
          proposal !== null &&
          html`<p class="hint">${words(`proposal_${proposal.state}`)}</p>
        ${changeList(request, proposal.changes)}
        ${hasPreview(proposal) && html`<p><a href=${previewIn(set, proposal)}>${words('preview')}</a></p>`}
        ${hiddenIn(request, proposal) !== null && html`<p class="note">${hiddenIn(request, proposal)}</p>`}`
        }
        ${problems.filter((one) => one.proposal === id).map(({ problem }) => html`<p class="problem">${problem}</p>`)}</div>
      ${isShrinking && buttonForm(request, `${SETS}/${set.id}/take-out`, words('take_out'), { proposal: String(id) })}
    </li>`,
  )}</ul>`;
}

/** An event with everything else that the set changes; a new event is shown by its proposal. */
const previewIn = ({ id, at }: ChangeSet, { id: proposal, creates, target }: Proposal): string =>
  creates
    ? `/desk/review/${proposal}/preview`
    : address(`/desk/events/${target.id}/preview`, [
        ['with', `set:${id}`],
        ['as_of', at ?? ''],
      ]);

function applying(request: DeskRequest, { set: { id, at, revisions }, etag, problem, steps }: SetView): Html {
  const { words, siteZone } = request;
  const planned = at === null ? '' : toWallClock(Math.floor(Date.parse(at) / 1000), siteZone).replace(' ', 'T');
  const value = typedMoment(request, 'at') || planned.slice(0, 16);
  return html`<section class="box fields">
    <div class="actions">${buttonForm(request, `${SETS}/${id}/apply`, words('apply_now'), { _etag: etag, _revisions: revisions.join() }, steps.includes('approve') ? undefined : 'main')}
      ${at !== null && buttonForm(request, `${SETS}/${id}/unschedule`, words('unschedule'))}
      ${buttonForm(request, `${SETS}/${id}/withdraw`, words('step_withdraw'), {}, 'danger')}</div>
    <form method="post" action=${`${SETS}/${id}/schedule`}>
      ${formFields({ ...request, form: {} })}
      ${momentField(request, { name: 'at', label: words('apply_at'), value, problem: problem?.fields.at, hint: siteZone.name }, { required: true })}
      <p class="actions"><button type="submit">${words('schedule_it')}</button></p>
    </form>
  </section>`;
}
