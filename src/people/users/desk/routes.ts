// The routes of users. Who may do what, and who must remain, is decided by the API.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HistoryShown } from '../../../editorial/history/desk/history-list.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { AnswerOf } from '../../../http/schemas/components.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayManageUsers } from '../../auth/policy.ts';
import type { addedUser } from '../http/user-schema.ts';
import { userListPage } from './list-page.ts';
import { type Secrets, type Sessions, USERS, type User, type UsersPage } from './reading.ts';
import { userPage } from './user-page.ts';

interface ById {
  readonly Params: { readonly id: string };
}

const PER_PAGE = 25;
const HISTORY_SHOWN = 10;
const NONE: UsersPage = { users: [], total: 0, total_pages: 0 };

export const userSection: DeskSection = {
  word: 'users',
  path: USERS,
  may: mayManageUsers,
  routes(app) {
    app.get(USERS, (_request, reply) => showList(reply, null));
    app.post(USERS, ({ desk }, reply) => add(desk, reply));
    app.get<ById>(`${USERS}/${ID}`, ({ params }, reply) => showUser(reply, params.id, {}, null));
    writes(app);
  },
};

async function showList(reply: FastifyReply, refused: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { sent } = desk;
  const query = { search: textOf(sent, 'search'), role: textOf(sent, 'role'), page: textOf(sent, 'page') };
  const { body, problem } = await desk.api.ask<UsersPage>('/users', { ...query, per_page: PER_PAGE });
  const list = problem ? NONE : body;
  return show(reply, userListPage(desk, { list, page: Number(query.page) || 1, problem: refused ?? problem }));
}

/** Adds a user, and shows how they get in: once. */
async function add({ api, form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const typed = { login: textOf(form, 'login').trim(), role: textOf(form, 'role') };
  const optional = { name: textOf(form, 'name').trim(), email: textOf(form, 'email').trim() };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''));
  const added = await api.send<AnswerOf<typeof addedUser>>(
    ...(['POST', '/users', { ...typed, ...given }, { key: textOf(form, '_key') }] as const),
  );
  if (added.problem) return showList(reply, added.problem);
  const { id, password } = added.body;
  reply.request.desk = { ...reply.request.desk, form: {} };
  return showUser(reply, String(id), { link: await linkFor(api, String(id)), token: password }, null);
}

async function linkFor(api: DeskRequest['api'], id: string): Promise<string> {
  const { body, problem } = await api.send<{ readonly url: string }>('POST', `/users/${id}/password-link`);
  if (problem) throw new ApiProblem(problem);
  return body.url;
}

async function showUser(
  reply: FastifyReply,
  id: string,
  secrets: Secrets,
  problem: Problem | null,
): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const read = await api.ask<User>(`/users/${id}`);
  if (read.problem) throw new ApiProblem(read.problem);
  const { sessions } = await api.read<Sessions>(`/users/${id}/sessions`);
  const { history } = await api.read<{ readonly history: readonly HistoryShown[] }>(`/users/${id}/history`, {
    per_page: HISTORY_SHOWN,
  });
  const tag = read.headers.etag ?? '';
  return show(reply, userPage(desk, { user: read.body, tag, sessions, history, secrets, problem }));
}

function writes(app: FastifyInstance): void {
  app.post<ById>(`${USERS}/${ID}`, async ({ desk, params: { id } }, reply) => {
    const { api, form, words } = desk;
    const patch = {
      name: textOf(form, 'name').trim(),
      email: textOf(form, 'email').trim(),
      role: textOf(form, 'role'),
    };
    const { problem } = await api.send('PATCH', `/users/${id}`, patch, { ifMatch: textOf(form, '_tag') });
    if (problem === null) return leadTo(reply, `${USERS}/${id}`, 'said_saved');
    if (problem.status !== 412) return showUser(reply, id, {}, problem);
    reply.request.desk = { ...desk, form: {} };
    return showUser(reply, id, {}, { ...problem, message: words('others_changed') });
  });

  app.post<ById>(`${USERS}/${ID}/password-link`, async ({ desk, params: { id } }, reply) =>
    showUser(reply, id, { link: await linkFor(desk.api, id) }, null),
  );

  app.post<ById>(`${USERS}/${ID}/tokens`, async ({ desk, params: { id } }, reply) => {
    const { api, form } = desk;
    const issued = await api.send<{ readonly password: string | null }>(
      ...([
        'POST',
        `/users/${id}/credentials`,
        { label: textOf(form, 'label') },
        { key: textOf(form, '_key') },
      ] as const),
    );
    if (issued.problem) return showUser(reply, id, {}, issued.problem);
    reply.request.desk = { ...desk, form: {} };
    return showUser(reply, id, { token: issued.body.password }, null);
  });

  app.post<ById>(`${USERS}/${ID}/tokens/revoke`, async ({ desk, params: { id } }, reply) => {
    const token = encodeURIComponent(textOf(desk.form, 'token'));
    const { problem } = await desk.api.send('DELETE', `/users/${id}/credentials/${token}`);
    return problem ? showUser(reply, id, {}, problem) : leadTo(reply, `${USERS}/${id}`, 'said_revoked');
  });

  app.post<ById>(`${USERS}/${ID}/sessions`, async ({ desk, params: { id } }, reply) => {
    const session = textOf(desk.form, 'session');
    const which = session === '' ? '' : `?session=${encodeURIComponent(session)}`;
    const { problem } = await desk.api.send('DELETE', `/users/${id}/sessions${which}`);
    return problem ? showUser(reply, id, {}, problem) : leadTo(reply, `${USERS}/${id}`, 'said_session_ended');
  });

  app.post<ById>(`${USERS}/${ID}/remove`, async ({ desk, params: { id } }, reply) => {
    const { problem } = await desk.api.send('DELETE', `/users/${id}`);
    return problem ? showUser(reply, id, {}, problem) : leadTo(reply, USERS, 'said_removed');
  });
}
