// The routes of signing in, which need no session.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isEncrypted } from '../../../http/base-url.ts';
import { ApiError, invalidParameters } from '../../../http/errors.ts';
import { againPage } from '../../../pages/desk/again-page.ts';
import { type Problem, problemFrom } from '../../../pages/desk/api.ts';
import type { Desk } from '../../../pages/desk/dependencies.ts';
import { problemNote } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskSurroundings, textOf } from '../../../pages/desk/page.ts';
import { leadTo, showTo } from '../../../pages/desk/show.ts';
import { html } from '../../../pages/html.ts';
import { parseResetLink, RESET_PATH, sessionText } from '../../auth/sessions.ts';
import { SESSION_SECONDS, SIGN_ON_SESSION_SECONDS } from '../domain/desk-access.ts';
import { type CarriedForm, newPasswordField, type SignInContent, signInPage } from './sign-in-page.ts';

/** Where one may be led after signing in: within the desk. */
const WITHIN = /^\/desk(?:[/?][^\\\s]*)?$/;

export const within = (path: string): string => (WITHIN.test(path) ? path : '/desk');

/** Where the page of the single sign-on posts a token. */
export const HAND_OVER_PATH = '/desk/sign-on';

export function signInRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, settings, signOnPage } = desk;
  const shownWith = (page: Omit<SignInContent, 'signOn'>): SignInContent => ({ ...page, signOn: desk.signOn });

  app.get('/desk/sign-in', async (request, reply) => {
    const around = desk.surroundings(request);
    const to = within(textOf(around.parameters, 'to'));
    if (await access.find(request.cookies[desk.cookieName(around)], around.now)) return leadTo(reply, to);
    return showTo(reply, around, signInPage(around, shownWith({ status: 200, to, carried: null })));
  });

  app.post('/desk/sign-in', async (request, reply) => {
    const around = desk.surroundings(request);
    const { form, words } = around;
    const [to, carried] = [within(textOf(form, 'to')), carriedIn(request, desk)];
    const entering = { login: textOf(form, 'login'), password: textOf(form, 'password') };
    const entered = await access.signIn(entering, settings.limits.credentials(request));
    if (entered === null)
      return showTo(
        reply,
        around,
        signInPage(around, shownWith({ status: 401, to, carried, note: words('sign_in_wrong') })),
      );
    const token = await access.start({ user: entered.user, now: around.now, id: request.id }, entered);
    setCookie(desk, reply, sessionText(token));
    if (carried === null) return leadTo(reply, to);
    const known = await desk.recognise(request, sessionText(token));
    return known === null ? leadTo(reply, to) : showTo(reply, known, againPage(known, carried, 200));
  });

  app.post(HAND_OVER_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const { now, language, words } = around;
    const outcome =
      signOnPage === null
        ? { kind: 'refused' as const, code: 'rest_invalid_token' as const }
        : await access.handOver(textOf(around.form, 'token'));
    if (outcome.kind === 'caller' && outcome.caller !== null) {
      const entered = { user: outcome.caller, ends: now + SIGN_ON_SESSION_SECONDS };
      setCookie(desk, reply, sessionText(await access.start({ user: outcome.caller, now, id: request.id }, entered)));
      return leadTo(reply, within(textOf(around.form, 'to')));
    }
    const refusal = outcome.kind === 'refused' ? new ApiError(outcome.code) : null;
    const page = { status: refusal?.status ?? 401, to: '/desk', carried: null };
    const note = refusal?.text(language) ?? words('sign_in_wrong');
    return showTo(reply, { ...around, form: {} }, signInPage({ ...around, form: {} }, shownWith({ ...page, note })));
  });

  app.get(RESET_PATH, (request, reply) => {
    const around = desk.surroundings(request);
    return showTo(reply, around, newPasswordPage(around, { link: textOf(around.parameters, 'link'), problem: null }));
  });

  app.post(RESET_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const [link, password] = [textOf(around.form, 'link'), textOf(around.form, 'password')];
    const asking = { user: null, now: around.now, id: request.id };
    const parsed = parseResetLink(link);
    // Every attempt derives a key: they are limited like guesses.
    const attempt = settings.limits.credentials(request)({ name: `link ${parsed?.user}`, exists: false });
    try {
      if (parsed === null) throw invalidParameters('link');
      const user = await access.useLink(asking, parsed, password);
      attempt.forgive();
      setCookie(desk, reply, sessionText(await access.start(asking, { user })));
      return leadTo(reply, '/desk', 'said_password');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const answer = problemFrom(error, around.language);
      const problem =
        'password' in answer.fields ? answer : { ...answer, message: around.words('link_invalid'), fields: {} };
      return showTo(reply, around, newPasswordPage(around, { link, problem }));
    }
  });
}

function carriedIn(request: FastifyRequest, desk: Desk): CarriedForm | null {
  const { form } = desk.surroundings(request);
  const path = textOf(form, 'carried_path');
  return path === '' ? null : { path: within(path), fields: textOf(form, 'carried') };
}

/** The cookie of a session. The API does not read it. */
export function setCookie(desk: Desk, reply: FastifyReply, text: string): void {
  const around = desk.surroundings(reply.request);
  reply.setCookie(desk.cookieName(around), text, { ...cookieTerms(around.site), maxAge: SESSION_SECONDS });
}

export function clearCookie(desk: Desk, reply: FastifyReply): void {
  const around = desk.surroundings(reply.request);
  reply.clearCookie(desk.cookieName(around), cookieTerms(around.site));
}

export const cookieTerms = (site: string) => ({
  path: '/',
  httpOnly: true,
  secure: isEncrypted(site),
  sameSite: 'lax' as const,
});

// Setting a new password with a link.

const newPasswordPage = (
  { words }: DeskSurroundings,
  { link, problem }: { readonly link: string; readonly problem: Problem | null },
): DeskPage => ({
  title: words('new_password'),
  problem,
  main: html`<div class="narrow">
    <h1>${words('new_password')}</h1>
    ${problemNote(problem, { password: words('new_password') })}
    <form method="post" action="/desk/new-password" class="fields">
      <input type="hidden" name="link" value=${link} />
      ${newPasswordField(words, problem)}
      <p class="actions"><button type="submit" class="main">${words('save')}</button></p>
    </form>
  </div>`,
});
