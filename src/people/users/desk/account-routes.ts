// The routes of one's own account: password, sessions, signing out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../http/errors.ts';
import { type Problem, problemFrom } from '../../../pages/desk/api.ts';
import type { Desk } from '../../../pages/desk/dependencies.ts';
import { textOf } from '../../../pages/desk/page.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { sessionText } from '../../auth/sessions.ts';
import { type AccountShown, accountPage } from './account-page.ts';
import { clearCookie, setCookie } from './sign-in-routes.ts';

export function accountRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, settings } = desk;
  const askingOf = ({ id, desk: { user, now } }: FastifyRequest) => ({ id, user, now });

  async function showAccount(
    reply: FastifyReply,
    problem: Problem | null,
    made: Pick<AccountShown, 'token'> = {},
  ): Promise<string> {
    const { desk: asked } = reply.request;
    const { credentials } = await asked.api.read<Pick<AccountShown, 'credentials'>>(
      `/users/${asked.user.id}/credentials`,
    );
    return show(reply, accountPage(asked, { credentials, problem, ...made }));
  }

  app.get('/desk/account', (_request, reply) => showAccount(reply, null));

  app.post('/desk/account/tokens', async ({ desk: asked }, reply) => {
    const { api, form, user } = asked;
    const wish = { label: textOf(form, 'label') };
    const issued = await api.send<{ readonly password: string | null }>('POST', `/users/${user.id}/credentials`, wish, {
      key: textOf(form, '_key'),
    });
    if (issued.problem) return showAccount(reply, issued.problem);
    reply.request.desk = { ...asked, form: {} };
    return showAccount(reply, null, { token: issued.body.password });
  });

  app.post('/desk/account/tokens/revoke', async ({ desk: asked }, reply) => {
    const token = encodeURIComponent(textOf(asked.form, 'token'));
    const { problem } = await asked.api.send('DELETE', `/users/${asked.user.id}/credentials/${token}`);
    return problem ? showAccount(reply, problem) : leadTo(reply, '/desk/account', 'said_revoked');
  });

  app.post('/desk/account/password', async (request, reply) => {
    const { desk: asked } = request;
    const { user, words, form } = asked;
    if (!(await knowsCurrent(request))) {
      const message = words('current_wrong');
      return showAccount(reply, problemOf(400, message, { current: message }));
    }
    const asking = askingOf(request);
    try {
      await access.setPassword(asking, user.id, textOf(form, 'password'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return showAccount(reply, problemFrom(error, asked.language));
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

const problemOf = (status: number, message: string, fields: Problem['fields']): Problem => ({
  ...{ status, message, fields },
  code: '',
  data: {},
});
