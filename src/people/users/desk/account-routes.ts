// The routes of one's own account: password, sessions, signing out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../http/errors.ts';
import type { AnswerOf } from '../../../http/schemas/components.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import { type Problem, problemFrom, problemOf } from '../../../pages/desk/api.ts';
import type { Desk } from '../../../pages/desk/dependencies.ts';
import { buttonForm, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { withoutForm } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { sessionText } from '../../auth/sessions.ts';
import { isRunning } from '../domain/desk-access.ts';
import type { credentials as ownCredentials } from '../http/user-schema.ts';
import { clearCookie, setCookie } from './sign-in-routes.ts';
import { issueToken, tokenList, tokenNote } from './tokens.ts';

export function accountRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, settings } = desk;
  const askingOf = ({ id, desk: { user, now } }: FastifyRequest) => ({ id, user, now });

  /** `token`: a new one, shown once; null if it was shown before. */
  async function showAccount(
    reply: FastifyReply,
    problem: Problem | null,
    token?: string | null,
  ): Promise<FastifyReply> {
    const { desk: visit } = reply.request;
    const { words, user, signedIn } = visit;
    const { login, email } = signedIn.account;
    const { credentials } = await visit.api.read<AnswerOf<typeof ownCredentials>>(`/users/${user.id}/credentials`);
    return show(reply, {
      title: words('account'),
      problem,
      main: html`<div class="narrow">
      <h1>${words('account')}</h1>
      ${token !== undefined && tokenNote(words, token)}
      <dl class="facts">
        <div><dt>${words('name')}</dt><dd>${user.name}</dd></div>
        <div><dt>${words('login')}</dt><dd>${login}</dd></div>
        ${email !== '' && html`<div><dt>${words('email')}</dt><dd>${email}</dd></div>`}
        <div><dt>${words('role')}</dt><dd>${words(`role_${user.role}`)}</dd></div>
      </dl>
      ${passwordForm(visit, problem)}
      ${sessionList(visit)}
      ${tokenList(visit, { action: '/desk/account/tokens', credentials, problem })}
    </div>`,
    });
  }

  app.get('/desk/account', (_request, reply) => showAccount(reply, null));

  app.post('/desk/account/tokens', async ({ desk: visit }, reply) => {
    const issued = await issueToken(visit, visit.user.id);
    if (issued.problem) return showAccount(reply, issued.problem);
    withoutForm(reply);
    return showAccount(reply, null, issued.body.password);
  });

  app.post('/desk/account/tokens/revoke', async ({ desk: visit }, reply) => {
    const token = encodeURIComponent(textOf(visit.form, 'token'));
    const { problem } = await visit.api.send('DELETE', `/users/${visit.user.id}/credentials/${token}`);
    return problem ? showAccount(reply, problem) : leadTo(reply, '/desk/account', 'said_revoked');
  });

  app.post('/desk/account/password', async (request, reply) => {
    const { desk: visit } = request;
    const { user, words, form } = visit;
    if (!(await knowsCurrent(request))) {
      const message = words('current_wrong');
      return showAccount(reply, problemOf(message, { current: message }));
    }
    const asking = askingOf(request);
    try {
      await access.setPassword(asking, user.id, textOf(form, 'password'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return showAccount(reply, problemFrom(error, visit.language));
    }
    // All sessions have ended, this one as well.
    setCookie(desk, reply, sessionText(await access.start(asking, { user })));
    return leadTo(reply, '/desk/account', 'said_password');
  });

  /** The password, or for a user without one a token. */
  async function knowsCurrent(request: FastifyRequest): Promise<boolean> {
    const { signedIn, user, form } = request.desk;
    const { account } = signedIn;
    const current = textOf(form, 'current');
    const begin = settings.limits.credentials(request);
    if (account.passwordHash !== undefined) return access.verifyOwn(account, current, begin);
    const entered = await access.signIn({ login: user.login, password: current }, begin);
    return entered?.user.id === user.id;
  }

  app.post('/desk/account/sessions', async (request, reply) => {
    const { user, form } = request.desk;
    await access.end(askingOf(request), user.id, Number(textOf(form, 'session')));
    return leadTo(reply, '/desk/account', 'said_session_ended');
  });

  app.post('/desk/sign-out', async (request, reply) => {
    const { user, signedIn } = request.desk;
    await access.end(askingOf(request), user.id, signedIn.token.session);
    clearCookie(desk, reply);
    return leadTo(reply, '/desk/sign-in', 'said_signed_out');
  });
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
  const { words, signedIn, now } = request;
  const running = (signedIn.account.sessions ?? []).filter((session) => isRunning(session, now)).toReversed();
  return html`<section>
    <h2>${words('sessions')}</h2>
    <p>${words('sessions_text')}</p>
    <ul class="rows">${running.map(
      ({ id, started }) => html`<li>
        <span>${words('session_since', { date: siteMomentText(request, started) })}</span>
        ${
          id === signedIn.token.session
            ? html`<strong>${words('this_browser')}</strong>`
            : buttonForm(request, '/desk/account/sessions', words('end_session'), { session: String(id) })
        }
      </li>`,
    )}</ul>
  </section>`;
}
