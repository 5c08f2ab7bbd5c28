// The routes of venues and organizers: the same for both, but for what their kind says.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import type { Fact } from '../../../domain/decider.ts';
import { postInstead } from '../../../editorial/merges/queries/merged.ts';
import type { ProposalRouteDependencies } from '../../../editorial/proposals/http/proposal-answers.ts';
import { orPropose } from '../../../editorial/proposals/http/reviewed-writes.ts';
import { type DateMembers, readAs } from '../../../editorial/time-travel/http/read-as.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import type { TaggedBody } from '../../../http/caches/shared-answers.ts';
import { ApiError, invalidParameters, movedPermanently } from '../../../http/errors.ts';
import {
  AHEAD_ERRORS,
  changing,
  creating,
  listing,
  OLD_STATE_ERRORS,
  onPosts,
  reading,
  toCreate,
  trashing,
} from '../../../http/openapi/documentation.ts';
import { organizerInput, venueInput } from '../../../http/parameters/inputs.ts';
import { readerOf } from '../../../http/reader.ts';
import type { Routes } from '../../../http/route.ts';
import { postReading, readList } from '../../../http/routes/reading.ts';
import { answerWrite, contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { type LinkedPostListInput, page } from '../../../http/schemas/lists.ts';
import Type from '../../../http/schemas/type.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { assembleLinkedPost } from '../../../queries/assemble.ts';
import type { SingleSource } from '../../../queries/log-fallback.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { unlockedForEditor } from '../../../queries/unlock.ts';
import type { LinkedPostDocument } from '../../../read-model/documents.ts';
import { COLLECTIONS } from '../../resource/domain/collections.ts';
import { postById } from '../../resource/http/find-posts.ts';
import { allowOnPost, DOCUMENTED, resourceRoutes } from '../../resource/http/resource-routes.ts';
import { readLinkedPost } from '../../resource/queries/get-one.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  type LinkedPost,
  type LinkedPostInput,
  type LinkedPostKind,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../commands/linked-posts.ts';
import { planLinkedPostList } from '../queries/list-linked-posts.ts';
import { type LinkedPostTables, linkedPostExamples, organizerTables, venueTables } from './linked-post-schema.ts';

/** What sets the routes of one kind apart. */
interface Kind<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput, Members> {
  readonly commands: LinkedPostKind<State, F, Input>;
  readonly tables: LinkedPostTables;
  /** Beside those that both kinds have. */
  readonly updateErrors: readonly ErrorCode[];
  readonly inputOf: (body: Members) => Input;
  readonly documentOf: (dependencies: RouteDependencies, written: Written<State>) => LinkedPostDocument;
}

function linkedPostRoutes<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput, Members>(
  of: Kind<State, F, Input, Members & DateMembers>,
): Routes<ProposalRouteDependencies> {
  const { kind } = of.commands;
  const collection = COLLECTIONS[kind];
  const { group, component } = DOCUMENTED[kind];
  const pastTheEnd = `${kind}-archive-page-not-found` as const;
  const about = { group, answer: Type.Ref(component) } as const;
  const aboutReading = {
    ...about,
    right: onPosts('read', kind),
    takes: ['Password', 'AtLeast'],
    errors: ['rest_past_protected', ...OLD_STATE_ERRORS, ...AHEAD_ERRORS],
  } as const;
  const aboutOne = { ...aboutReading, errors: [...aboutReading.errors, 'rest_moved_permanently'] } as const;
  const aboutUpdate = {
    ...about,
    right: onPosts('update', kind),
    example: linkedPostExamples[kind].change,
    errors: [`could-not-create-${kind}`, 'rest_merged', ...of.updateErrors],
  } as const;
  const aboutTrash = {
    ...about,
    right: onPosts('delete', kind),
    errors: [`${kind}-is-in-trash`, 'rest_merged'],
  } as const;

  return async (api, dependencies) => {
    const { queries, commands, beyondViews } = dependencies;
    const allow = allowOnPost(beyondViews.either, kind);

    async function read(request: FastifyRequest, id: number, source: SingleSource): Promise<TaggedBody> {
      const post = await postById(source, kind, id);
      const instead = post && (await postInstead(source, post, request.caller));
      if (instead) throw movedPermanently(`${request.links.root}/${collection}/${instead}`, instead);
      const result = await readLinkedPost({ ...queries, readModel: source }, post, readerOf(request));
      if ('unreadable' in result)
        throw result.unreadable === 'unknown' ? invalidParameters('id') : new ApiError(`${kind}-not-accessible`);
      const { document, answer } = result;
      const { picture } = document;
      const shows = [`${kind}-${id}`, ...(picture === undefined ? [] : [`picture-${picture}`])];
      return { text: answer.text, etag: entityTag(document.revision, answer.mark()), shows };
    }

    function answer(
      reply: FastifyReply,
      result: CommandResult<State>,
      status: 200 | 201,
      dates: DateMembers = {},
    ): Promise<Body> {
      const { request } = reply;
      const written = writtenOr(result, request);
      return answerWrite(dependencies, reply, written, async () => {
        const document = of.documentOf(dependencies, written);
        const reader = readerOf(request);
        // A write that found another author's post does not reveal what its password hides.
        const { text } = assembleLinkedPost(document, reader, 'plain', unlockedForEditor(document, reader));
        const location = `/${collection}/${written.id}`;
        const readings = readAs(dates, { date: written.state.date }, request);
        return { status, body: text, etag: entityTag(written.revision, ''), location, readAs: readings };
      });
    }

    async function change(reply: FastifyReply, id: number, body: Members & DateMembers): Promise<Body> {
      const context = contextOf(reply.request);
      const input = of.inputOf(body);
      return orPropose(dependencies, reply, { kind, id, how: 'change', wish: input }, async () =>
        answer(reply, await changeLinkedPost(commands, context, of.commands, id, input), 200, body),
      );
    }

    const trash = async (reply: FastifyReply, id: number): Promise<Body> =>
      orPropose(dependencies, reply, { kind, id, how: 'delete', wish: {} }, async () =>
        answer(reply, await trashLinkedPost(commands, contextOf(reply.request), of.commands, id), 200),
      );

    async function create(reply: FastifyReply, body: Members & DateMembers): Promise<Body> {
      const input = of.inputOf(body);
      const context = contextOf(reply.request);
      return orPropose(dependencies, reply, { kind, how: 'create', wish: input }, async () =>
        answer(reply, await createLinkedPost(commands, context, of.commands, input), 201, body),
      );
    }

    const planList = (plan: QueryDependencies, input: LinkedPostListInput, reader: Reader) =>
      planLinkedPostList(plan, kind, input, reader);

    /** The routes of one of them, by its id or its slug. With what reads, deletions and changes take. */
    const routesOfOne = (
      by: '' | '_by_slug',
      readErrors: readonly ErrorCode[],
      [ofRead, ofDeletion, ofChange]: readonly [TObject, TObject, TObject],
    ) => ({
      read: {
        schema: reading({ ...aboutOne, summary: `${kind}.read${by}`, errors: [...aboutOne.errors, ...readErrors] }),
        takes: ofRead,
        answer: postReading(dependencies, kind, read),
      },
      remove: {
        schema: trashing({ ...aboutTrash, summary: `${kind}.trash${by}` }),
        takes: ofDeletion,
        answer: trash,
      },
      change: {
        schema: changing({ ...aboutUpdate, summary: `${kind}.update${by}` }),
        takes: ofChange,
        answer: change,
      },
    });

    resourceRoutes(api, kind, {
      list: {
        schema: listing({
          ...aboutReading,
          summary: `${kind}_list.summary`,
          answer: page(collection, `${kind}_list.answer`, about.answer),
          errors: [pastTheEnd, 'rest_not_there_then', ...AHEAD_ERRORS],
        }),
        takes: of.tables.list({ perPage: queries.perPage }),
        answer: async (reply, input: LinkedPostListInput) =>
          reply.list(await readList(dependencies, reply.request, input, { kind, plan: planList, pastTheEnd })),
      },
      create: {
        schema: creating({
          ...about,
          right: toCreate(kind),
          example: linkedPostExamples[kind].create,
          summary: `${kind}.create`,
          description: `${kind}.create_description`,
          errors: [`could-not-create-${kind}`],
        }),
        takes: of.tables.create,
        answer: create,
      },
      one: {
        id: {
          allow: allow.id,
          routes: routesOfOne('', [`${kind}-not-accessible`], [of.tables.read, of.tables.delete, of.tables.update]),
        },
        slug: {
          allow: allow.slug,
          routes: routesOfOne(
            '_by_slug',
            ['rest_slug_changed'],
            [of.tables.readBySlug, of.tables.deleteBySlug, of.tables.updateBySlug],
          ),
        },
      },
    });
  };
}

export const venueRoutes = linkedPostRoutes({
  commands: VENUES,
  tables: venueTables,
  updateErrors: [],
  inputOf: venueInput,
  documentOf: ({ documents }, written) => documents.venue(written),
});

export const organizerRoutes = linkedPostRoutes({
  commands: ORGANIZERS,
  tables: organizerTables,
  updateErrors: ['organizer-is-erased'],
  inputOf: organizerInput,
  documentOf: ({ documents }, written) => documents.organizer(written),
});
