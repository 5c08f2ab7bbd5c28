// From a request as it arrived to an answer: route, credentials, parameters, rights, handler, in this order.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate, Caller } from '../auth/caller.ts';
import type { Language } from '../locales/language.ts';
import { ENGLISH, LANGUAGE_CODES } from '../locales/languages.ts';
import { openNegotiation } from '../locales/negotiate.ts';
import { phrase } from '../locales/phrases.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';
import type { Site, Sites } from './base-url.ts';
import { leavesWhole } from './envelope.ts';
import { ApiError, asApiError, errorAnswer, refusedParameter } from './errors.ts';
import { PREFLIGHT_HEADERS, REVALIDATED_LINES } from './headers.ts';
import type { Limits } from './limits/limits.ts';
import { openListeners } from './listeners.ts';
import type { Lookups } from './parameters/validators.ts';
import { matchOf, methodOnWire, type RouteMatch } from './plugins/routing.ts';
import { joined, sendAnswer, sendHead, sendList } from './reply.ts';
import { apiRequest, beginExchange, type Exchange, openUrl, readParameters, withPath } from './request-context.ts';
import type { ResponseCache } from './response-cache.ts';
import type { ApiAnswer, Listening, Method } from './route.ts';
import { describeRoute } from './routes/index-route.ts';
import type { ShellSettings } from './settings.ts';
import { cutWhenStalled } from './slow-clients.ts';
import { sendPieces, sendWhole } from './stream.ts';

/** Where failures are told; pino's loggers are such. */
export interface ShellLog {
  error(details: object, message: string): void;
}

/** Learns how long answers take. Called at each, so it has to be cheap. */
export interface AnswerObserver {
  /** Milliseconds since some moment, never going back. */
  elapsed(): number;
  answered(method: string, status: number, milliseconds: number): void;
}

const NOBODY: AnswerObserver = { elapsed: () => 0, answered: () => {} };

export interface TransportDependencies {
  readonly sites: Sites;
  readonly authenticate: Authenticate;
  readonly lookups: Lookups;
  /** For requests that only read; `lookups` when not given. */
  readonly viewLookups?: Lookups;
  readonly clock: { now(): EpochSeconds };
  readonly newId: () => string;
  readonly siteZone: Zone;
  readonly settings: ShellSettings;
  readonly limits: Limits;
  /** Spoken to whoever asks for none that there is. */
  readonly language?: Language;
  readonly log: ShellLog;
  /** Told of every answer. */
  readonly observer?: AnswerObserver;
  /** What is to be public at an instant; who reads at that instant waits until it is. */
  readonly schedule?: { settled(now: EpochSeconds): Promise<void> | null };
  /** Where routes keep their lists. */
  readonly cache?: Pick<ResponseCache, 'recall' | 'remember'>;
}

const POSITION_HEADER = 'x-daybook-position';

export interface Transport {
  /** Answers a request. Never rejects. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Answers a request that failed before it came here. Never rejects. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** The service ends: answers that take their time come to their end now. */
  end(): void;
}

