// One user: profile and role, ways in, tokens, sessions, history.
import { type Html, html } from '../../html.ts';
import type { Problem } from '../api.ts';
import { buttonForm, formFields, problemNote, textField } from '../forms.ts';
import { type HistoryShown, historyList } from '../history-list.ts';
import { type DeskPage, type DeskRequest, textOf } from '../page.ts';
import { roleField } from './list-page.ts';
import { type Secrets, type ShownSession, type ShownUser, USERS, whenText } from './reading.ts';

export interface UserShown {
  readonly user: ShownUser;
  /** The state that is shown. */
  readonly tag: string;
  readonly sessions: readonly ShownSession[];
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
      ${tokenList(request, shown)}
      ${historyList(request, words('history'), shown.history)}
      ${removal(request, user)}
    </div>`,
  };
}

const secretNotes = ({ words }: DeskRequest, { link, token }: Secrets): Html[] => [
  ...(link === undefined ? [] : [secretNote(words('password_link'), link, words('password_link_text'))]),
  ...(token === undefined
    ? []
    : [secretNote(words('tokens'), token ?? '', words(token === null ? 'token_gone' : 'token_text'))]),
];

const secretNote = (title: string, secret: string, text: string): Html =>
  html`<div class="note secret" role="status"><h2>${title}</h2>
    ${secret !== '' && html`<p><code>${secret}</code></p>`}
    <p>${text}</p></div>`;

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

function tokenList(request: DeskRequest, { user, problem }: UserShown): Html {
  const { words, form } = request;
  const { id, credentials } = user;
  return html`<section><h2>${words('tokens')}</h2>
    ${credentials.length === 0 && html`<p>${words('no_tokens')}</p>`}
    <ul class="rows">${credentials.map(
      (
        token,
      ) => html`<li><span>${words('token_since', { label: token.label, date: whenText(request, token.issued) })}</span>
        ${buttonForm(request, `${USERS}/${id}/tokens/revoke`, words('revoke'), { token: String(token.id) })}</li>`,
    )}</ul>
    <form method="post" action=${`${USERS}/${id}/tokens`} class="fields">
      ${formFields({ ...request, form: 'label' in form ? form : {} })}
      ${textField({ name: 'label', label: words('token_for'), value: textOf(form, 'label'), problem: problem?.fields.label }, { required: true, maxlength: 200 })}
      <p class="actions"><button type="submit">${words('new_token')}</button></p>
    </form>
  </section>`;
}

/** Two steps, also without script. */
const removal = (request: DeskRequest, { id }: ShownUser): Html =>
  html`<details class="box"><summary>${request.words('remove_user')}</summary>
    <p>${request.words('remove_user_text')}</p>
    ${buttonForm(request, `${USERS}/${id}/remove`, request.words('remove_user_sure'))}
  </details>`;
