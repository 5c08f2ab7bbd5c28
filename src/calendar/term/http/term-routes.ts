// The routes of categories and tags: the same for both, but for what their kind says.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { termInstead } from '../../../editorial/merges/queries/merged.ts';
import type { ProposalRouteDependencies } from '../../../editorial/proposals/http/proposal-answers.ts';
import { orPropose } from '../../../editorial/proposals/http/reviewed-writes.ts';
import type { StateInput } from '../../../editorial/time-travel/http/as-of-reads.ts';
import { methodsForTerm } from '../../../http/answers/allow.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, invalidParameters, movedPermanently } from '../../../http/errors.ts';
import {
  AHEAD_ERRORS,
  changing,
  creating,
  deleting,
  listing,
  OLD_STATE_ERRORS,
  reading,
  toManage,
} from '../../../http/openapi/documentation.ts';
import { termInput } from '../../../http/parameters/inputs.ts';
import type { Routes } from '../../../http/route.ts';
import { readList } from '../../../http/routes/reading.ts';
import {
  answerWrite,
  awaitPosition,
  contextOf,
  type RouteDependencies,
  writtenOr,
} from '../../../http/routes/writing.ts';
import { writtenView } from '../../../http/routes/written-documents.ts';
import { page } from '../../../http/schemas/lists.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { embeddedTermObject, termObject } from '../../../queries/assemble.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { TermView } from '../../../read-model/queries.ts';
import { COLLECTIONS } from '../../resource/domain/collections.ts';
import { DOCUMENTED, resourceRoutes } from '../../resource/http/resource-routes.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../commands/terms.ts';
import type { Term, TermKind } from '../domain/term.ts';
import { planTermList, type TermListInput } from '../queries/list-terms.ts';
import { categoryTables, type TermTables, tagTables, termExamples, termOrEmbedded } from './term-schema.ts';

/** Count, ancestors and parent of a term are shown with its own members, so its tag includes them. */
const tagOf = (term: TermView): string =>
  entityTag(term.revision, digestOf(`${term.count}.${term.parent}.${term.ancestorSlugs.join()}${term.parkedAt ?? ''}`));

/** The term after a write. */
export function answerTerm(
  dependencies: RouteDependencies,
  kind: TermKind,
  reply: FastifyReply,
  result: CommandResult<Term>,
  status: 200 | 201 = 200,
): Promise<Body> {
  const written = writtenOr(result, reply.request);
  return answerWrite(dependencies, reply, written, async (source) => {
    const view = await writtenView(source, kind, written);
    const location = `/${COLLECTIONS[kind]}/${written.id}`;
    return { status, body: termObject(view, reply.request.links), etag: tagOf(view), location };
  });
}

/** What sets the routes of one kind apart. */
interface Kind {
  readonly kind: TermKind;
  readonly tables: TermTables;
  /** What a write may be refused for. */
  readonly refusals: readonly ErrorCode[];
}

type TermBody = Partial<Static<TermTables['create']>>;

/** A page past the end is an empty one: there is none to be refused. */
const PAST_THE_END = 'rest_no_route';

