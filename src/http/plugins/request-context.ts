// The context of an API request besides its parameters: decorators, filled in before anything is decided.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { SitePrices } from '../../calendar/event/domain/currency.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { Language } from '../../locales/language.ts';
import { LANGUAGE_CODES } from '../../locales/languages.ts';
import type { Negotiation } from '../../locales/negotiate.ts';
import { phrase } from '../../locales/phrases.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Site, Sites } from '../base-url.ts';
import { ApiError, refusedParameter } from '../errors.ts';
import { emptyMap, type ParameterMap } from '../parameters/parameter-map.ts';
import { parseParameters } from '../parameters/query-string.ts';
import type { Begin, Links } from '../route.ts';
import { URL_LIMIT } from '../settings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it is refused although its route is known; thrown in its turn. */
    refusal: ApiError | undefined;
    /** Undefined for requests outside the API: pages and probes. */
    site: Site;
    /** The language of the answer's texts. An answer that depends on it says so (`inLanguage`). */
    language: Language;
    /** The base of links in the answer. */
    links: Links;
    /** Undefined until the credentials are read; null is the public. */
    caller: Caller;
    now: EpochSeconds;
    siteZone: Zone;
    /** How costs are shown. The object changes with the settings of the site. */
    prices: SitePrices;
    /** What the query said, before it was joined with path and body and checked. */
    queryString: ParameterMap;
    /** The password that a reader presents. A write may set one by the same name. */
    password: string | undefined;
    /** `edit` or `embed`: which members a read is to have. */
    context: string | undefined;
    /** The writer's reason: header `X-Change-Reason` (percent-decoded) or member `_reason`. */
    reason: string | undefined;
    /** Throws if there is no memory for what this caller asks for; absent: there is. */
    admit: ((caller: Caller) => void) | undefined;
    /** Begins to try the sent password on a resource (`event 5`). Throws 429 after too many wrong ones. */
    guess: Begin | undefined;
  }
}

const NO_PARAMETERS: ParameterMap = Object.freeze(emptyMap());
const TOO_MANY_PARAMETERS: ParameterMap = Object.freeze(emptyMap());

/** The router's `querystringParser`, which must not throw. */
export function readQueryString(text: string): ParameterMap {
  if (text === '') return NO_PARAMETERS;
  try {
    return parseParameters(text);
  } catch {
    return TOO_MANY_PARAMETERS;
  }
}

/** Whether the API answers: its routes, and paths without a route. */
export const concernsApi = ({ routeOptions, is404 }: FastifyRequest): boolean =>
  is404 || routeOptions.config.allow !== undefined || routeOptions.config.isUnrouted === true;

interface ContextOptions {
  readonly sites: Sites;
  readonly negotiation: Negotiation;
}

export type BeginContext = (request: FastifyRequest) => void;

/** Fills the decorators in, as far as the request is valid; its first error becomes its refusal. */
export const openContext =
  ({ sites, negotiation }: ContextOptions): BeginContext =>
  (request) => {
    if (request.site !== undefined) return;
    request.language = negotiation.preferred(request.headers['accept-language']);
    request.site = sites.unknown;
    try {
      readContext(request, sites, negotiation);
    } catch (error) {
      // Nothing else is thrown here.
      request.refusal ??= error as ApiError;
    }
  };

function readContext(request: FastifyRequest, sites: Sites, negotiation: Negotiation): void {
  const query = request.query as ParameterMap; // What readQueryString makes.
  // Until then nothing of the query counts, including how to frame the answer.
  request.queryString = NO_PARAMETERS;
  if ((request.raw.url ?? '').length > URL_LIMIT) throw new ApiError('rest_uri_too_long');
  if (query === TOO_MANY_PARAMETERS) throw new ApiError('rest_too_many_parameters');
  request.site = sites.of(request.headers);
  request.queryString = query;
  const demanded = negotiation.demanded(query._locale);
  if (demanded === null) throw refusedParameter('_locale', phrase('unknown_locale', { codes: LANGUAGE_CODES }));
  if (demanded !== undefined) request.language = demanded;
  if (query._jsonp !== undefined) throw new ApiError('rest_callback_disabled');
}

const DECORATORS = [
  'refusal',
  'site',
  'language',
  'links',
  'caller',
  'now',
  'siteZone',
  'prices',
  'queryString',
  'password',
  'context',
  'reason',
  'admit',
  'guess',
  'unknownParameters',
] as const;

export const requestContext = fp(async (app: FastifyInstance, { begin }: { readonly begin: BeginContext }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.refusal) throw request.refusal;
    if (concernsApi(request)) begin(request);
    dropUnreadableType(request);
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.refusal) throw request.refusal;
    done();
  });
});

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** A body with an invalid type counts as empty; Fastify would refuse it. */
function dropUnreadableType({ raw }: FastifyRequest): void {
  const type = raw.headers['content-type'];
  if (type !== undefined && !MEDIA_TYPE.test(type)) delete raw.headers['content-type'];
}

/** Call it before any plugin that fills one of them in. */
export function decorateRequests(app: FastifyInstance): void {
  for (const name of DECORATORS) app.decorateRequest(name);
}
