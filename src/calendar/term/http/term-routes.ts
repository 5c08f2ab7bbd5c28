// The routes of categories and tags: the same for both, but for what their kind says.

import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Written } from '../../../commands/context.ts';
import { termInstead } from '../../../editorial/merges/queries/merged.ts';
import type { ProposalRouteDependencies } from '../../../editorial/proposals/http/proposal-answers.ts';
import { orPropose } from '../../../editorial/proposals/http/reviewed-writes.ts';
import { methodsForList, methodsForTerm } from '../../../http/answers/allow.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, invalidParameters, movedPermanently } from '../../../http/errors.ts';
import { TERM_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { AHEAD_ERRORS, listing, OLD_STATE_ERRORS, reading } from '../../../http/openapi/documentation/reads.ts';
import { toManage } from '../../../http/openapi/documentation/rights.ts';
import { changing, creating, deleting } from '../../../http/openapi/documentation/writes.ts';
import { termInput } from '../../../http/parameters/inputs.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { readList } from '../../../http/routes/reading.ts';
import { answerWrite, awaitPosition, contextOf, writtenOr } from '../../../http/routes/writing.ts';
import { writtenView } from '../../../http/routes/written-documents.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { embeddedTermObject, termObject } from '../../../queries/assemble.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { TermView } from '../../../read-model/queries.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../commands/terms.ts';
import type { Term, TermKind } from '../domain/term.ts';
import { planTermList, type TermListInput } from '../queries/list-terms.ts';
import { categoryTables, type TermTables, tagTables, termOrEmbedded } from './term-schema.ts';

/** Count, ancestors and parent of a term are shown with its own members, so its tag includes them. */
export const tagOf = (term: TermView): string =>
  entityTag(term.revision, digestOf(`${term.count}.${term.parent}.${term.ancestorSlugs.join()}${term.parkedAt ?? ''}`));

/** What sets the routes of one kind apart. */
interface Kind {
  readonly kind: TermKind;
  readonly collection: string;
  readonly group: 'Categories' | 'Tags';
  readonly tables: TermTables;
  /** What a write may be refused for. */
  readonly refusals: readonly ErrorCode[];
}

/** A page past the end is an empty one: there is none to be refused. */
const PAST_THE_END = 'rest_no_route';

const termRoutes =
  ({ kind, collection, group, tables, refusals }: Kind): Routes<ProposalRouteDependencies> =>
  async (api, dependencies) => {
    const { queries, commands, past, beyondViews } = dependencies;

    const answer = (reply: FastifyReply, written: Written<Term>, status: 200 | 201): Promise<Body> =>
      answerWrite(dependencies, reply, written, async (source) => {
        const view = await writtenView(source, kind, written);
        const location = `/${collection}/${written.id}`;
        return { status, body: termObject(view, reply.request.links), etag: tagOf(view), location };
      });

    const planList = (plan: QueryDependencies, asked: TermListInput, reader: Reader) =>
      planTermList(plan, kind, asked, reader);

    async function noTerm({ links }: FastifyRequest, id: number): Promise<ApiError> {
      const instead = await termInstead(beyondViews.either, kind, id);
      if (instead === null) return invalidParameters('id');
      return movedPermanently(`${links.root}/${collection}/${instead}`, instead);
    }

    const term = Type.Ref('Term');
    const aboutReading = { group, takes: ['EmbedContext', 'AtLeast'] } as const;
    const aboutWriting = { group, answer: term, right: toManage(kind) };
    const ofAll = { allow: (caller: Caller) => methodsForList(caller, kind) };

    api.get(
      `/${collection}`,
      {
        schema: {
          ...listing({
            ...aboutReading,
            summary: `${kind}_list.summary`,
            answer: page(collection, `${kind}_list.answer`, term, Type.Ref('EmbeddedTerm')),
            errors: ['rest_not_there_then', ...AHEAD_ERRORS],
          }),
          querystring: tables.list({ perPage: queries.perPage }),
        },
        config: ofAll,
      },
      async (request, reply) =>
        reply.list(
          await readList(dependencies, request, request.query, { kind, plan: planList, pastTheEnd: PAST_THE_END }),
        ),
    );

    api.post(
      `/${collection}`,
      {
        schema: {
          ...creating({
            ...aboutWriting,
            example: TERM_EXAMPLES[kind].create,
            summary: `${kind}.create`,
            errors: ['term_exists', ...refusals],
          }),
          body: tables.create,
        },
        config: ofAll,
      },
      async (request, reply) => {
        const { body } = request;
        refuseParentOfTag(kind, body);
        const input = termInput(body);
        return orPropose(dependencies, reply, { kind, how: 'create', wish: input }, async () => {
          const result = await createTermOf(commands, contextOf(request), kind, input);
          return answer(reply, writtenOr(result, request), 201);
        });
      },
    );

    const ofId = { allow: (caller: Caller) => methodsForTerm(caller, kind) };

    api.get(
      `/${collection}/${ID}`,
      {
        schema: {
          ...reading({
            ...aboutReading,
            summary: `${kind}.read`,
            answer: termOrEmbedded,
            errors: ['rest_moved_permanently', ...OLD_STATE_ERRORS, ...AHEAD_ERRORS],
          }),
          params: byId,
          querystring: tables.read,
        },
        config: ofId,
      },
      async (request, reply) => {
        const { id } = request.params;
        const old = await past.find(kind, request, request.query, id);
        if (old) return reply.conditional(old.text, old.etag);
        await awaitPosition(dependencies, request);
        const found = await beyondViews.newest((source) => source.term(kind, id));
        if (!found) throw await noTerm(request, id);
        const objectOf = request.context === 'embed' ? embeddedTermObject : termObject;
        reply.shows = [`${kind}-${id}`, 'terms'];
        return reply.conditional(objectOf(found, request.links), tagOf(found));
      },
    );

    api.route({
      method: ['POST', 'PUT', 'PATCH'],
      url: `/${collection}/${ID}`,
      schema: {
        ...changing({
          ...aboutWriting,
          example: TERM_EXAMPLES[kind].change,
          summary: `${kind}.update`,
          errors: ['rest_merged', ...refusals],
        }),
        params: byId,
        body: tables.update,
      },
      config: ofId,
      handler: async (request, reply) => {
        const { body, params } = request;
        refuseParentOfTag(kind, body);
        const { id } = params;
        const input = termInput(body);
        return orPropose(dependencies, reply, { kind, id, how: 'change', wish: input }, async () => {
          const result = await changeTermOf(commands, contextOf(request), kind, id, input);
          return answer(reply, writtenOr(result, request), 200);
        });
      },
    });

    api.delete(
      `/${collection}/${ID}`,
      {
        schema: {
          ...deleting({ ...aboutWriting, summary: `${kind}.delete`, errors: ['rest_merged'] }),
          params: byId,
          querystring: tables.delete,
        },
        config: ofId,
      },
      async (request, reply) => {
        const { id } = request.params;
        // Afterwards its position is unknown.
        const former = await beyondViews.writable.term(kind, id);
        return orPropose(dependencies, reply, { kind, id, how: 'delete', wish: {} }, async () => {
          const written = writtenOr(await deleteTermOf(commands, contextOf(request), kind, id), request);
          return answerWrite(dependencies, reply, written, async (source) => {
            const view = former ?? (await writtenView(source, kind, written));
            const etag = entityTag(written.revision, '');
            return { status: 200, body: termObject(view, request.links), etag, location: '' };
          });
        });
      },
    );
  };

export const categoryRoutes = termRoutes({
  kind: 'category',
  collection: 'categories',
  group: 'Categories',
  tables: categoryTables,
  refusals: ['duplicate_term_slug'],
});

export const tagRoutes = termRoutes({
  kind: 'tag',
  collection: 'tags',
  group: 'Tags',
  tables: tagTables,
  refusals: ['duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
});

function refuseParentOfTag(kind: TermKind, { parent }: { readonly parent?: number }): void {
  if (kind === 'tag' && parent !== undefined) throw new ApiError('rest_taxonomy_not_hierarchical');
}
