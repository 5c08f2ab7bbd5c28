// The pages for visitors, as a Fastify plugin: their routes, and what all of them share (language, policy, errors, cache).
// decision 28

import type { IncomingMessage } from 'node:http';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { submitting } from '../exchange/submissions/pages/routes.ts';
import { acceptedCodings } from '../http/answers/content-coding.ts';
import { type StoredList, storedList } from '../http/answers/stored-list.ts';
import { ApiError, invalidParameters } from '../http/errors.ts';
import type { ParameterMap } from '../http/parameters/parameter-map.ts';
import { lateRoutes } from '../http/plugins/late-routes.ts';
import type { PublicScheme } from '../http/plugins/security-headers.ts';
import { warmUp } from '../http/plugins/warm-up.ts';
import type { PageSurroundings } from '../http/server.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { nextTurn, openTurns } from '../kernel/event-loop/turns.ts';
import { prepareSanitizer } from '../kernel/text/sanitizer.ts';
import { chosenAssets, type PageAssets, serveAssets, themedAssets } from './assets.ts';
import { monthOf, prepareDates, todayIn } from './dates.ts';
import type { Previewed } from './desk/page.ts';
import { embedding } from './embed/routes.ts';
import { answeringErrors, type FailureDependencies } from './failures.ts';
import { datesIn, daysOf, openFilters, periodIn, readQuery } from './filters.ts';
import { pageText } from './html.ts';
import type { PageContent, PageDependencies, PageRequest, Pages } from './page-request.ts';
import { onDays } from './periods.ts';
import { noSubmissionsPage } from './public/error-page.ts';
import { eventPageOf, publicPages } from './public/routes.ts';
import { descriptionHtml, frameSources } from './raw-html.ts';
import type { Theme } from './theme.ts';
import { wordsIn } from './words.ts';

interface StoredPage {
  readonly list: StoredList;
  readonly api: string;
}

const HTML = 'text/html; charset=utf-8';

/** Styles that the editor of formatted texts puts into the page, by what is in them: those of Trix 2.1, which are empty at first. */
const EDITOR_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-jAP18ioNeNaQBBU5RJvT96kjJnVxHvZs+s8WUNiLnvA='",
  "'sha256-c5Z9aB2t69CSpeI1aC8dDLr7LZYZlynV8iY/8Uc9ZFk='",
];

/**
 * Scripts and styles are files of ours; pictures come from here, maps from the theme's host; forms lead here. No inline script, and
 * no inline style but that of the pages, which is named by its hash.
 */
const policy = (
  scheme: PublicScheme,
  frames: string[],
  { map }: Theme,
  assetsFor: (request: IncomingMessage) => PageAssets,
): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      ...(frames.length > 0 && { frameSrc: frames }),
      imgSrc: ["'self'", 'data:', ...(map === null ? [] : [originOf(map.tiles)])],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", (request) => assetsFor(request).style.source, ...EDITOR_STYLES],
    },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  strictTransportSecurity: scheme === 'https' ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** The origin of the addresses that a template makes: it has no braces in its host. */
const originOf = (template: string): string => new URL(template.slice(0, template.indexOf('{'))).origin;

