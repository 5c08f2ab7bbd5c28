// The HTTP application: Fastify with the routes of the API under each of its prefixes.
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { ErrorCode } from '../locales/error-catalogue.ts';
import type { Language } from '../locales/language.ts';
import { ENGLISH } from '../locales/languages.ts';
import { openNegotiation } from '../locales/negotiate.ts';
import { createSites } from './base-url.ts';
import { openEnding } from './ending.ts';
import { ApiError, errorAnswer } from './errors.ts';
import { type HeaderLines, JSON_CONTENT_TYPE } from './headers.ts';
import { openLimits } from './limits/limits.ts';
import type { Pressure } from './limits/pressure.ts';
import type { ProxyWatch } from './limits/proxy-watch.ts';
import { createDocRoute } from './openapi/doc-route.ts';
import { addOpenApi } from './openapi/openapi.ts';
import { addReferencePage } from './openapi/reference-page.ts';
import { ROUTER_OPTIONS, readRequestLine, registerRoutes } from './plugins/routing.ts';
import type { Route } from './route.ts';
import { createIndexRoute } from './routes/index-route.ts';
import { schemeOf, securityLines } from './security-headers.ts';
import { type ConnectionTimes, HEADER_LIMIT } from './settings.ts';
import { createTransport, type Transport, type TransportDependencies } from './transport.ts';

export interface AppDependencies extends Omit<TransportDependencies, 'sites' | 'limits'> {
  /** In the order of the index, which is added in front of them with the document of all of them. */
  readonly routes: readonly Route[];
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  /** Tells when there is too much to do; without it there never is. */
  readonly pressure?: Pick<Pressure, 'isHigh'>;
  readonly proxyWatch?: ProxyWatch;
}

/** Builds the application; it does not listen yet. Further routes may be added to what it answers. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { settings, routes, siteZone, language = ENGLISH } = dependencies;
  const ending = openEnding();
  const app = fastify({
    bodyLimit: settings.bodyLimit,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    ...timeLimits(settings.times),
    http: { ...connectionOptions(settings.times), ServerResponse: ending.Response },
    routerOptions: ROUTER_OPTIONS,
    rewriteUrl: readRequestLine,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, language),
    frameworkErrors: (error, request, reply) => {
      void transport.refuse(error, request, reply);
    },
  });
  let security: HeaderLines = [];
  app.addHook('onReady', async () => {
    security = await securityLines(schemeOf(settings.siteUrl));
  });
  const sites = createSites(settings, () => security);
  const limits = openLimits(app, dependencies);
  const transport = createTransport({ ...dependencies, sites, limits });
  ending.watch(app.server);
  app.addHook('preClose', () => {
    transport.end();
    return ending.drain(app.server, settings.times.endingMs);
  });
  acceptBodies(app);
  const documentFor = addOpenApi(app, settings.prefix);
  const listed = [createDocRoute(documentFor), ...routes];
  const all = [createIndexRoute(listed, { namespace: settings.prefix, siteZone }), ...listed];
  for (const prefix of [settings.prefix, ...settings.prefixAliases])
    app.register(async (api) => registerRoutes(api, all, transport.answer), { prefix: `/${prefix}` });
  answerTheRest(app, transport);
  addReferencePage(app, { documentFor, sites, negotiation: openNegotiation(language), settings, limits });
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
  // Otherwise the first of two counts, and a proxy may have read the second. Joined they are no host and no token.
  joinDuplicateHeaders: true,
});

/** Bodies arrive as bytes, of whatever type and with every method; parameters/sources.ts knows which of them count. */
function acceptBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function answerTheRest(app: FastifyInstance, transport: Transport): void {
  app.options('*', transport.answer);
  app.setNotFoundHandler(transport.answer);
  app.setErrorHandler((error, request, reply) => {
    const isUnreadableType = hasCode(error) && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    return isUnreadableType ? transport.answer(request, reply) : transport.refuse(error, request, reply);
  });
}

const hasCode = (error: unknown): error is { readonly code: unknown } =>
  typeof error === 'object' && error !== null && 'code' in error;

const CONNECTION_ERRORS: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['HPE_HEADER_OVERFLOW', 'rest_headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'rest_request_timeout'],
]);

const REASONS: { readonly [status: number]: string } = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** What cannot be read as HTTP gets the envelope too, written by hand: there is no request to reply to. */
function refuseConnection(error: { readonly code?: unknown }, socket: Socket, language: Language): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const refusal = new ApiError(CONNECTION_ERRORS.get(error.code) ?? 'rest_bad_request');
  const { status, body } = errorAnswer(refusal, language);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: ${JSON_CONTENT_TYPE}\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Language: ${language.code}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