export function createTransport(dependencies: TransportDependencies): Transport {
  const {
    sites,
    authenticate,
    lookups,
    viewLookups = lookups,
    clock,
    newId,
    siteZone,
    settings,
    limits,
    language = ENGLISH,
    log,
    observer = NOBODY,
    schedule,
    cache,
  } = dependencies;
  const indexSettings = { namespace: settings.prefix, siteZone };
  const listeners = openListeners();
  const negotiation = openNegotiation(language);

  function begin(request: FastifyRequest): Exchange {
    const preferred = negotiation.preferred(request.headers['accept-language']);
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    return beginExchange(request, newId(), sites.unknown, preferred, body);
  }

  async function serve(exchange: Exchange, listening: Listening): Promise<ApiAnswer> {
    const { request } = exchange;
    locate(exchange);
    if (request.method === 'OPTIONS') return describe(exchange);
    if (exchange.match === null) throw new ApiError('rest_no_route');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const caller = request.headers.authorization === undefined ? anonymous(exchange) : await identify(exchange);
    // A key of the route's methods.
    return run(exchange, exchange.match, { method: method as Method, caller, listening });
  }

  function locate(exchange: Exchange): void {
    const query = openUrl(exchange.request.raw.url ?? '/');
    exchange.site = sites.of(exchange.request.headers);
    exchange.query = query;
    heedLocale(exchange);
    if (query._jsonp !== undefined) throw new ApiError('rest_callback_disabled');
    exchange.match = matchOf(exchange.request);
  }

  function heedLocale(exchange: Exchange): void {
    const demanded = negotiation.demanded(exchange.query._locale);
    if (demanded === null) throw refusedParameter('_locale', phrase('unknown_locale', { codes: LANGUAGE_CODES }));
    if (demanded !== undefined) exchange.language = demanded;
  }

  /** Finds out how a refusal is to be framed, as far as the request says it well. */
  function frame(exchange: Exchange): void {
    try {
      locate(exchange);
    } catch {
      // It is refused already; what it says badly besides does not matter.
    }
    exchange.match = null;
  }

  function anonymous(exchange: Exchange): Caller {
    exchange.caller = null;
    return null;
  }

  async function identify(exchange: Exchange): Promise<Caller> {
    const { request } = exchange;
    const outcome = await authenticate(request.headers.authorization, limits.credentials(request));
    if (outcome.kind === 'refused') throw new ApiError(outcome.code);
    exchange.caller = outcome.caller;
    return outcome.caller;
  }

  async function describe(exchange: Exchange): Promise<ApiAnswer> {
    const { match, site, language, request } = exchange;
    if (isPreflight(request)) return PREFLIGHT;
    if (match === null) return { status: 200, body: [] };
    await identify(exchange);
    const teller = { links: site.links(match.prefix), now: clock.now(), language };
    return { status: 200, body: describeRoute(match.route, indexSettings, teller), language };
  }

  async function run(
    exchange: Exchange,
    match: RouteMatch,
    { method, caller, listening }: { readonly method: Method; readonly caller: Caller; readonly listening: Listening },
  ): Promise<ApiAnswer> {
    const { endpoint, plan } = match;
    if (endpoint === undefined || plan === undefined) throw new ApiError('rest_no_route');
    const now = clock.now();
    const publishing = method === 'GET' ? schedule?.settled(now) : null;
    if (publishing) await publishing;
    const elsewhere = exchange.body === undefined ? exchange.query : await readParameters(exchange);
    const { sent, fromPath } = withPath(elsewhere, match, method);
    // Who demands a position may ask for what views have not heard of yet; the handler waits for them.
    const isPlainRead = method === 'GET' && exchange.request.headers[POSITION_HEADER] === undefined;
    const known = isPlainRead ? viewLookups : lookups;
    const checked = plan({ caller, now, siteZone, lookups: known, slug: match.slug, sent });
    const given = checked instanceof Promise ? await checked : checked;
    for (const name of fromPath) delete given[name];
    const links = exchange.site.links(match.prefix);
    // Of the few requests that bring one.
    const guess = given.password === undefined ? undefined : limits.passwords(exchange.request);
    const client = () => limits.client(exchange.request);
    const circumstances = { method, match, caller, given, now, siteZone, links, client, ...(guess && { guess }) };
    const request = apiRequest(exchange, circumstances);
    if (endpoint.authorize !== undefined) await endpoint.authorize(request);
    return endpoint.handle(request, listening);
  }

  function failed(exchange: Exchange, thrown: unknown): ApiAnswer {
    const error = asApiError(thrown);
    const { correlationId, request } = exchange;
    const method = methodOnWire(request);
    // What is refused on purpose, as there is too much to do or to wait for, is no failure, and would fill the log.
    const isOnPurpose = thrown === error && error.code === 'rest_unavailable';
    if (error.status >= 500 && !isOnPurpose)
      log.error({ err: thrown, correlationId, method, path: pathIn(request), code: error.code }, 'request failed');
    return errorAnswer(error, exchange.language);
  }

  /** What the caller may do here. Not worth failing for: without an answer the header is left out. */
  async function allowed(exchange: Exchange, match: RouteMatch, caller: Caller): Promise<readonly Method[] | null> {
    try {
      return await match.route.allow(caller, match);
    } catch (error) {
      log.error({ err: error, correlationId: exchange.correlationId }, 'allowed methods are not known');
      return null;
    }
  }

  async function conclude(exchange: Exchange, reply: FastifyReply, answer: ApiAnswer): Promise<void> {
    const { match, caller } = exchange;
    const allow = match === null || caller === undefined ? null : await allowed(exchange, match, caller);
    const { request, site, query } = exchange;
    if (cache && answer.stored && allow && leavesWhole(query) && asksByAddressAlone(request))
      cache.remember(addressOf(request, site), answer.stored, joined(allow));
    try {
      if (answer.pieces) sendHead(exchange, reply, answer, allow);
      else sendAnswer(exchange, reply, answer, allow);
    } catch (error) {
      return sendAnswer(exchange, reply, failed(exchange, error), allow);
    }
    if (answer.pieces) await stream(exchange, reply, answer.pieces, answer.whole ? sendWhole : sendPieces);
  }

  /** What fails in the middle of an answer has ended it; nothing can be said but to the log. */
  async function stream(
    exchange: Exchange,
    { raw }: FastifyReply,
    pieces: AsyncIterable<string | Uint8Array>,
    send: typeof sendPieces,
  ): Promise<void> {
    if (exchange.request.method === 'HEAD') return void raw.end();
    await send(raw, pieces, listeners.of(raw)).catch((error: unknown) => failed(exchange, error));
  }

  /** Whether the address alone told the answer: nothing else of the request is then read, checked or decided. */
  async function answerAgain(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!cache || !asksByAddressAlone(request)) return false;
    try {
      const site = sites.of(request.headers);
      const known = await cache.recall(addressOf(request, site), clock.now());
      if (known === null) return false;
      const terms = { allow: known.allow, access: REVALIDATED_LINES };
      sendList({ request, site, correlationId: newId() }, reply, known, terms);
      return true;
    } catch {
      return reply.raw.headersSent; // Whatever it is, the long way meets it too and says so.
    }
  }

  async function answerAnew(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = begin(request);
    const answer = await serve(exchange, () => listeners.of(reply.raw)).catch((error: unknown) =>
      failed(exchange, error),
    );
    return conclude(exchange, reply, answer);
  }

  /** Says no, as cheaply as it can be said: not even the log is told. */
  async function turnAway(request: FastifyRequest, reply: FastifyReply, refusal: ApiError): Promise<void> {
    const exchange = begin(request);
    frame(exchange);
    await conclude(exchange, reply, errorAnswer(refusal, exchange.language));
  }

  return {
    async answer(request, reply) {
      const begun = observer.elapsed();
      const admission = limits.admit(request);
      const refusal = admission instanceof Promise ? await admission : admission;
      if (refusal) await turnAway(request, reply, refusal);
      else if (!(await answerAgain(request, reply))) await answerAnew(request, reply);
      cutWhenStalled(reply.raw, settings.times.stallMs);
      observer.answered(methodOnWire(request), reply.raw.statusCode, observer.elapsed() - begun);
    },
    async refuse(error, request, reply) {
      const begun = observer.elapsed();
      const exchange = begin(request);
      frame(exchange);
      await conclude(exchange, reply, failed(exchange, error));
      observer.answered(methodOnWire(request), reply.raw.statusCode, observer.elapsed() - begun);
    },
    end: () => listeners.end(),
  };
}

/** A browser asks before it sends what a page of another origin wants to send. The answer is the same for everything. */
const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

const PREFLIGHT: ApiAnswer = { status: 204, body: '', headers: PREFLIGHT_HEADERS };

const LONGEST_LOGGED_PATH = 200;

/** For the log. The query is left out: it may hold a password. */
const pathIn = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '').split('?', 1)[0]?.slice(0, LONGEST_LOGGED_PATH) ?? '';

/** Requests of the public that say nothing beside their address on which an answer depends. */
const asksByAddressAlone = ({ method, headers, body, raw }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  raw.methodOnWire === undefined &&
  headers.authorization === undefined &&
  headers['x-daybook-position'] === undefined &&
  !(body instanceof Uint8Array);

/** Site and URL as they were sent; neither has blanks. */
const addressOf = ({ raw }: FastifyRequest, { url }: Site): string => `${url} ${raw.url}`;
