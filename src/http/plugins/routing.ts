// How paths and methods are parsed before routing, and how routes are registered.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, FastifyRouterOptions, RawServerDefault, RouteHandler } from 'fastify';
import type { Documentation } from '../openapi/documentation/documentation.ts';
import { compileInput } from '../parameters/compile.ts';
import { parseParameters } from '../parameters/query-string.ts';
import { sendAnswer } from '../reply.ts';
import type { Endpoint, ParameterTable, Route } from '../route.ts';
import { URL_LIMIT } from '../settings.ts';
import { readQueryString } from './request-context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the API; absent for pages and probes. */
    readonly api?: RouteConfig;
    /** The answer to OPTIONS of a path without a route. */
    readonly isUnrouted?: true;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The original method of an overridden one. */
    methodOnWire?: string;
  }
}

/** The `config` of an API route. */
export interface RouteConfig {
  readonly route: Route;
  /** The prefix that it is registered under, without slashes around it. */
  readonly prefix: string;
  /** Absent for OPTIONS. */
  readonly endpoint?: Endpoint;
  readonly parameters?: ParameterTable;
  readonly documentation?: Documentation;
  readonly plan?: ReturnType<typeof compileInput>;
  readonly authorize?: Endpoint['authorize'];
  readonly allow: Route['allow'];
}

/** Case, trailing and repeated slashes are ignored. */
export const ROUTER_OPTIONS: FastifyRouterOptions<RawServerDefault> = {
  caseSensitive: false,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: URL_LIMIT,
  querystringParser: readQueryString,
};

const OVERRIDES: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Fastify's `rewriteUrl`: a POST may override its method, undecodable paths have no route, and a `#` belongs to the
 * path. The router would take what follows it for a query: `/events#1` would be the list of events.
 */
export function readRequestLine(request: IncomingMessage): string {
  const url = (request.url ?? '/').replace(ORIGIN, '');
  if (request.method === 'POST') overrideMethod(request, url);
  if (!NEEDS_CARE.test(url)) return url;
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  if (isDecodable(path)) return path.replaceAll('#', '%23') + query;
  standFor(request, WITHOUT_ROUTES);
  return `/${query}`;
}

/** A request line may contain the whole address. */
const ORIGIN = /^https?:\/\/[^/?#]*(?=[/?#])/i;
const NEEDS_CARE = /^[^/*]|^[^?]*[%#]/;

function isDecodable(path: string): boolean {
  if (!path.startsWith('/')) return false;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

function standFor(request: IncomingMessage, method: string): void {
  request.methodOnWire ??= request.method ?? 'GET';
  request.method = method;
}

/** A method that the HTTP parser knows and that no route has. */
const WITHOUT_ROUTES = 'TRACE';

/** The query overrides the header. */
function overrideMethod(request: IncomingMessage, url: string): void {
  const override = methodInQuery(url) ?? request.headers['x-http-method-override'];
  if (typeof override !== 'string' || override === '') return;
  const wanted = override.toUpperCase();
  standFor(request, OVERRIDES.has(wanted) ? wanted : WITHOUT_ROUTES);
}

function methodInQuery(url: string): unknown {
  const mark = url.indexOf('?');
  if (mark < 0 || url.length > URL_LIMIT) return undefined;
  try {
    return parseParameters(url.slice(mark + 1))._method;
  } catch {
    return undefined; // Who reads the query for good refuses it.
  }
}

/** The method of the request line. */
export const methodOnWire = ({ raw }: FastifyRequest): string => raw.methodOnWire ?? raw.method ?? 'GET';

/** Pages and probes are found by their exact address: only the API is lenient. */
export function isExactAddress({ routeOptions, raw }: FastifyRequest): boolean {
  const { url = '' } = routeOptions;
  const path = raw.url?.split('?', 1)[0] ?? '';
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url;
}

const DIGITS = '(^\\d+$)';
/** Elsewhere NUL is removed from texts. In a path it would give one resource two names, so no slug contains it. */
const NOT_NUL = '(^[^\\x00]+$)';

/** `/events/{id}.ics` in the router's notation. */
const patternOf = (path: string): string =>
  path
    .replace(/\{id\}\.([a-z]+)$/, (_, ending: string) => `:id${DIGITS}.:ending(^${anyCase(ending)}$)`)
    .replace(/\{(id|credential)\}/, `:$1${DIGITS}`)
    .replace(/\{(id|credential)\}/, `:$1${DIGITS}`)
    .replace('{slug}', `:slug${NOT_NUL}`);

/** The router compares with raw parameters, whatever `caseSensitive` says. */
const anyCase = (ending: string): string => ending.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Registers `routes` below the prefix of `api`. */
export function registerRoutes(api: FastifyInstance, routes: readonly Route[], describe: RouteHandler): void {
  const prefix = api.prefix.replace(/^\//, '');
  for (const route of routes) {
    const url = patternOf(route.path);
    for (const endpoint of route.endpoints) {
      const { methods, parameters, documentation, authorize, handle } = endpoint;
      const plan = compileInput(parameters, methods.includes('GET') ? 'read' : 'write');
      const described = { route, prefix, endpoint, parameters, documentation, plan, allow: route.allow };
      const config = { api: { ...described, ...(authorize && { authorize }) } };
      const handler: RouteHandler = async (request, reply) => sendAnswer(request, reply, await handle(request, reply));
      // A route per method: each is an operation of the document.
      for (const method of methods) api.route({ method, url, schema: documentation, config, handler });
      if (methods.includes('GET')) api.route({ method: 'HEAD', url, config, handler });
    }
    api.options(url, { config: { api: { route, prefix, allow: route.allow } } }, describe);
  }
}