/** The plugin; `settings` come from the server that registers it. */
export const pagesOver =
  (dependencies: PageDependencies): FastifyPluginAsync<PageSurroundings> =>
  async (app, settings) => {
    const { calendar, clock, siteZone, site: ownSite, theme, submissions } = dependencies;
    const { sites, negotiation, apiPrefix } = settings;
    const read = openFilters(dependencies);
    const assets = themedAssets(theme);
    /**
     * The site as it is when a request first asks for it. Its settings change while pages are made: the policy has to name the style
     * of the page, and a page is cached by the revision that it was made of.
     */
    const siteFor = askedOnce(
      (_request: IncomingMessage) => ({ ...ownSite, assets: chosenAssets(assets, ownSite) }),
      new WeakMap(),
    );
    const cache = dependencies.answers.kind<StoredPage>({
      name: 'page',
      version: calendar.version,
      bytesOf: ({ list }) => list.size(),
      content: ({ list }) => list.text(),
      parts: 'of one state each',
    });

    function open(request: FastifyRequest): PageRequest {
      refuseOtherTimes(request);
      return visitOf(request);
    }

    /** Also of a request that is refused. */
    function visitOf(request: FastifyRequest): PageRequest {
      const links = sites.of(request.headers).links(apiPrefix);
      const parameters = readQuery(request.query as ParameterMap); // What the router's parser makes.
      const demanded = negotiation.demanded(parameters._locale);
      const language = demanded ?? negotiation.preferred(request.headers['accept-language']);
      const now = clock.now();
      const { name, assets, imprint, links: siteLinks, layout, prices } = siteFor(request.raw);
      return {
        visit: { now, links },
        parameters,
        surroundings: {
          siteName: name ?? (isName(links.host) ? links.host : wordsIn(language)('calendar')),
          site: links.site,
          root: links.root,
          language,
          words: wordsIn(language),
          assets,
          theme: { ...theme, imprint, links: siteLinks },
          pageLayout: layout,
          siteZone,
          freeLabel: prices.freeLabel,
          thisMonth: monthOf(todayIn(siteZone, now)),
          takesSubmissions: submissions !== null,
        },
      };
    }

    async function send(
      reply: FastifyReply,
      { visit, surroundings, parameters }: PageRequest,
      key: readonly unknown[],
      make: () => Promise<PageContent>,
    ): Promise<FastifyReply> {
      const { language, site, root } = surroundings;
      const { revision } = siteFor(reply.request.raw);
      const version = await calendar.version();
      const whole = JSON.stringify([...key, language.code, site, revision, todayIn(siteZone, visit.now), parameters]);
      const page = await cache.find(whole, version, async () => {
        const turn = openTurns();
        const { body, api = '/' } = await make();
        // Rendering takes some milliseconds, and so did finding.
        await turn();
        const text = typeof body === 'string' ? body : pageText(body, site);
        await turn();
        const grown = () => cache.weigh(whole, stored);
        const stored: StoredPage = { list: await storedList({ body: [text], total: 0, pages: 0 }, grown), api };
        return stored;
      });
      const { headers } = reply.request;
      reply.shows = ['list'];
      reply.freshUntil = await calendar.nextEdge(visit);
      // A telephone waits longer for a page that is not compressed than for its compression.
      if (headers['if-none-match'] === undefined)
        await page.list.compress(acceptedCodings(headers['accept-encoding'])[0]);
      const { status, etag, form } = page.list.choose(headers['accept-encoding'], headers['if-none-match']);
      reply.code(status).headers({
        etag,
        'cache-control': 'no-cache',
        'content-language': language.code,
        'x-tec-api-root': `${root}${page.api}`,
        vary: 'Accept-Language, Accept-Encoding',
        ...(form?.coding && { 'content-encoding': form.coding }),
      });
      if (!form) return reply.send();
      return reply.type(String(reply.getHeader('content-type') ?? HTML)).send(form.bytes);
    }

    const pages: Pages = {
      ...dependencies,
      open,
      send,
      async period({ parameters, visit }) {
        const dates = datesIn(parameters);
        if (dates) return onDays(...dates, siteZone);
        const period = periodIn(parameters);
        return period === 'upcoming' ? calendar.upcoming(visit) : daysOf(period, siteZone, visit.now);
      },
      filters: ({ visit, parameters }) => read({ parameters, now: visit.now, places: () => calendar.places(visit) }),
      async events(page, filters) {
        const list = await calendar.events(page.visit, filters);
        if ('refused' in list) throw invalidParameters(list.refused);
        if (list.page > Math.max(list.pages, 1)) throw new ApiError('rest_no_route');
        return list;
      },
      refuse(reply, page) {
        reply
          .code(400)
          .header('cache-control', 'no-store')
          .type(HTML)
          .send(pageText(page, sites.of(reply.request.headers).url));
      },
    };

    async function preview(request: FastifyRequest, { event, revision, repeats, ...content }: Previewed) {
      const page = visitOf(request);
      const described = { id: event.id, revision: revision ?? 0, text: event.description };
      const description = await descriptionHtml(revision === null ? null : dependencies.raw, described);
      return eventPageOf(
        pages,
        { ...page, surroundings: { ...page.surroundings, bar: content.bar } },
        {
          id: event.id,
          event: await calendar.linked(event),
          description,
          picture: content.picture,
          repeats: repeats === null ? null : () => repeats,
        },
      );
    }

    const failures: FailureDependencies = {
      report: settings.report,
      surroundingsOf: (request) => visitOf(request).surroundings,
    };
    /** What all pages have, the desk's as well. */
    async function surround(scope: FastifyInstance): Promise<void> {
      // Monitors and checkers of links ask by HEAD; Node leaves the body out.
      scope.addHook('onRoute', (route) => {
        if (route.method === 'GET') route.method = ['GET', 'HEAD'];
      });
      await scope.register(
        helmet,
        policy(settings.scheme, frameSources(dependencies.raw), theme, (request) => siteFor(request).assets),
      );
      scope.addHook('onRequest', async (request) => {
        const refusal = request.refusal ?? settings.limits.admit(request);
        if (refusal) throw refusal;
      });
      scope.addHook('onSend', async (request, reply) => {
        // No address can be made of the host that the request names.
        if (request.refusal?.code === 'rest_invalid_host') return;
        const { site, root } = sites.of(request.headers).links(apiPrefix);
        const own = String(reply.getHeader('x-tec-api-root') ?? `${root}/`);
        reply.headers({ 'x-tec-api-version': 'v1', 'x-tec-api-root': own, 'x-tec-api-origin': site });
      });
      scope.setErrorHandler(answeringErrors(failures, 'page'));
      scope.get('/*', (request, reply) => {
        // No browser sends this by itself: a program has missed the prefix of the API.
        if (request.headers.authorization !== undefined) return reply.callNotFound();
        throw new ApiError('rest_no_route');
      });
    }

    warmUp(app, () => prepareDates(negotiation.preferred(undefined).code));
    warmUp(app, async () => {
      for (const _ of prepareSanitizer()) await nextTurn();
    });
    await surround(app);
    serveAssets(app, assets);
    publicPages(app, pages);
    if (submissions === null)
      app.get('/submit', (request, reply) => {
        const page = open(request);
        return send(reply, page, ['submit'], async () => ({ body: noSubmissionsPage(page.surroundings) }));
      });
    else app.register(submitting({ pages, submissions, handleError: answeringErrors(failures, 'page') }));
    lateRoutes(app, '/desk', async () => {
      const desk = await dependencies.desk();
      const other = settings.openShell();
      other.register(async (scope) => {
        await surround(scope);
        await scope.register(desk, { ...settings, preview, api: app });
      });
      await other.ready();
      return other;
    });
    app.register(embedding({ pages, handleError: answeringErrors(failures, 'text') }));
  };

/** Whether a host tells visitors where they are: numbers and `localhost` do not. */
const isName = (host: string): boolean => /^[^[]*\.[^:]*[a-z]/i.test(host);

/** What the API's reads take for another time. A page that left it out would show today as if it were that time. */
const OTHER_TIMES = ['as_of', 'with'] as const;

function refuseOtherTimes(request: FastifyRequest): void {
  const query = request.query as ParameterMap; // What the router's parser makes.
  const name = OTHER_TIMES.find((one) => query[one] !== undefined && query[one] !== '');
  if (name !== undefined)
    throw new ApiError('rest_invalid_param', { text: (language) => wordsIn(language)('present_only', { name }) });
}
