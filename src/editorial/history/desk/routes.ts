// The routes of histories: the timeline, old states, comparisons and the way back.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import { ApiProblem, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { askedInstant } from '../../../pages/desk/time-control.ts';
import { address } from '../../../pages/links.ts';
import { comparePage } from './compare-page.ts';
import {
  compared,
  type HistoryPage,
  KINDS,
  type Kind,
  type Members,
  nameIn,
  newestOf,
  pathOf,
  readHistory,
  revisionOn,
  type Subject,
  stateAt,
  undone,
} from './reading.ts';
import { statePage } from './state-page.ts';
import { timelinePage } from './timeline-page.ts';
import { valuesPage } from './values-page.ts';

export function historyRoutes(app: FastifyInstance): void {
  for (const kind of KINDS) routesOf(app, kind);
}

function routesOf(app: FastifyInstance, kind: Kind): void {
  const section = `/desk/${kind.path}`;
  const path = `${section}/${ID}/history`;
  const subjectOf = ({ params }: FastifyRequest<ById>): Subject => ({ kind, section, id: params.id });

  app.get<ById>(path, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const asked = textOf(desk.sent, 'page');
    const found = await readHistory(desk.api, subject, asked);
    return show(
      reply,
      timelinePage(desk, { subject, name: await nameOf(desk, subject), page: Number(asked) || 1, found }),
    );
  });

  app.get<ById>(`${path}/compare`, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const [from, to] = sidesIn(desk);
    if (from === '' || to === '') throw new ApiProblem(problemOf(desk.words('choose_states')));
    const found = await compared(desk.api, subject, from, to);
    return show(reply, comparePage(desk, { subject, name: await nameOf(desk, subject), ...found }));
  });

  app.get<ById>(`${path}/values`, async (request, reply) =>
    show(reply, await valuesPage(request.desk, subjectOf(request))),
  );

  app.get<ById>(`${path}/at`, async (request, reply) => {
    const { desk } = request;
    const subject = subjectOf(request);
    const at = textOf(desk.sent, 'as_of');
    if (at === '') return showState(reply, subject, textOf(desk.sent, 'revision'), null);
    const instant = askedInstant(at, desk.siteZone);
    if (Number.isNaN(instant)) throw new ApiProblem(problemOf(desk.words('choose_state')));
    // What is to come has no revision yet: what will be different is shown instead.
    if (instant > desk.now) return leadTo(reply, address(`${pathOf(subject)}/compare`, [['as_of', at]]));
    return showState(reply, subject, await revisionOn(desk, subject, at), null);
  });

  app.post<ById>(`${path}/revert`, async (request, reply) => {
    const { api, form } = request.desk;
    const subject = subjectOf(request);
    const revision = textOf(form, 'revision');
    const terms = { ifMatch: textOf(form, '_etag'), reason: textOf(form, 'reason') };
    const { status, problem } = await api.send('POST', `/${kind.path}/${subject.id}/revert`, { revision }, terms);
    if (problem) return showState(reply, subject, revision, problem);
    return leadTo(reply, pathOf(subject), status === 202 ? 'said_proposed' : 'said_reverted');
  });
}

/** Two that were chosen, or another time and today, the earlier one first. */
function sidesIn({ sent, now, siteZone }: DeskRequest): readonly [from: string, to: string] {
  const at = textOf(sent, 'as_of');
  if (at === '') return [textOf(sent, 'from'), textOf(sent, 'to')];
  return askedInstant(at, siteZone) > now ? [`@${now}`, at] : [at, `@${now}`];
}

async function showState(
  reply: FastifyReply,
  subject: Subject,
  asked: string,
  problem: Problem | null,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  if (asked === '') throw new ApiProblem(problemOf(desk.words('choose_state')));
  const newest = await newestOf(desk.api, subject);
  const present = await desk.api.ask<Members>(`/${subject.kind.path}/${subject.id}`);
  if (present.problem) throw new ApiProblem(present.problem);
  const state = await stateAt(desk.api, subject, asked);
  const changes =
    Number(asked) < newest ? undone((await compared(desk.api, subject, asked, String(newest))).changes) : null;
  const shown = {
    subject,
    state,
    newest,
    problem,
    revision: Number(asked),
    entry: await entryAt(desk, subject, newest, asked),
    changes,
    etag: present.headers.etag ?? '',
    name: nameIn(desk, subject, present.body),
  };
  return show(reply, await statePage(desk, shown));
}

/** The change that led to a revision: histories are read from the newest. */
async function entryAt({ api }: DeskRequest, { kind, id }: Subject, newest: number, asked: string) {
  const query = { per_page: 1, page: newest - Number(asked) + 1 };
  const { body, problem } = await api.ask<HistoryPage>(`/${kind.path}/${id}/history`, query);
  return problem ? null : (body.history[0] ?? null);
}

const nameOf = async (desk: DeskRequest, subject: Subject): Promise<string> =>
  nameIn(desk, subject, await desk.api.read<Members>(`/${subject.kind.path}/${subject.id}`));
