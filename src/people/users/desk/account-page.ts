// One's own account: the password, where one is signed in, and tokens for programs.

import type { Answer } from '../../../http/schemas/components.ts';
import { toWallClock } from '../../../kernel/time/zone.ts';
import { dateText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { isRunning } from '../domain/desk-access.ts';
import { tokenList, tokenNote } from './tokens.ts';

export interface AccountShown {
  readonly credentials: readonly Answer<'Credential'>[];
  readonly problem: Problem | null;
  /** A new token, shown once; null if it was shown before. */
  readonly token?: string | null;
}

export function accountPage(request: DeskRequest, { credentials, problem, token }: AccountShown): DeskPage {
  const { words, user, signedIn } = request;
  const { login, email } = signedIn.account;
  return {
    title: words('account'),
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <h1>${words('account')}</h1>
      ${token !== undefined && tokenNote(words, token)}
      <dl class="facts">
        <div><dt>${words('name')}</dt><dd>${user.name}</dd></div>
        <div><dt>${words('login')}</dt><dd>${login}</dd></div>
        ${email !== '' && html`<div><dt>${words('email')}</dt><dd>${email}</dd></div>`}
        <div><dt>${words('role')}</dt><dd>${words(`role_${user.role}`)}</dd></div>
      </dl>
      ${passwordForm(request, problem)}
      ${sessionList(request)}
      ${tokenList(request, { action: '/desk/account/tokens', credentials, problem })}
    </div>`,
  };
}

function passwordForm(request: DeskRequest, problem: Problem | null): Html {
  const { words, signedIn } = request;
  const hasPassword = signedIn.account.passwordHash !== undefined;
  const input = { type: 'password', required: true, maxlength: 1000 };
  const fields = problem?.fields ?? {};
  return html`<section>
    <h2>${words(hasPassword ? 'change_password' : 'set_password')}</h2>
    ${problemNote(problem, {
      password: words('new_password'),
      current: words('current_password'),
      label: words('token_for'),
    })}
    <form method="post" action="/desk/account/password" class="fields">
      ${formFields(request)}
      <input type="hidden" name="username" value=${signedIn.account.login} autocomplete="username" />
      ${textField(
        {
          name: 'current',
          label: words(hasPassword ? 'current_password' : 'current_token'),
          value: '',
          problem: fields.current,
        },
        { ...input, autocomplete: 'current-password' },
      )}
      ${textField(
        {
          name: 'password',
          label: words('new_password'),
          value: '',
          hint: words('password_rule'),
          problem: fields.password,
        },
        { ...input, minlength: 12, autocomplete: 'new-password' },
      )}
      <p class="actions"><button type="submit" class="main">${words('save')}</button></p>
    </form>
  </section>`;
}

function sessionList(request: DeskRequest): Html {
  const { words, signedIn, now, siteZone, language } = request;
  const running = (signedIn.account.sessions ?? []).filter((session) => isRunning(session, now)).toReversed();
  return html`<section>
    <h2>${words('sessions')}</h2>
    <p>${words('sessions_text')}</p>
    <ul class="rows">${running.map(({ id, started }) => {
      const at = toWallClock(started, siteZone);
      return html`<li>
        <span>${words('session_since', { date: `${dateText(language.code, 'medium', at)}, ${dateText(language.code, 'time', at)}` })}</span>
        ${
          id === signedIn.token.session
            ? html`<strong>${words('this_browser')}</strong>`
            : buttonForm(request, '/desk/account/sessions', words('end_session'), { session: String(id) })
        }
      </li>`;
    })}</ul>
  </section>`;
}
