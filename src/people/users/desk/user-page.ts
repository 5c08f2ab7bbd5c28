// One user: profile and role, ways in, tokens, sessions, history.

import { type HistoryShown, historyList } from '../../../editorial/history/desk/history-list.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { roleField } from './list-page.ts';
import { type Secrets, type Sessions, USERS, type User, whenText } from './reading.ts';
import { secretNote, tokenList, tokenNote } from './tokens.ts';

export interface UserShown {
  readonly user: User;
  /** The state that is shown. */
  readonly tag: string;
  readonly sessions: Sessions['sessions'];
  readonly history: readonly HistoryShown[];
  readonly secrets: Secrets;
  readonly problem: Problem | null;
}

export function userPage(request: DeskRequest, shown: UserShown): DeskPage {
  const { words } = request;
  const { user, secrets, problem } = shown;
  return {
    title: user.name,
    section: USERS,
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <h1>${user.name}</h1>
      ${secretNotes(request, secrets)}
      ${problemNote(problem, { name: words('name'), email: words('email'), role: words('role'), label: words('token_for') })}
      ${profileForm(request, shown)}
      <section><h2>${words('password')}</h2>
        ${buttonForm(request, `${USERS}/${user.id}/password-link`, words('make_password_link'))}</section>
      ${sessionList(request, shown)}
      ${tokenList(request, { action: `${USERS}/${user.id}/tokens`, credentials: user.credentials, problem })}
      ${historyList(request, words('history'), shown.history)}
      ${removal(request, user)}
    </div>`,
  };
}

const secretNotes = ({ words }: DeskRequest, { link, token }: Secrets): Html[] => [
  ...(link === undefined ? [] : [secretNote(words('password_link'), link, words('password_link_text'))]),
  ...(token === undefined ? [] : [tokenNote(words, token)]),
];

function profileForm(request: DeskRequest, { user, tag, problem }: UserShown): Html {
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

function sessionList(request: DeskRequest, { user, sessions }: UserShown): Html {
  const { words } = request;
  const action = `${USERS}/${user.id}/sessions`;
  return html`<section><h2>${words('sessions_of')}</h2>
    ${sessions.length === 0 && html`<p>${words('not_signed_in')}</p>`}
    <ul class="rows">${sessions.toReversed().map(
      ({ id, started }) => html`<li><span>${words('session_since', { date: whenText(request, started) })}</span>
        ${buttonForm(request, action, words('end_session'), { session: String(id) })}</li>`,
    )}</ul>
    ${sessions.length > 1 && buttonForm(request, action, words('end_all_sessions'))}
  </section>`;
}

/** Two steps, also without script. */
const removal = (request: DeskRequest, { id }: User): Html =>
  html`<details class="box"><summary>${request.words('remove_user')}</summary>
    <p>${request.words('remove_user_text')}</p>
    ${buttonForm(request, `${USERS}/${id}/remove`, request.words('remove_user_sure'))}
  </details>`;
