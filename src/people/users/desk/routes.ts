// The routes of users. Who may do what, and who must remain, is decided by the API.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { latestChanges } from '../../../editorial/history/desk/history-list.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { AnswerOf } from '../../../http/schemas/components.ts';
import { queryText } from '../../../kernel/text/query-text.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { buttonForm, choiceField, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { choice, filterInput, filtersForm, pagesNav, results } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { type ById, formsOf, saveTagged, withoutForm } from '../../../pages/desk/section-kit.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { ROLES } from '../../auth/caller.ts';
import { mayManageUsers } from '../../auth/policy.ts';
import type { addedUser } from '../http/user-schema.ts';
import { type Secrets, type Sessions, USERS, type User, type UsersPage } from './reading.ts';
import { issueToken, secretNote, tokenList, tokenNote } from './tokens.ts';

const PER_PAGE = 25;
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
  const { words, parameters } = desk;
  const [search, role] = [textOf(parameters, 'search'), textOf(parameters, 'role')];
  const filters = Object.entries({ search, role });
  const query = { search, role, page: textOf(parameters, 'page'), per_page: PER_PAGE };
  const { body, problem } = await desk.api.ask<UsersPage>('/users', query);
  const list = problem ? NONE : body;
  return show(reply, {
    title: words('users'),
    section: USERS,
    problem: refused ?? problem,
    main: [
      html`<h1>${words('users')}</h1>`,
      filtersForm(
        desk,
        USERS,
        [
          filterInput('search', words('search'), search),
          choice('role', words('role'), role, [
            ['', words('any_role')],
            ...ROLES.map((one) => [one, words(`role_${one}`)] as const),
          ]),
        ],
        filters,
      ),
      ...results(words('users_found', { total: list.total }), [
        html`<ul class="rows">${list.users.map(
          ({ id, name, login, email, role: has }) => html`<li>
          <div><p class="what"><a href=${`${USERS}/${id}`}>${name}</a></p>
            <p class="hint">${[login, email].filter(Boolean).join(' · ')}</p></div>
          <p class="hint"><span class="label">${words(`role_${has}`)}</span></p>
        </li>`,
        )}</ul>`,
        pagesNav(desk, list.total_pages, USERS, filters),
      ]),
      addForm(desk, refused ?? problem),
    ],
  });
}

/** Adds a user, and shows how they get in: once. */
async function add({ api, form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const required = { login: textOf(form, 'login').trim(), role: textOf(form, 'role') };
  const optional = { name: textOf(form, 'name').trim(), email: textOf(form, 'email').trim() };
  const extra = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''));
  const added = await api.send<AnswerOf<typeof addedUser>>('POST', '/users', { ...required, ...extra });
  if (added.problem) return showList(reply, added.problem);
  const { id, password } = added.body;
  withoutForm(reply);
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
  const { body: user, etag: tag } = await api.tagged<User>(`/users/${id}`);
  const { sessions } = await api.read<Sessions>(`/users/${id}/sessions`);
  const history = await latestChanges(desk, `/users/${id}`, desk.words('history'));
  return show(reply, userPage(desk, { user, tag, sessions, history, secrets, problem }));
}

function writes(app: FastifyInstance): void {
  app.post<ById>(`${USERS}/${ID}`, ({ desk: { form }, params: { id } }, reply) =>
    saveTagged(reply, {
      path: `/users/${id}`,
      to: `${USERS}/${id}`,
      members: {
        name: textOf(form, 'name').trim(),
        email: textOf(form, 'email').trim(),
        role: textOf(form, 'role'),
      },
      again: (problem) => showUser(reply, id, {}, problem),
    }),
  );

  app.post<ById>(`${USERS}/${ID}/password-link`, async ({ desk, params: { id } }, reply) =>
    showUser(reply, id, { link: await linkFor(desk.api, id) }, null),
  );

  app.post<ById>(`${USERS}/${ID}/tokens`, async ({ desk, params: { id } }, reply) => {
    const { body, problem } = await issueToken(desk, id);
    if (problem) return showUser(reply, id, {}, problem);
    withoutForm(reply);
    return showUser(reply, id, { token: body.password }, null);
  });

  const form = formsOf(app, USERS, (reply, id, problem) => showUser(reply, id, {}, problem));
  form('tokens/revoke', 'said_revoked', ({ api, form: values }, id) =>
    api.send('DELETE', `/users/${id}/credentials/${encodeURIComponent(textOf(values, 'token'))}`),
  );
  form('sessions', 'said_session_ended', ({ api, form: values }, id) => {
    const session = textOf(values, 'session');
    return api.send('DELETE', `/users/${id}/sessions${queryText(session === '' ? [] : [['session', session]])}`);
  });
  form('remove', 'said_removed', ({ api }, id) => api.send('DELETE', `/users/${id}`), USERS);
}

// One user: profile and role, ways in, tokens, sessions, history.

