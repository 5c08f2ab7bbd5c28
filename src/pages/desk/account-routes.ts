// The routes of one's own account: password, sessions, signing out.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sessionText } from '../../auth/sessions.ts';
import { ApiError } from '../../http/errors.ts';
import { accountPage } from './account-page.ts';
import { type Problem, problemFrom } from './api.ts';
import type { Desk } from './desk.ts';
import { textOf } from './page.ts';
import { leadTo, show } from './show.ts';
import { clearCookie, setCookie } from './sign-in-routes.ts';

export function accountRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, settings } = desk;
  const askingOf = ({ id, desk: { user, now } }: FastifyRequest) => ({ id, user, now });

  app.get('/desk/account', (request, reply) => show(reply, accountPage(request.desk, null)));

  app.post('/desk/account/password', async (request, reply) => {
    const { desk: asked } = request;
    const { user, words, form } = asked;
    if (!(await knowsCurrent(request))) {
      const message = words('current_wrong');
      return show(reply, accountPage(asked, problemOf(400, message, { current: message })));
    }
    const asking = askingOf(request);
    try {
      await access.setPassword(asking, user.id, textOf(form, 'password'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return show(reply, accountPage(asked, problemFrom(error, asked.language)));
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
