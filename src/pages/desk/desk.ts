// The editors' desk, as a Fastify plugin: who is signed in, forged requests, errors, and the routes of its sections.
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { guestRoutes } from '../../editorial/guest-links/desk/guest-routes.ts';
import { sharingRoutes } from '../../editorial/guest-links/desk/sharing-routes.ts';
import { historyRoutes } from '../../editorial/history/desk/routes.ts';
import { isEncrypted } from '../../http/base-url.ts';
import { forbidden } from '../../http/errors.ts';
import { FORM, MULTIPART } from '../../http/parameters/content-type.ts';
import { bytesOf, MAX_TEXT, readForm } from '../../http/parameters/multipart.ts';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import { readTextForm } from '../../http/parameters/request-body.ts';
import { nextTurn } from '../../kernel/event-loop/turns.ts';
import { derivedId } from '../../kernel/text/derived-id.ts';
import type { User } from '../../people/auth/caller.ts';
import { formToken, isFormToken } from '../../people/auth/sessions.ts';
import { accountRoutes } from '../../people/users/desk/account-routes.ts';
import { carriedForm, type SignOnContent, signInPage } from '../../people/users/desk/sign-in-page.ts';
import { HAND_OVER_PATH, signInRoutes } from '../../people/users/desk/sign-in-routes.ts';
import { issuerRoutes } from '../../people/users/desk/sign-on-routes.ts';
import { startRoutes } from '../../people/users/desk/start/routes.ts';
import { type Html, html } from '../html.ts';
import { isOwnForm } from '../own-forms.ts';
import { wordsOf } from '../words.ts';
import { againPage } from './again-page.ts';
import { ApiProblem, openDeskApi, problemFrom } from './api.ts';
import type { Desk, DeskDependencies, InNameOf } from './dependencies.ts';
import { homeRoutes } from './home/routes.ts';
import { lookUpRoutes } from './look-up-page.ts';
import { withReadTimes } from './moments.ts';
import { type DeskPage, type DeskRequest, type DeskSettings, type DeskSurroundings, textOf } from './page.ts';
import { countedMenu, DESK_SECTIONS, menuFor } from './sections.ts';
import { leadTo, show, showTo } from './show.ts';
import { openOwnUnsaved, unsavedRoutes } from './unsaved.ts';

/** The plugin; `settings` come from the server that registers it. */
export const deskOver =
  (dependencies: DeskDependencies): FastifyPluginAsync<DeskSettings> =>
  async (app, settings) => {
    const desk = openDesk(dependencies, settings);
    await app.register(cookie);
    app.decorateRequest('desk');
    app.decorateRequest('upload', null);
    readForms(app, desk);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    app.addHook('preParsing', async (request, _reply, payload) => {
      refuseForeign(desk, request);
      return payload;
    });
    app.setErrorHandler((thrown, request, reply) => failed(desk, { thrown, request, reply }));
    signInRoutes(app, desk);
    issuerRoutes(app, desk);
    startRoutes(app, desk);
    guestRoutes(app, desk);
    app.register((scope) => signedInRoutes(scope, desk));
  };

/** The size of a form whose session has ended: it is carried through the sign-in, and costs the answer several times its length. */
const MAX_CARRIED = 65_536;

/** Bodies of other types are not read. */
function readForms(app: FastifyInstance, desk: Desk): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addContentTypeParser(FORM, async (request: FastifyRequest, payload: IncomingMessage) => {
    await assertKnown(desk, request);
    return readTextForm(await bytesOf(payload, request.headers['content-length'], MAX_TEXT));
  });
  app.addContentTypeParser(MULTIPART, async (request: FastifyRequest, payload: IncomingMessage) => {
    await assertKnown(desk, request);
    const { bodyLimit = MAX_TEXT } = request.routeOptions;
    request.upload = await readForm(request.headers['content-type'], payload, { maxBytes: bodyLimit });
    return request.upload.fields;
  });
}

/** Routes for users who are signed in. */
async function signedInRoutes(app: FastifyInstance, desk: Desk): Promise<void> {
  app.addHook('preHandler', async (request, reply) => admit(desk, request, reply));
  unsavedRoutes(app, desk);
  homeRoutes(app, desk);
  lookUpRoutes(app);
  accountRoutes(app, desk);
  historyRoutes(app);
  sharingRoutes(app);
  for (const { routes } of DESK_SECTIONS) {
    // They are made while others are answered.
    await nextTurn();
    routes(app, desk.installation);
  }
}

