// How paths and methods are read before a route is looked for, and how paths are written.

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, FastifyRouterOptions, RawServerDefault } from 'fastify';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { parseParameters } from '../parameters/query-string.ts';
import { URL_LIMIT } from '../settings.ts';
import { readQueryString } from './request-context.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The original method of an overridden one. */
    methodOnWire?: string;
  }
}

/** Case, trailing and repeated slashes are ignored. */
export const ROUTER_OPTIONS: FastifyRouterOptions<RawServerDefault> = {
  caseSensitive: false,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: URL_LIMIT,
  // A test looks at the patterns of all routes: the router would at each start.
  allowUnsafeRegex: true,
  querystringParser: readQueryString,
};

/** Variables of paths, in the router's notation. */
export const ID = ':id(^\\d+$)';
export const CREDENTIAL = ':credential(^\\d+$)';
/** The id of an event of the log. */
export const EVENT = ':event(^[0-9A-Fa-f-]{36}$)';
/** Elsewhere NUL is removed from texts. In a path it would give one resource two names, so no slug contains it. */
export const SLUG = ':slug(^[^\\x00]+$)';
/** The router compares with raw parameters, whatever `caseSensitive` says. */
export const ICS = ':ending(^[iI][cC][sS]$)';

/** `/events/{id}.ics`, in the notation of index and document. */
export const pathOf = (url: string): string => url.replace(ICS, 'ics').replace(/:(\w+)\(\^.*?\$\)/g, '{$1}');

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
  const method = override.toUpperCase();
  standFor(request, OVERRIDES.has(method) ? method : WITHOUT_ROUTES);
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

const NO_ROUTE = 'none';
/** The route of a request without what its parameters must look like: `/calendar/events/v1/events/:id`. */
export function routeOf({ routeOptions, is404 }: FastifyRequest): string {
  const { url } = routeOptions;
  if (is404 || url === undefined || url === '/*' || routeOptions.config.isUnrouted) return NO_ROUTE;
  return withoutPatterns(url);
}

/** Patterns may have parentheses within parentheses. There are few of them. */
const withoutPatterns = askedOnce((url: string): string => {
  let depth = 0;
  return [...url]
    .filter((character) => {
      if (character === '(') depth += 1;
      const isOutside = depth === 0;
      if (character === ')') depth -= 1;
      return isOutside;
    })
    .join('');
});
