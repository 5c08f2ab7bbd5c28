// The routes of the review queue. Who may see and do what is decided by the API.

import type { FastifyReply } from 'fastify';
import { sendProposed } from '../../../calendar/event/desk/preview.ts';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Json } from '../../../http/schemas/members.ts';
import { type Problem, problemOf, type QueryMembers } from '../../../pages/desk/api.ts';
import { reviewsWaiting } from '../../../pages/desk/home/waiting.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { may, mayAssignAuthors, mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { proposalPage } from './proposal-page.ts';
import { queuePage, REVIEW } from './queue-page.ts';
import {
  hasPreview,
  isUndecided,
  nameIn,
  type Proposal,
  type ProposalsPage,
  type ReadProposal,
  UNDECIDED,
} from './reading.ts';
import { allowedOf, REVIEW_STEPS, type ReviewStep } from './steps.ts';

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
      return show(reply, queuePage(desk, { list, names: await namesIn(desk, list), problem }));
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
function queryOf({ sent, user }: DeskRequest): QueryMembers {
  const whose = textOf(sent, 'whose');
  return {
    state: textOf(sent, 'state') || UNDECIDED,
    kind: textOf(sent, 'kind'),
    opened_after: textOf(sent, 'from'),
    opened_before: textOf(sent, 'to'),
    author: whose === 'mine' ? user.id : undefined,
    reviewer: whose === 'waiting' ? user.id : undefined,
    page: textOf(sent, 'page'),
    per_page: PER_PAGE,
  };
}

/** What the resources would be called, by the number of the proposal. */
async function namesIn({ api }: DeskRequest, { proposals }: ProposalsPage): Promise<ReadonlyMap<number, string>> {
  const read = await Promise.all(proposals.map(({ id }) => api.ask<ReadProposal>(`/proposals/${id}`)));
  return new Map(read.flatMap(({ body, problem }) => (problem ? [] : [[body.id, nameIn(body)] as const])));
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

/** Only of what was shown: who approves has seen what is approved. */
async function take(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, form } = desk;
  const step = REVIEW_STEPS.find((one) => one === textOf(form, 'step'));
  if (step === undefined) return showProposal(reply, id, null);
  const text = textOf(form, 'text').trim();
  const needed = desk.words('missing_field');
  if (step === 'comments' && text === '')
    return showProposal(reply, id, problemOf(desk.words('missing_fields'), { text: needed }));
  const { problem } = await api.send('POST', `/proposals/${id}/${step}`, { text }, { ifMatch: textOf(form, '_etag') });
  if (problem) return showProposal(reply, id, problem);
  return leadTo(reply, `${REVIEW}/${id}`, 'said_step');
}

/** Sends the author's wish again on top of what there is now, without the fields in which theirs is kept. */
async function revise(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, form } = desk;
  const { target, note, changes, conflicts } = await api.read<ReadProposal>(`/proposals/${id}`);
  const kept = (form.keep ?? {}) as { readonly [field: string]: unknown }; // What the parser of forms makes of `keep[…]`.
  const isTheirs = (field: string): boolean =>
    conflicts.some((conflict) => conflict.field === field) && kept[field] !== 'mine';
  const wish: { readonly [field: string]: Json } = Object.fromEntries(
    changes.filter(({ field }) => !isTheirs(field)).map(({ field, after }) => [field, after]),
  );
  const revised = { ...wish, ...(note !== '' && { note }), revises: Number(id) };
  const { problem } = await api.send('POST', `/${COLLECTIONS[target.kind]}/${target.id}/proposals`, revised);
  if (problem) return showProposal(reply, id, problem);
  return leadTo(reply, `${REVIEW}/${id}`, 'said_revised');
}