function openDesk(dependencies: DeskDependencies, settings: DeskSettings): Desk {
  const { access, tickets, clock, site } = dependencies;
  const { api: app, sites, negotiation, apiPrefix } = settings;

  function surroundings(request: FastifyRequest): DeskSurroundings {
    const links = sites.of(request.headers).links(apiPrefix);
    const language = negotiation.preferred(request.headers['accept-language']);
    const now = clock.now();
    return {
      siteName: site.name ?? links.host,
      site: links.site,
      language,
      words: wordsOf(language.desk),
      now,
      siteZone: site.zone,
      currencySign: (site.prices.signBefore + site.prices.signAfter).trim(),
      parameters: withReadTimes(request.query as ParameterMap, { language, siteZone: site.zone, now }), // What the router's parser makes.
      form: (request.body ?? {}) as ParameterMap, // What the parser of forms makes.
    };
  }

  function inNameOf(request: FastifyRequest, user: User): InNameOf {
    const around = surroundings(request);
    const asking = { request, user, language: around.language.code, words: around.words };
    return {
      ...around,
      user,
      preview: (content) => settings.preview(request, content),
      api: openDeskApi({ app, tickets, apiPrefix }, { ...asking, key: textOf(around.form, '_key') }),
    };
  }

  return {
    ...dependencies,
    settings,
    signOn: signOnIn(dependencies),
    surroundings,
    inNameOf,
    // Browsers take a name with this prefix from an encrypted page of this very host alone.
    cookieName: ({ site }) => (isEncrypted(site) ? '__Host-daybook' : 'daybook'),
    async recognise(request, cookie) {
      const signedIn = await access.find(cookie, clock.now());
      if (!signedIn) return null;
      const { user, token } = signedIn;
      const around = inNameOf(request, user);
      return {
        ...around,
        unsaved: openOwnUnsaved(dependencies, around),
        signedIn,
        formToken: formToken(token),
        file: request.upload?.file ?? null,
        menu: menuFor(user, dependencies),
      };
    },
  };
}

function signOnIn({ signOnPage, atIssuer }: DeskDependencies): SignOnContent | null {
  if (atIssuer !== null) return { kind: 'issuer', name: atIssuer.flow.name };
  return signOnPage === null ? null : { kind: 'page', address: signOnPage };
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Thrown for a form of another site. */
class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

/** A form of another site is not even given back. */
function refuseForeign(desk: Desk, request: FastifyRequest): void {
  if (isRead(request)) return;
  if (isHandOver(desk, request)) return;
  if (!isOwnForm(request, desk.surroundings(request).site)) throw new ForeignForm('a form of another site');
}

/** Only the page of the single sign-on may post from elsewhere, and only a token. */
const isHandOver = ({ signOnPage }: Desk, { url, headers }: FastifyRequest): boolean =>
  signOnPage !== null && url === HAND_OVER_PATH && headers.origin === new URL(signOnPage).origin;

/** Browsers say so of what they show as a page; suggestions and files have no menu. */
const isPageAsked = (request: FastifyRequest): boolean =>
  isRead(request) && (request.headers.accept ?? '').includes('text/html');

/** Recognises the user. Without one a page leads to the sign-in, and a form is carried through it. */
async function admit(desk: Desk, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const around = desk.surroundings(request);
  const known = await desk.recognise(request, request.cookies[desk.cookieName(around)]);
  const { url } = request;
  if (known === null && isRead(request)) return leadTo(reply, `/desk/sign-in?${new URLSearchParams({ to: url })}`);
  if (known === null)
    return showTo(
      reply,
      { ...around, form: {} },
      signInPage(around, { status: 401, to: url, carried: carriedForm(url, around.form), signOn: desk.signOn }),
    );
  const key = textOf(known.form, '_key');
  // A form that is sent again, because it was interrupted, is one request with what it has done before.
  if (key !== '') request.id = derivedId(`form\n${known.user.id}\n${key}`);
  request.desk = isPageAsked(request) ? { ...known, menu: await countedMenu(known) } : known;
  if (isRead(request) || isFormToken(known.signedIn.token, tokenIn(request))) return undefined;
  return show(reply, againPage(known, carriedForm(url, known.form), 403));
}

/** Thrown for a longer form of one who is not signed in: it is not read at all. */
class UnknownSender extends Error {
  override readonly name = 'UnknownSender';
}

/** Before anything of a form is read that is longer than what is carried: who sends it, and whether they may use its section. */
async function assertKnown(desk: Desk, request: FastifyRequest): Promise<void> {
  const { headers, url, cookies } = request;
  // Without a length it may be of any.
  if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_CARRIED) return;
  const known = await desk.recognise(request, cookies[desk.cookieName(desk.surroundings(request))]);
  if (known === null) throw new UnknownSender('a long form of an unknown user');
  const section = DESK_SECTIONS.find(({ path }) => url === path || url.startsWith(`${path}/`));
  if (section?.may(known.user, desk) === false) throw forbidden(known.user);
}