const termRoutes =
  ({ kind, tables, refusals }: Kind): Routes<ProposalRouteDependencies> =>
  async (api, dependencies) => {
    const collection = COLLECTIONS[kind];
    const { group } = DOCUMENTED[kind];
    const { queries, commands, past, beyondViews } = dependencies;

    const planList = (plan: QueryDependencies, input: TermListInput, reader: Reader) =>
      planTermList(plan, kind, input, reader);

    async function noTerm({ links }: FastifyRequest, id: number): Promise<ApiError> {
      const instead = await termInstead(beyondViews.either, kind, id);
      if (instead === null) return invalidParameters('id');
      return movedPermanently(`${links.root}/${collection}/${instead}`, instead);
    }

    async function create(reply: FastifyReply, body: TermBody): Promise<Body> {
      refuseParentOfTag(kind, body);
      const input = termInput(body);
      return orPropose(dependencies, reply, { kind, how: 'create', wish: input }, async () => {
        const result = await createTermOf(commands, contextOf(reply.request), kind, input);
        return answerTerm(dependencies, kind, reply, result, 201);
      });
    }

    async function read(reply: FastifyReply, id: number, state: StateInput): Promise<Body> {
      const { request } = reply;
      const old = await past.find(kind, request, state, id);
      if (old) return reply.conditional(old.text, old.etag);
      await awaitPosition(dependencies, request);
      const view = await beyondViews.newest((source) => source.term(kind, id));
      if (!view) throw await noTerm(request, id);
      const objectOf = request.context === 'embed' ? embeddedTermObject : termObject;
      reply.shows = [`${kind}-${id}`, 'terms'];
      return reply.conditional(objectOf(view, request.links), tagOf(view));
    }

    async function change(reply: FastifyReply, id: number, body: TermBody): Promise<Body> {
      refuseParentOfTag(kind, body);
      const input = termInput(body);
      return orPropose(dependencies, reply, { kind, id, how: 'change', wish: input }, async () => {
        const result = await changeTermOf(commands, contextOf(reply.request), kind, id, input);
        return answerTerm(dependencies, kind, reply, result);
      });
    }

    async function remove(reply: FastifyReply, id: number): Promise<Body> {
      const { request } = reply;
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
    }

    const term = Type.Ref('Term');
    const aboutReading = { group, takes: ['EmbedContext', 'AtLeast'] } as const;
    const aboutWriting = { group, answer: term, right: toManage(kind) };

    resourceRoutes(api, kind, {
      list: {
        schema: listing({
          ...aboutReading,
          summary: `${kind}_list.summary`,
          answer: page(collection, `${kind}_list.answer`, term, Type.Ref('EmbeddedTerm')),
          errors: ['rest_not_there_then', ...AHEAD_ERRORS],
        }),
        takes: tables.list({ perPage: queries.perPage }),
        answer: async (reply, input: TermListInput) => {
          const list = { kind, plan: planList, pastTheEnd: PAST_THE_END } as const;
          return reply.list(await readList(dependencies, reply.request, input, list));
        },
      },
      create: {
        schema: creating({
          ...aboutWriting,
          example: termExamples[kind].create,
          summary: `${kind}.create`,
          errors: ['term_exists', ...refusals],
        }),
        takes: tables.create,
        answer: create,
      },
      one: {
        id: {
          allow: (caller) => methodsForTerm(caller, kind),
          routes: {
            read: {
              schema: reading({
                ...aboutReading,
                summary: `${kind}.read`,
                answer: termOrEmbedded,
                errors: ['rest_moved_permanently', ...OLD_STATE_ERRORS, ...AHEAD_ERRORS],
              }),
              takes: tables.read,
              answer: read,
            },
            change: {
              schema: changing({
                ...aboutWriting,
                example: termExamples[kind].change,
                summary: `${kind}.update`,
                errors: ['rest_merged', ...refusals],
              }),
              takes: tables.update,
              answer: change,
            },
            remove: {
              schema: deleting({ ...aboutWriting, summary: `${kind}.delete`, errors: ['rest_merged'] }),
              takes: tables.delete,
              answer: remove,
            },
          },
        },
      },
    });
  };

export const categoryRoutes = termRoutes({
  kind: 'category',
  tables: categoryTables,
  refusals: ['duplicate_term_slug'],
});

export const tagRoutes = termRoutes({
  kind: 'tag',
  tables: tagTables,
  refusals: ['duplicate_term_slug', 'rest_taxonomy_not_hierarchical'],
});

function refuseParentOfTag(kind: TermKind, { parent }: { readonly parent?: number }): void {
  if (kind === 'tag' && parent !== undefined) throw new ApiError('rest_taxonomy_not_hierarchical');
}
