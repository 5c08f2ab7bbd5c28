// The routes of webhooks. Who may manage them is decided by the API.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ID } from '../../../http/plugins/routing.ts';
import type { AnswerOf } from '../../../http/schemas/components.ts';
import { ApiProblem, type DeskApi, type Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayManageWebhooks } from '../../../people/auth/policy.ts';
import type { UsersPage } from '../../../people/users/desk/reading.ts';
import type { webhookList, webhookWithSecret } from '../http/webhook-schema.ts';
import { membersIn } from './fields.ts';
import { webhookListPage } from './list-page.ts';
import { type Deliveries, type TestResult, WEBHOOKS, type Webhook } from './reading.ts';
import { type Just, webhookPage } from './webhook-page.ts';

interface ById {
  readonly Params: { readonly id: string };
}

/** Users that are suggested; others are entered by their numbers. */
const MAX_USERS = 100;

export const webhookSection: DeskSection = {
  word: 'webhooks',
  path: WEBHOOKS,
  may: mayManageWebhooks,
  routes(app) {
    app.get(WEBHOOKS, (_request, reply) => showList(reply, null));
    app.post(WEBHOOKS, ({ desk }, reply) => add(desk, reply));
    app.get<ById>(`${WEBHOOKS}/${ID}`, ({ params }, reply) => showOne(reply, params.id, {}, null));
    writes(app);
  },
};

const usersIn = async (api: DeskApi): Promise<UsersPage['users']> =>
  (await api.read<UsersPage>('/users', { per_page: MAX_USERS })).users;

async function showList(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { webhooks } = await desk.api.read<AnswerOf<typeof webhookList>>('/webhooks');
  return show(reply, webhookListPage(desk, { webhooks, users: await usersIn(desk.api), problem }));
}

/** Adds a webhook, and shows its secret: once. */
async function add(desk: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, form } = desk;
  const added = await api.send<AnswerOf<typeof webhookWithSecret>>('POST', '/webhooks', membersIn(form), {
    key: textOf(form, '_key'),
  });
  if (added.problem) return showList(reply, added.problem);
  const { id, secret } = added.body;
  reply.request.desk = { ...desk, form: {} };
  return showOne(reply, String(id), { secret }, null);
}

async function showOne(reply: FastifyReply, id: string, just: Just, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api, sent } = desk;
  const read = await api.ask<Webhook>(`/webhooks/${id}`);
  if (read.problem) throw new ApiProblem(read.problem);
  const deliveries = await api.read<Deliveries>(`/webhooks/${id}/deliveries`, { before: textOf(sent, 'before') });
  const tag = read.headers.etag ?? '';
  const shown = { webhook: read.body, tag, deliveries, users: await usersIn(api), just, problem };
  return show(reply, webhookPage(desk, shown));
}

function writes(app: FastifyInstance): void {
  app.post<ById>(`${WEBHOOKS}/${ID}`, async ({ desk, params: { id } }, reply) => {
    const { api, form, words } = desk;
    const { problem } = await api.send('PATCH', `/webhooks/${id}`, membersIn(form), { ifMatch: textOf(form, '_tag') });
    if (problem === null) return leadTo(reply, `${WEBHOOKS}/${id}`, 'said_saved');
    if (problem.status !== 412) return showOne(reply, id, {}, problem);
    reply.request.desk = { ...desk, form: {} };
    return showOne(reply, id, {}, { ...problem, message: words('others_changed') });
  });

  app.post<ById>(`${WEBHOOKS}/${ID}/rotate`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<AnswerOf<typeof webhookWithSecret>>('POST', `/webhooks/${id}/rotate`);
    return showOne(reply, id, problem ? {} : { secret: body.secret }, problem);
  });

  app.post<ById>(`${WEBHOOKS}/${ID}/test`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await desk.api.send<TestResult>('POST', `/webhooks/${id}/test`);
    return showOne(reply, id, problem ? {} : { tested: body }, problem);
  });

  // These answer with the page itself, so their addresses may be asked for again.
  for (const step of ['rotate', 'test'])
    app.get<ById>(`${WEBHOOKS}/${ID}/${step}`, async ({ params: { id } }, reply) => leadTo(reply, `${WEBHOOKS}/${id}`));

  for (const [step, said] of [
    ['pause', 'said_webhook_paused'],
    ['resume', 'said_webhook_resumed'],
  ] as const)
    app.post<ById>(`${WEBHOOKS}/${ID}/${step}`, async ({ desk, params: { id } }, reply) => {
      const { problem } = await desk.api.send('POST', `/webhooks/${id}/${step}`);
      return problem ? showOne(reply, id, {}, problem) : leadTo(reply, `${WEBHOOKS}/${id}`, said);
    });

  app.post<ById>(`${WEBHOOKS}/${ID}/send-again`, async ({ desk, params: { id } }, reply) => {
    const event = encodeURIComponent(textOf(desk.form, 'event'));
    const { problem } = await desk.api.send('POST', `/webhooks/${id}/deliveries/${event}/send-again`);
    return problem ? showOne(reply, id, {}, problem) : leadTo(reply, `${WEBHOOKS}/${id}`, 'said_webhook_again');
  });

  app.post<ById>(`${WEBHOOKS}/${ID}/remove`, async ({ desk, params: { id } }, reply) => {
    const { problem } = await desk.api.send('DELETE', `/webhooks/${id}`);
    return problem ? showOne(reply, id, {}, problem) : leadTo(reply, WEBHOOKS, 'said_webhook_removed');
  });
}
