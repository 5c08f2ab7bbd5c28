// The routes of sets of proposals. Who may do what, and what fits together, is decided by the API.
import type { FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { type ApiAnswer, ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { typedMoment } from '../../../pages/desk/moments.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import type { ReadProposal } from '../../proposals/desk/reading.ts';
import { allowedOf, REVIEW_STEPS, type ReviewStep } from '../../proposals/desk/steps.ts';
import { aheadPage, differencesWith } from './ahead-page.ts';
import { SETS, setListPage } from './list-page.ts';
import { type ChangeSet, isUndecided, type SetMember, type SetsPage, type TriedSet } from './reading.ts';
import { setPage } from './set-page.ts';

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
  const { sent } = desk;
  const query = { state: textOf(sent, 'state'), page: textOf(sent, 'page'), per_page: PER_PAGE };
  const { body, problem } = await desk.api.ask<SetsPage>('/sets', query);
  return show(reply, setListPage(desk, { list: problem ? NONE : body, problem: refused ?? problem }));
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
  const read = await api.ask<ChangeSet>(`/sets/${id}`);
  if (read.problem) return read;
  const proposals = read.body.proposals.filter((one) => String(one) !== textOf(form, 'proposal'));
  return api.send('PATCH', `/sets/${id}`, { proposals }, { ifMatch: read.headers.etag ?? '' });
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

/** Only of what was shown: who approves has seen what is approved. */
async function takeStep({ api, form }: DeskRequest, id: string): Promise<ApiAnswer<unknown>> {
  const step = REVIEW_STEPS.find((one) => one === textOf(form, 'step')) ?? 'comments';
  const text = textOf(form, 'text').trim();
  return api.send('POST', `/sets/${id}/${step}`, { text, ...seenIn(form) }, { ifMatch: textOf(form, '_etag') });
}

/** Only of what was shown: its proposals may have been revised since. */
function seenIn(form: DeskRequest['form']): { readonly revisions?: string } {
  const revisions = textOf(form, '_revisions');
  return revisions === '' ? {} : { revisions };
}

async function showAhead(reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { desk } = reply.request;
  const set = await desk.api.read<ChangeSet>(`/sets/${id}`);
  const found = await differencesWith(desk.api, desk.now, set, textOf(desk.sent, 'page'));
  return show(reply, aheadPage(desk, set, found));
}

async function memberOf({ api }: DeskRequest, id: number): Promise<SetMember> {
  const { body, problem } = await api.ask<ReadProposal>(`/proposals/${id}`);
  return { id, proposal: problem ? null : body };
}