interface UserContent {
  readonly user: User;
  /** The state that is shown. */
  readonly tag: string;
  readonly sessions: Sessions['sessions'];
  readonly history: Html | false;
  readonly secrets: Secrets;
  readonly problem: Problem | null;
}

function userPage(request: DeskRequest, content: UserContent): DeskPage {
  const { words } = request;
  const { user, secrets, problem } = content;
  return {
    title: user.name,
    section: USERS,
    problem,
    main: html`<div class="narrow">
      <h1>${user.name}</h1>
      ${secretNotes(request, secrets)}
      ${problemNote(problem, { name: words('name'), email: words('email'), role: words('role'), label: words('token_for') })}
      ${profileForm(request, content)}
      <section><h2>${words('password')}</h2>
        ${buttonForm(request, `${USERS}/${user.id}/password-link`, words('make_password_link'))}</section>
      ${sessionList(request, content)}
      ${tokenList(request, { action: `${USERS}/${user.id}/tokens`, credentials: user.credentials, problem })}
      ${content.history}
      ${removal(request, user)}
    </div>`,
  };
}

const secretNotes = ({ words }: DeskRequest, { link, token }: Secrets): Html[] => [
  ...(link === undefined ? [] : [secretNote(words('password_link'), link, words('password_link_text'))]),
  ...(token === undefined ? [] : [tokenNote(words, token)]),
];

function profileForm(request: DeskRequest, { user, tag, problem }: UserContent): Html {
  const { words, form } = request;
  const fields = problem?.fields ?? {};
  const typedOr = (name: string, value: string): string => (name in form ? textOf(form, name) : value);
  const { login, single_sign_on: identity } = user;
  return html`<form method="post" action=${`${USERS}/${user.id}`} class="fields">
    ${formFields({ ...request, form: {} })}
    <input type="hidden" name="_tag" value=${tag} />
    <dl class="facts"><div><dt>${words('login')}</dt><dd>${login}</dd></div>
      ${identity && html`<div><dt>${words('single_sign_on')}</dt><dd>${identity.issuer}: ${identity.subject}</dd></div>`}
    </dl>
    ${textField({ name: 'name', label: words('name'), value: typedOr('name', user.name), problem: fields.name }, { required: true, maxlength: 200 })}
    ${textField({ name: 'email', label: words('email'), value: typedOr('email', user.email), problem: fields.email }, { type: 'email', maxlength: 100 })}
    ${roleField(request, typedOr('role', user.role), fields.role)}
    <p class="actions"><button class="main" type="submit">${words('save')}</button></p>
  </form>`;
}

function sessionList(request: DeskRequest, { user, sessions }: UserContent): Html {
  const { words } = request;
  const action = `${USERS}/${user.id}/sessions`;
  return html`<section><h2>${words('sessions_of')}</h2>
    ${sessions.length === 0 && html`<p>${words('not_signed_in')}</p>`}
    <ul class="rows">${sessions.toReversed().map(
      ({ id, started }) => html`<li><span>${words('session_since', { date: siteMomentText(request, started) })}</span>
        ${buttonForm(request, action, words('end_session'), { session: String(id) })}</li>`,
    )}</ul>
    ${sessions.length > 1 && buttonForm(request, action, words('end_all_sessions'))}
  </section>`;
}

/** Two steps, also without script. */
const removal = (request: DeskRequest, { id }: User): Html =>
  html`<details class="box"><summary>${request.words('remove_user')}</summary>
    <p>${request.words('remove_user_text')}</p>
    ${buttonForm(request, `${USERS}/${id}/remove`, request.words('remove_sure'))}
  </details>`;

function addForm(request: DeskRequest, problem: Problem | null): Html {
  const { words, form } = request;
  const fields = problem?.fields ?? {};
  const named = (name: string, label: string) => ({ name, label, value: textOf(form, name), problem: fields[name] });
  return html`<form class="box fields narrow" method="post" action=${USERS}>
    <h2>${words('new_user')}</h2>
    ${problemNote(problem, { login: words('login'), name: words('name'), email: words('email'), role: words('role') })}
    ${formFields(request)}
    ${textField(named('login', words('login')), { required: true, maxlength: 60, autocapitalize: 'none', autocomplete: 'off' })}
    <div class="pair">
      ${textField(named('name', words('name')), { maxlength: 200, autocomplete: 'off' })}
      ${textField(named('email', words('email')), { type: 'email', maxlength: 100, autocomplete: 'off' })}
    </div>
    ${roleField(request, textOf(form, 'role') || 'editor', fields.role)}
    <p class="actions"><button class="main" type="submit">${words('new_user')}</button></p>
  </form>`;
}

const roleField = ({ words }: DeskRequest, chosen: string, problem: string | undefined): Html =>
  choiceField(
    { name: 'role', label: words('role'), value: chosen, problem },
    ROLES.map((role) => [role, words(`role_${role}`)]),
  );
