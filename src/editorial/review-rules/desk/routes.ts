// The routes of the rules of review.
import type { FastifyReply } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayReadReviewPolicy } from '../../../people/auth/policy.ts';
import type { HistoryShown } from '../../history/desk/history-list.ts';
import { COLLECTIONS, type Collection, fieldOf, RULES, type Rules, rulesPage, WRITING_ROLES } from './page.ts';

const HISTORY_SHOWN = 10;

export const ruleSection: DeskSection = {
  word: 'rules',
  path: RULES,
  may: mayReadReviewPolicy,
  routes(app) {
    app.get(RULES, (_request, reply) => showRules(reply, null));
    app.post(RULES, ({ desk }, reply) => save(desk, reply));
  },
};

async function showRules(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const read = await api.ask<Rules>('/policy');
  if (read.problem) throw new ApiProblem(read.problem);
  const { history } = await api.read<{ readonly history: readonly HistoryShown[] }>('/policy/history', {
    per_page: HISTORY_SHOWN,
  });
  const maySet = await api.allows('PATCH', '/policy');
  const shown = { rules: read.body, tag: read.headers.etag ?? '', history, problem, maySet };
  return show(reply, rulesPage(desk, shown));
}

async function save(desk: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, form, words } = desk;
  const terms = { ifMatch: textOf(form, '_tag'), reason: textOf(form, '_reason') };
  const patch = Object.fromEntries(COLLECTIONS.map((name) => [name, rulesIn(form, name)]));
  const { problem } = await api.send('PATCH', '/policy', patch, terms);
  if (problem === null) return leadTo(reply, RULES, 'said_saved');
  if (problem.status !== 412) return showRules(reply, problem);
  reply.request.desk = { ...desk, form: {} };
  return showRules(reply, { ...problem, message: words('others_changed') });
}

function rulesIn(form: ParameterMap, name: Collection): object {
  const modes = WRITING_ROLES.map((role) => [role, textOf(form, fieldOf(name, role))]);
  const isTicked = (member: string): boolean => textOf(form, fieldOf(name, member)) === 'true';
  return {
    ...Object.fromEntries(modes),
    approvals: Number(textOf(form, fieldOf(name, 'approvals'))),
    bypass: isTicked('bypass'),
    ...(name === 'events' && { notice: isTicked('notice') ? 'required' : 'optional' }),
  };
}
