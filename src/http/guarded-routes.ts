// Routes for some callers only: who they are stands once, for the document, for the guard and for `Allow`.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../people/auth/caller.ts';
import { forbidden } from './errors.ts';
import type { Described, Documentation, Right } from './openapi/documentation.ts';
import type { Guard, ListedRoute, Method, ParameterTable, PathParameters } from './route.ts';

interface Takes {
  readonly params?: ParameterTable;
  readonly querystring?: ParameterTable;
  readonly body?: ParameterTable;
}

/**
 * The options of routes for the callers with a right. `about` is said of each of them, errors in front of its own. `may`
 * guards them, if it depends on more than the document says.
 */
export const guardedRoutes =
  <About extends Partial<Described>>(right: Right, about: About, may: Guard = guardOf(right)) =>
  <D extends Omit<Described, 'right'>, T extends Takes>(
    describe: (described: D) => Documentation,
    described: Omit<D, keyof About | 'right' | 'errors'> & Partial<D>,
    takes: T,
  ) => {
    const errors = ['rest_forbidden', ...(about.errors ?? []), ...(described.errors ?? [])];
    // What `about` says may be left out of `described`.
    const whole = { ...about, ...described, right, errors } as unknown as D;
    return { schema: { ...describe(whole), ...takes }, ...guarded(may) };
  };

const guardOf = (right: Right): Guard => {
  if (right.of === 'posts') throw new Error('A right to posts is asked for by what finds them.');
  return right.of === 'users' ? (caller, { id }) => right.may(caller, id) : right.may;
};

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Their methods are not named to others, whom they refuse. */
const guarded = (may: Guard) => ({
  config: {
    may,
    allow: (caller: Caller, path: PathParameters, { endpoints }: Pick<ListedRoute, 'endpoints'>) =>
      METHODS.filter((method) => endpoints.some((one) => one.methods.includes(method) && one.may?.(caller, path))),
  },
  preHandler: async ({ caller, params }: FastifyRequest): Promise<void> => {
    // The guard of a path without variables reads none.
    if (!may(caller, params as PathParameters)) throw forbidden(caller);
  },
});
