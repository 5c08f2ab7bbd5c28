// The HTTP application: Fastify with the plugins that all answers share, and the routes of the API under each of its
// prefixes. The order of hooks is the order of the contract: route, credentials, parameters, rights, handler.
// decision 15: which libraries are not used, and the case that excludes each.
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import { serveMedia } from '../calendar/picture/http/media-files.ts';
import type { MediaStore } from '../calendar/picture/media/media-store.ts';
import { SHIM_NAMESPACE, shimPrefixes, shimRoot } from '../exchange/compatibility/http/places.ts';
import type { ShimOptions } from '../exchange/compatibility/http/shims.ts';
import { shareLookOfRound } from '../kernel/event-loop/one-look.ts';
import type { Language } from '../locales/language.ts';
import { ENGLISH } from '../locales/languages.ts';
import { type Negotiation, openNegotiation } from '../locales/negotiate.ts';
import type { Tracing } from '../observability/tracing.ts';
import { isPreflight, PREFLIGHT_HEADERS } from './answers/headers.ts';
import { replies } from './answers/reply.ts';
import { createSites, pathOfSite, type Sites } from './base-url.ts';
import { openListeners } from './connections/clients.ts';
import { openEnding } from './connections/ending.ts';
import { ApiError } from './errors.ts';
import { type Limits, openLimits, requestLimit } from './limits/limits.ts';
import { openPressureLimit, type PressureOptions } from './limits/pressure.ts';
import { docRoute } from './openapi/doc-route.ts';
import { addOpenApi } from './openapi/openapi.ts';
import { addReferencePage } from './openapi/reference-page.ts';
import { type AccessLogOptions, accessLogging } from './plugins/access-log.ts';
import { answers } from './plugins/answers.ts';
import { type CredentialsOptions, credentials } from './plugins/credentials.ts';
import { clientError, errors, refuseConnection } from './plugins/errors.ts';
import { type HotAnswersOptions, openHotAnswers } from './plugins/hot-answers.ts';
import { handOver } from './plugins/late-routes.ts';
import { listedRoutes } from './plugins/listed-routes.ts';
import { type ParametersOptions, parameters } from './plugins/parameters.ts';
import { decorateRequests, openContext, requestContext } from './plugins/request-context.ts';
import { methodOnWire, ROUTER_OPTIONS, readRequestLine, routeOf } from './plugins/routing.ts';
import { type PublicScheme, schemeOf, securityHeaders } from './plugins/security-headers.ts';
import { sharedCaches } from './plugins/shared-caches.ts';
import { tracedAnswers } from './plugins/tracing.ts';
import { indexRoute } from './routes/index-route.ts';
import { COMPILERS, type ConnectionTimes, HEADER_LIMIT, type ShellLog, type ShellSettings } from './settings.ts';

/** Records how long answers take. Called for each, so it must be cheap. */
export interface AnswerObserver {
  /** `route`: its pattern, one of few. */
  answered(route: string, method: string, status: number, milliseconds: number): void;
}

export interface AppDependencies
  extends Omit<ParametersOptions, 'limits'>,
    Omit<CredentialsOptions, 'limits'>,
    Partial<Pick<HotAnswersOptions, 'shared'>> {
  /** Registers routes in the order of the index, which is added in front of them with the document of all of them. */
  readonly routes: FastifyPluginAsync;
  /** Routes of another interface, beside the API under each alias; absent: there are none. */
  readonly shims?: FastifyPluginAsync<ShimOptions>;
  /** The files of uploaded pictures, at the root; absent: there are none. */
  readonly media?: Pick<MediaStore, 'find'>;
  /** Pages beside the API, at the root; absent: there are none. */
  readonly pages?: FastifyPluginAsync<PageSurroundings>;
  readonly settings: ShellSettings;
  /** For readers who name no available language. */
  readonly language?: () => Language;
  /** The id of a request. */
  readonly newId: (request: Pick<IncomingMessage, 'headers'>) => string;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** Through which others reach this machine; null, or absent: not known. */
  readonly gateway?: string | null;
  readonly log: ShellLog;
  /** Called for every answer. */
  readonly observer?: AnswerObserver;
  /** Absent: there is none. */
  readonly accessLog?: AccessLogOptions['accessLog'];
  /** Absent: answers are not traced. */
  readonly tracing?: Tracing;
  /** Detects overload; absent: there is none. */
  readonly pressure?: PressureOptions;
}

/** What pages beside the API share with it. */
export interface PageSurroundings {
  readonly sites: Sites;
  readonly negotiation: Negotiation;
  readonly limits: Limits;
  readonly scheme: PublicScheme;
  /** The path of the API, without slashes around it. */
  readonly apiPrefix: string;
  /** Another application with what all answers share, but without routes. */
  readonly openShell: () => FastifyInstance;
  /** Logs a failure, and returns what clients may know of it. */
  readonly report: (request: FastifyRequest, thrown: unknown) => ApiError;
}

