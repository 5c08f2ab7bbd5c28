// The routes that all kinds of resources have alike: the list, a new one, and each of them by its id or slug.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { ResourceKind } from '../../../editorial/history/queries/resource.ts';
import { methodsFor, methodsForList, methodsForUnknownId } from '../../../http/answers/allow.ts';
import type { Body } from '../../../http/answers/reply.ts';
import type { Documentation, Group } from '../../../http/openapi/documentation.ts';
import { ID, SLUG } from '../../../http/plugins/routing.ts';
import type { Allow, PathParameters, Routes } from '../../../http/route.ts';
import { byId, bySlug } from '../../../http/schemas/path.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { rightsSubjectOf } from '../../../people/auth/policy.ts';
import type { Finder } from '../../../queries/log-fallback.ts';
import { COLLECTIONS } from '../domain/collections.ts';
import type { PostKind } from '../domain/post.ts';
import type { PostDocument } from '../queries/find-by-slug.ts';
import { findNamed, namedPost, postById } from './find-posts.ts';

/** How the routes of a kind are documented. */
export const DOCUMENTED: { readonly [Kind in ResourceKind]: DocumentedKind } = {
  event: { group: 'Events', component: 'Event', errors: ['rest-event-not-found', 'rest-invalid-event-id'] },
  venue: { group: 'Venues', component: 'Venue', errors: [] },
  organizer: { group: 'Organizers', component: 'Organizer', errors: [] },
  category: { group: 'Categories', component: 'Term', errors: [] },
  tag: { group: 'Tags', component: 'Term', errors: [] },
};

interface DocumentedKind {
  readonly group: Group;
  readonly component: string;
  /** The errors of a resource that is not found. */
  readonly errors: readonly ErrorCode[];
}

type Answer = Body | Promise<Body>;

/** What `answer` gets as its input is what `takes` describes. */
interface Described {
  readonly schema: Documentation;
  readonly takes: TObject;
}

interface RouteOfAll extends Described {
  readonly answer: (reply: FastifyReply, input: never) => Answer;
}

interface RouteOfOne extends Described {
  readonly answer: (reply: FastifyReply, id: number, input: never) => Answer;
  /** Default: the id in the path, or the one that its slug was found to name. */
  readonly idOf?: (request: FastifyRequest) => Promise<number>;
}

interface RoutesOfOne {
  readonly allow: Allow;
  /** In the order of the index. */
  readonly routes: { readonly [How in keyof typeof METHODS]: RouteOfOne };
}

interface ResourceRoutes {
  readonly list: RouteOfAll;
  readonly create: RouteOfAll;
  readonly one: { readonly [By in keyof typeof NAMED]?: RoutesOfOne };
}

const METHODS = { read: ['GET'], remove: ['DELETE'], change: ['POST', 'PUT', 'PATCH'] } as const;

const NAMED = {
  id: { path: ID, params: byId, idOf: ({ params }: FastifyRequest) => (params as PathParameters).id }, // As `byId` says.
  slug: { path: `by-slug/${SLUG}`, params: bySlug, idOf: namedPost },
} as const;

/** What callers may do with a post by its id or slug; the public is told nothing of what is there. */
export function allowOnPost(finder: Finder, kind: PostKind): { readonly [By in keyof typeof NAMED]: Allow } {
  const allowing =
    (find: (caller: Caller, path: PathParameters) => Promise<PostDocument | null>): Allow =>
    (caller, path) =>
      caller
        ? find(caller, path).then((post) =>
            post ? methodsFor(caller, kind, rightsSubjectOf(post)) : methodsForUnknownId(caller, kind),
          )
        : ['GET'];
  return {
    id: allowing((_, { id }) => postById(finder, kind, id)),
    slug: allowing((caller, { slug }) => findNamed(finder, kind, slug, caller)),
  };
}

export function resourceRoutes(
  api: Parameters<Routes>[0],
  kind: ResourceKind,
  { list, create, one }: ResourceRoutes,
): void {
  const url = `/${COLLECTIONS[kind]}`;
  const config = { allow: (caller: Caller) => methodsForList(caller, kind) };
  // What was sent has been checked by the schema that its route takes.
  api.get(url, { schema: { ...list.schema, querystring: list.takes }, config }, async ({ query }, reply) =>
    list.answer(reply, query as never),
  );
  api.post(url, { schema: { ...create.schema, body: create.takes }, config }, async ({ body }, reply) =>
    create.answer(reply, body as never),
  );
  for (const by of ['id', 'slug'] as const) {
    const routesOfOne = one[by];
    if (!routesOfOne) continue;
    const { allow, routes } = routesOfOne;
    const { path, params, idOf: usual } = NAMED[by];
    for (const [how, { schema, takes, answer, idOf = usual }] of Object.entries(routes)) {
      const isChange = how === 'change';
      api.route({
        method: [...METHODS[how as keyof typeof METHODS]], // The keys of an object of its own.
        url: `${url}/${path}`,
        schema: { ...schema, params, ...(isChange ? { body: takes } : { querystring: takes }) },
        config: { allow },
        handler: async (request, reply) =>
          answer(reply, await idOf(request), (isChange ? request.body : request.query) as never),
      });
    }
  }
}