/** In the form, or in a header for forms of other types and for scripts. */
function tokenIn({ body, headers }: FastifyRequest): string {
  const header = headers['x-csrf-token'];
  return typeof header === 'string' ? header : textOf((body ?? {}) as ParameterMap, '_csrf');
}

/** The path of the page that a form was on, where what was typed is offered; the desk itself if it is not known, or not of this site. */
function backFrom({ headers: { referer } }: FastifyRequest, { site }: DeskSurroundings): string {
  if (referer === undefined || !URL.canParse(referer)) return '/desk';
  const { host, pathname, search } = new URL(referer);
  return host === new URL(site).host && pathname.startsWith('/desk') ? pathname + search : '/desk';
}

interface Failing {
  readonly thrown: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function failed(desk: Desk, { thrown, request, reply }: Failing): FastifyReply {
  const around = request.desk ?? desk.surroundings(request);
  if (thrown instanceof UnknownSender)
    return showTo(
      reply,
      around,
      signInPage(around, { status: 401, to: backFrom(request, around), carried: null, signOn: desk.signOn }),
    );
  if (thrown instanceof ForeignForm)
    return showTo(reply, around, problemPage(around, 403, around.words('foreign_form')));
  if (thrown instanceof ApiProblem) {
    const { status, message } = thrown.problem;
    return showTo(reply, around, failurePage(around, request, status, message));
  }
  const error = desk.settings.report(request, thrown);
  if (error.status === 413) {
    const { bodyLimit = 0 } = request.routeOptions;
    const limit = error.code === 'rest_upload_too_large' ? bodyLimit : MAX_TEXT;
    const page = tooLargePage(around, limit, backFrom(request, around));
    return showTo(reply.headers(error.headers), around, page);
  }
  const page = failurePage(around, request, error.status, problemFrom(error, around.language).message);
  return showTo(reply.headers(error.headers), around, page);
}

/** A form that met an outage or a fault of ours is given back; its key stays, so that it takes effect once. */
function failurePage(
  around: DeskSurroundings | DeskRequest,
  request: FastifyRequest,
  status: number,
  message: string,
): DeskPage {
  const isGivenBack = 'user' in around && !isRead(request) && status >= 500;
  return isGivenBack
    ? againPage(around, carriedForm(request.url, around.form), status, message)
    : problemPage(around, status, message);
}

// A page in place of one that cannot be shown, or of what could not be done.

function problemPage({ words }: DeskSurroundings, status: number, text: string, wayOn?: Html): DeskPage {
  const title = words(status === 404 ? 'not_found' : 'problem');
  return {
    title,
    status,
    main: html`<div class="narrow">
    <h1>${title}</h1>
    <p class="problems" role="alert">${text}</p>
    ${wayOn ?? html`<p><a href="/desk">${words('to_desk')}</a></p>`}
  </div>`,
  };
}

const MIB = 1_048_576;

/** In place of a form that is larger than allowed: how many bytes it may have, and how to get back what was typed. */
function tooLargePage(around: DeskSurroundings, limit: number, back: string): DeskPage {
  const { words } = around;
  return problemPage(
    around,
    413,
    words('too_large', { limit: `${Math.floor(limit / MIB)} MiB` }),
    html`<p>${words('too_large_back')}</p>
    <p><a class="button" href=${back}>${words('back_to_form')}</a></p>`,
  );
}