/** Builds the application; it does not listen yet. Further routes may be added. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { settings, routes, siteZone, log, language = () => ENGLISH } = dependencies;
  const { shared, clock, observer, accessLog, tracing, pressure, newId, shims } = dependencies;
  const { cacheSeconds } = settings;
  const { stallMs, endingMs } = settings.times;
  const sites = createSites(settings);
  const negotiation = openNegotiation(language);
  const begin = openContext({ sites, negotiation });
  const ending = openEnding();
  const listeners = openListeners();
  const limits = openLimits(dependencies);
  const pressureLimit = pressure && openPressureLimit(pressure);
  const hot = shared && openHotAnswers({ shared, sites, clock, stallMs, cacheSeconds });
  const path = settings.siteUrl === null ? '' : pathOfSite(settings.siteUrl);
  /** What all answers share. */
  const openShell = (): FastifyInstance => {
    const app = fastify({
      bodyLimit: settings.bodyLimit,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      ...timeLimits(settings.times),
      http: { ...connectionOptions(settings.times), ServerResponse: ending.Response },
      genReqId: newId,
      // No plugin waits for anything, and each route would set a timer.
      pluginTimeout: 0,
      routerOptions: ROUTER_OPTIONS,
      schemaController: { compilersFactory: COMPILERS },
      rewriteUrl: readRequestLine,
      clientErrorHandler: (error, socket) => refuseConnection(error, socket, language()),
    });
    handOver(app);
    acceptBodies(app);
    decorateRequests(app);
    if (accessLog) app.register(accessLogging, { accessLog, source: settings.trustForwarded ? 'named' : 'own', clock });
    if (tracing) app.register(tracedAnswers, { tracing });
    app.register(replies);
    app.decorateReply('waiting', function () {
      return listeners.of(this.raw);
    });
    app.decorateReply('failed', function (error) {
      clientError(log, this.request, error);
    });
    if (pressureLimit) app.register(pressureLimit);
    app.register(requestLimit, { limits });
    if (hot) app.register(hot.recall);
    app.register(securityHeaders, { scheme: schemeOf(settings.siteUrl) });
    app.register(answers, { log, stallMs });
    if (path !== '')
      app.addHook('onSend', async (_request, reply) => {
        const to = reply.getHeader('location');
        if (typeof to === 'string' && to.startsWith('/')) reply.header('location', path + to);
      });
    app.register(sharedCaches, { seconds: cacheSeconds, siteZone, clock });
    if (hot) app.register(hot.remember);
    app.register(errors, { begin, log });
    app.register(requestContext, { begin });
    if (observer) observe(app, observer);
    return app;
  };
  const app = openShell();
  // Only for requests of connections: one that is injected may begin at any point of a round.
  app.server.prependListener('request', shareLookOfRound);
  ending.watch(app.server);
  app.addHook('preClose', () => {
    listeners.end();
    return ending.drain(app.server, endingMs);
  });
  const [alias] = settings.prefixAliases;
  const hasShims = shims !== undefined && alias !== undefined;
  const documentFor = addOpenApi(app, { prefix: settings.prefix, shims: hasShims ? shimRoot(alias) : undefined });
  /** Routes under a prefix, with what surrounds all of them and an index in front. */
  const surrounded =
    (namespace: string, add: (scope: FastifyInstance) => void) =>
    async (scope: FastifyInstance, { prefix }: { readonly prefix: string }): Promise<void> => {
      scope.addHook('onRequest', (request, _reply, done) => {
        request.links = request.site.links(prefix.slice(1));
        done();
      });
      scope.register(credentials, { ...dependencies, limits });
      scope.register(parameters, { ...dependencies, limits });
      scope.register(listedRoutes, { namespace, siteZone });
      scope.register(indexRoute, { namespace, siteZone });
      add(scope);
    };
  const api = surrounded(settings.prefix, (scope) => {
    scope.register(docRoute, { documentFor });
    scope.register(routes);
  });
  for (const prefix of [settings.prefix, ...settings.prefixAliases]) app.register(api, { prefix: `/${prefix}` });
  /** Elsewhere a path that no route has is answered by a page. */
  const roots = new Set([settings.prefix, ...settings.prefixAliases]);
  if (shims)
    for (const [prefix, alias] of shimPrefixes(settings.prefixAliases)) {
      app.register(
        surrounded(SHIM_NAMESPACE, (scope) => scope.register(shims, { api: alias })),
        { prefix: `/${prefix}` },
      );
      roots.add(prefix).add(shimRoot(alias));
    }
  roots.delete('');
  const refuse = (): never => {
    throw new ApiError('rest_no_route');
  };
  for (const root of roots)
    app.route({ method: ['GET', 'HEAD'], url: `/${root}/*`, config: { isUnrouted: true }, handler: refuse });
  app.options('*', { config: { isUnrouted: true } }, (request, reply) =>
    isPreflight(request) ? reply.code(204).headers(PREFLIGHT_HEADERS).send() : reply.send([]),
  );
  addReferencePage(app, { documentFor, sites, negotiation, settings, limits });
  if (dependencies.media) serveMedia(app, dependencies.media);
  if (dependencies.pages)
    app.register(dependencies.pages, {
      sites,
      negotiation,
      limits,
      scheme: schemeOf(settings.siteUrl),
      apiPrefix: settings.prefix,
      openShell,
      report: (request: FastifyRequest, thrown: unknown) => clientError(log, request, thrown),
    });
  return app;
}

const timeLimits = ({ requestMs, silenceMs, idleMs }: ConnectionTimes) => ({
  requestTimeout: requestMs,
  connectionTimeout: silenceMs,
  keepAliveTimeout: idleMs,
});

const connectionOptions = ({ headersMs, checkMs }: ConnectionTimes) => ({
  maxHeaderSize: HEADER_LIMIT,
  headersTimeout: headersMs,
  connectionsCheckingInterval: checkMs,
  // Otherwise the first of two counts, and a proxy may have read the second. Joined they are neither a host nor a
  // token.
  joinDuplicateHeaders: true,
});

/**
 * Bodies arrive as bytes, of any type and with every method; parameters/request-body.ts decides which of them count.
 */
function acceptBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function observe(app: FastifyInstance, observer: AnswerObserver): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.site !== undefined)
      observer.answered(routeOf(request), methodOnWire(request), reply.statusCode, reply.elapsedTime);
    done();
  });
}
