// The routes of categories and tags: the same for both, by their tables.
import type { FastifyRequest } from 'fastify';
import type { Written } from '../../commands/context.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../commands/terms.ts';
import type { Term, TermKind } from '../../domain/term.ts';
import { embeddedTermObject, hashOf, termObject } from '../../queries/assemble.ts';
import { planTermList } from '../../queries/list-terms.ts';
import type { AnswerSource } from '../../queries/log-fallback.ts';
import type { TermView } from '../../read-model/queries.ts';
import { methodsForList, methodsForTerm } from '../allow.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { termInput } from '../inputs.ts';
import { TERM_DOCUMENTATION } from '../openapi/documentation/term-documentation.ts';
import { type ApiAnswer, givenBy, type Method, type Route } from '../route.ts';
import { categoryTables, tagTables } from '../schemas/term.ts';
import { conditional, readerOf } from './reading.ts';
import { answerWrite, awaitPosition, contextOf, type RouteDependencies, writtenOr } from './writing.ts';

const WRITE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];

export const categoryRoutes = (dependencies: RouteDependencies): Route[] => termRoutes(dependencies, 'category');
export const tagRoutes = (dependencies: RouteDependencies): Route[] => termRoutes(dependencies, 'tag');

/** Count, ancestors and parent of a term are shown with its own members, so its tag includes them. */
export const tagOf = (term: TermView): string =>
  entityTag(term.revision, hashOf(`${term.count}.${term.parent}.${term.ancestorSlugs.join()}`));

/** The term as the read model shows it, or will show it. */
export async function writtenView(
  source: AnswerSource,
  kind: TermKind,
  { id, state, revision }: Written<Term>,
): Promise<TermView> {
  const view = await source.term(kind, id);
  const { name, slug, description, parent } = state;
  const beside = view ?? { kind, id, count: 0, parent, ancestorSlugs: [] };
  return { ...beside, name, slug, description, revision };
}

function termRoutes(dependencies: RouteDependencies, kind: TermKind): Route[] {
  const { queries, commands, cache, beyondViews } = dependencies;
  const collection = kind === 'category' ? 'categories' : 'tags';
  const tables = kind === 'category' ? categoryTables : tagTables;
  const documentation = TERM_DOCUMENTATION[kind];

  const viewOf = (written: Written<Term>, source: AnswerSource): Promise<TermView> =>
    writtenView(source, kind, written);

  const answer = (request: FastifyRequest, written: Written<Term>, status: 200 | 201): Promise<ApiAnswer> =>
    answerWrite(dependencies, request, written, async (source) => {
      const view = await viewOf(written, source);
      const location = `/${collection}/${written.id}`;
      return { status, body: termObject(view, request.links), etag: tagOf(view), location };
    });

  async function remove(request: FastifyRequest): Promise<ApiAnswer> {
    const id = request.target.id;
    // Afterwards its position is unknown.
    const former = await beyondViews.writable.term(kind, id);
    const written = writtenOr(await deleteTermOf(commands, contextOf(request), kind, id), request);
    return answerWrite(dependencies, request, written, async (source) => {
      const view = former ?? (await viewOf(written, source));
      const etag = entityTag(written.revision, '');
      return { status: 200, body: termObject(view, request.links), etag, location: '' };
    });
  }

  return [
    {
      path: `/${collection}`,
      allow: (caller) => methodsForList(caller, kind),
      endpoints: [
        {
          methods: ['GET'],
          parameters: tables.list({ perPage: queries.perPage }),
          documentation: documentation.list,
          handle: async (request) => {
            const past = dependencies.pastLists.answer(kind, request, 'rest_no_route');
            if (past) return past;
            await awaitPosition(dependencies, request);
            const plan = () => planTermList(queries, kind, request.given, readerOf(request));
            return cache.answer(request, plan, 'rest_no_route');
          },
        },
        {
          methods: ['POST'],
          parameters: tables.create,
          documentation: documentation.create,
          handle: async (request) => {
            refuseParentOfTag(kind, request);
            const context = contextOf(request);
            const result = await createTermOf(commands, context, kind, termInput(givenBy(tables.create, request)));
            return answer(request, writtenOr(result, request), 201);
          },
        },
      ],
    },
    {
      path: `/${collection}/{id}`,
      allow: (caller) => methodsForTerm(caller, kind),
      endpoints: [
        {
          methods: ['GET'],
          parameters: tables.read,
          documentation: documentation.read,
          handle: async (request) => {
            const old = await dependencies.past.answer(kind, request);
            if (old) return old;
            await awaitPosition(dependencies, request);
            const id = request.target.id;
            const term = await beyondViews.newest(
              () => beyondViews.views.term(kind, id),
              (log) => log.term(kind, id),
            );
            if (!term) throw invalidParameters('id');
            const objectOf = request.given.context === 'embed' ? embeddedTermObject : termObject;
            return conditional(request, objectOf(term, request.links), tagOf(term));
          },
        },
        {
          methods: WRITE_METHODS,
          parameters: tables.update,
          documentation: documentation.update,
          handle: async (request) => {
            refuseParentOfTag(kind, request);
            const input = termInput(givenBy(tables.update, request));
            const result = await changeTermOf(commands, contextOf(request), kind, request.target.id, input);
            return answer(request, writtenOr(result, request), 200);
          },
        },
        { methods: ['DELETE'], parameters: tables.delete, documentation: documentation.delete, handle: remove },
      ],
    },
  ];
}

function refuseParentOfTag(kind: TermKind, { given }: FastifyRequest): void {
  if (kind === 'tag' && given.parent !== undefined) throw new ApiError('rest_taxonomy_not_hierarchical');
}
