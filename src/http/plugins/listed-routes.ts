// The routes of a prefix: their list for the index, and what each of them gets beside its own method.
import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { isPreflight, PREFLIGHT_HEADERS } from '../answers/headers.ts';
import type { Allow, Guard, ListedEndpoint, ListedRoute, Method, ParameterTable } from '../route.ts';
import { describeRoute, type IndexSettings } from '../routes/index-route.ts';
import { pathOf } from './routing.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route of the API has it; pages and probes have not. */
    readonly allow?: Allow;
    readonly may?: Guard;
    /** All that has the same path. */
    readonly listed?: ListedRoute;
    /** Answers for paths that no route of the API has. */
    readonly isUnrouted?: true;
  }
  interface FastifyInstance {
    /** By their paths, as the index shows them. */
    readonly listedRoutes: ReadonlyMap<string, ListedRoute>;
  }
}

/**
 * Lists the routes that are registered after it, and adds HEAD to each GET and OPTIONS to each path. Routes of their own for
 * these would have all hooks once more: they were a quarter of what making the routes costs.
 */
export const listedRoutes = fp(async (api: FastifyInstance, settings: IndexSettings) => {
  const listed = new Map<string, ListedRoute & { readonly endpoints: ListedEndpoint[] }>();
  api.decorate('listedRoutes', listed);
  api.addHook('onRoute', (route) => {
    const methods = methodsOf(route);
    if (methods.length === 0) return;
    const path = pathOf(route.routePath);
    const before = listed.get(path);
    const added = before ?? { path, endpoints: [] };
    route.config = { ...route.config, listed: added };
    added.endpoints.push({ methods, parameters: parametersOf(route), may: route.config.may });
    route.method = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    if (before) return;
    listed.set(path, added);
    route.method = [...route.method, 'OPTIONS'];
  });
  // `OPTIONS` is answered here, before the guard and the handler of a route.
  api.addHook('preHandler', (request, reply, done) => {
    const route = request.routeOptions.config.listed;
    if (request.method !== 'OPTIONS' || !route) return done();
    if (isPreflight(request)) return void reply.code(204).headers(PREFLIGHT_HEADERS).send();
    reply.inLanguage(request.language).send(describeRoute(route, settings, request));
  });
});

/** None of what is added here. */
export const methodsOf = ({ method }: Pick<RouteOptions, 'method'>): Method[] =>
  [method].flat().filter((one): one is Method => one !== 'HEAD' && one !== 'OPTIONS');

/** Every route of the API takes what a schema of src/http/schemas says, be it nothing. */
export const parametersOf = ({ schema }: Pick<RouteOptions, 'schema'>): ParameterTable =>
  // The type of schemas says nothing of them.
  (schema?.querystring ?? schema?.body) as ParameterTable;
