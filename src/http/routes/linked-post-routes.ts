// The routes of venues and organizers: the same for both, by their tables.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { rightsSubjectOf } from '../../auth/policy.ts';
import type { Written } from '../../commands/context.ts';
import type { CommandResult } from '../../commands/handle-command.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  type LinkedPost,
  type LinkedPostInput,
  type LinkedPostKind,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../commands/linked-posts.ts';
import type { Fact } from '../../domain/decider.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { assembleLinkedPost } from '../../queries/assemble.ts';
import { readLinkedPost } from '../../queries/get-one.ts';
import { planLinkedPostList } from '../../queries/list-linked-posts.ts';
import type { Finder, SingleSource } from '../../queries/log-fallback.ts';
import { unlockedForEditor } from '../../queries/unlock.ts';
import type { LinkedPostDocument } from '../../read-model/documents.ts';
import { methodsFor, methodsForList, methodsForUnknownId } from '../allow.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { findNamed } from '../find-by-slug.ts';
import { organizerInput, venueInput } from '../inputs.ts';
import {
  ORGANIZER_DOCUMENTATION,
  type PostDocumentation,
  VENUE_DOCUMENTATION,
} from '../openapi/documentation/post-documentation.ts';
import type { Read } from '../read-cache.ts';
import type { ApiAnswer, Method, Route } from '../route.ts';
import { type LinkedPostTables, organizerTables, venueTables } from '../schemas/linked-post.ts';
import { readAs } from './read-as.ts';
import { conditional, readerOf, readOne } from './reading.ts';
import { answerWrite, awaitPosition, contextOf, type RouteDependencies, writtenOr } from './writing.ts';

/** What is specific to the routes of one kind. */
interface Kind<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput> {
  readonly collection: string;
  readonly tables: LinkedPostTables;
  readonly documentation: PostDocumentation;
  readonly commands: LinkedPostKind<State, F, Input>;
  readonly inputOf: (sent: FastifyRequest['given']) => Input;
  readonly documentOf: (written: Written<State>) => LinkedPostDocument;
  readonly pastTheEnd: ErrorCode;
  readonly notAccessible: ErrorCode;
}

const WRITE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];

export const venueRoutes = (dependencies: RouteDependencies): Route[] =>
  linkedPostRoutes(dependencies, {
    collection: 'venues',
    tables: venueTables,
    documentation: VENUE_DOCUMENTATION,
    commands: VENUES,
    inputOf: venueInput,
    documentOf: dependencies.documents.venue,
    pastTheEnd: 'venue-archive-page-not-found',
    notAccessible: 'venue-not-accessible',
  });

export const organizerRoutes = (dependencies: RouteDependencies): Route[] =>
  linkedPostRoutes(dependencies, {
    collection: 'organizers',
    tables: organizerTables,
    documentation: ORGANIZER_DOCUMENTATION,
    commands: ORGANIZERS,
    inputOf: organizerInput,
    documentOf: dependencies.documents.organizer,
    pastTheEnd: 'organizer-archive-page-not-found',
    notAccessible: 'organizer-not-accessible',
  });

function linkedPostRoutes<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  dependencies: RouteDependencies,
  of: Kind<State, F, Input>,
): Route[] {
  const { kind } = of.commands;
  const { queries } = dependencies;
  const { either, writable } = dependencies.beyondViews;

  async function byId(id: number | undefined, finder: Pick<Finder, 'fetch'>): Promise<LinkedPostDocument | null> {
    const [document] = await finder.fetch([{ kind, id: id ?? 0 }]);
    return document?.kind === 'venue' || document?.kind === 'organizer' ? document : null;
  }

  const bySlug = (slug: string | undefined, finder: Pick<Finder, 'findBySlug'>): Promise<LinkedPostDocument | null> =>
    findNamed(finder, kind, slug);

  const allowed = (caller: Caller, post: LinkedPostDocument | null): readonly Method[] =>
    post ? methodsFor(caller, kind, rightsSubjectOf(post)) : methodsForUnknownId(caller, kind);

  async function idBySlug({ target }: FastifyRequest): Promise<number> {
    const post = await bySlug(target.slug, writable);
    if (!post) throw invalidParameters('slug');
    return post.id;
  }

  async function answerRead(request: FastifyRequest, by: 'id' | 'slug'): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const { text, etag } = await readOne(dependencies, request, `${kind} ${by} ${request.target[by]}`, (source) =>
      read(request, by, source),
    );
    return conditional(request, text, etag);
  }

  async function read(request: FastifyRequest, by: 'id' | 'slug', source: SingleSource): Promise<Read> {
    const post = by === 'id' ? await byId(request.target.id, source) : await bySlug(request.target.slug, source);
    const found = await readLinkedPost({ ...queries, readModel: source }, post, readerOf(request));
    if ('unreadable' in found)
      throw found.unreadable === 'unknown' ? invalidParameters(by) : new ApiError(of.notAccessible);
    const { document, answer } = found;
    return { text: answer.text, etag: entityTag(document.revision, answer.mark) };
  }

  function answer(request: FastifyRequest, result: CommandResult<State>, status: 200 | 201): Promise<ApiAnswer> {
    const written = writtenOr(result, request);
    return answerWrite(dependencies, request, written, async () => {
      const document = of.documentOf(written);
      const reader = readerOf(request);
      // A write that found another author's post does not reveal what its password hides.
      const { text } = assembleLinkedPost(document, reader, 'plain', unlockedForEditor(document, reader));
      const location = `/${of.collection}/${written.id}`;
      const readings = readAs(request.given, { date: written.state.date }, request);
      return { status, body: text, etag: entityTag(written.revision, ''), location, readAs: readings };
    });
  }

  const change = async (request: FastifyRequest, id: number): Promise<ApiAnswer> =>
    answer(
      request,
      await changeLinkedPost(dependencies.commands, contextOf(request), of.commands, id, of.inputOf(request.given)),
      200,
    );

  const trash = async (request: FastifyRequest, id: number): Promise<ApiAnswer> =>
    answer(request, await trashLinkedPost(dependencies.commands, contextOf(request), of.commands, id), 200);

  return [
    {
      path: `/${of.collection}`,
      allow: (caller) => methodsForList(caller, kind),
      endpoints: [
        {
          methods: ['GET'],
          parameters: of.tables.list({ perPage: queries.perPage }),
          documentation: of.documentation.list,
          handle: async (request) => {
            const past = dependencies.pastLists.answer(kind, request, of.pastTheEnd);
            if (past) return past;
            await awaitPosition(dependencies, request);
            const plan = () => planLinkedPostList(queries, kind, request.given, readerOf(request));
            return dependencies.cache.answer(request, plan, of.pastTheEnd);
          },
        },
        {
          methods: ['POST'],
          parameters: of.tables.create,
          documentation: of.documentation.create,
          handle: async (request) => {
            const input = of.inputOf(request.given);
            const context = contextOf(request);
            return answer(request, await createLinkedPost(dependencies.commands, context, of.commands, input), 201);
          },
        },
      ],
    },
    {
      path: `/${of.collection}/{id}`,
      allow: (caller, { id }) => (caller ? byId(id, either).then((post) => allowed(caller, post)) : ['GET']),
      endpoints: [
        {
          methods: ['GET'],
          parameters: of.tables.read,
          documentation: of.documentation.read,
          handle: async (request) => (await dependencies.past.answer(kind, request)) ?? answerRead(request, 'id'),
        },
        {
          methods: ['DELETE'],
          parameters: of.tables.delete,
          documentation: of.documentation.trash,
          handle: (request) => trash(request, request.target.id),
        },
        {
          methods: WRITE_METHODS,
          parameters: of.tables.update,
          documentation: of.documentation.update,
          handle: (request) => change(request, request.target.id),
        },
      ],
    },
    {
      path: `/${of.collection}/by-slug/{slug}`,
      allow: (caller, { slug }) => (caller ? bySlug(slug, either).then((post) => allowed(caller, post)) : ['GET']),
      endpoints: [
        {
          methods: ['GET'],
          parameters: of.tables.readBySlug,
          documentation: of.documentation.readBySlug,
          handle: async (request) =>
            (await dependencies.past.answer(kind, request, () => idBySlug(request))) ?? answerRead(request, 'slug'),
        },
        {
          methods: ['DELETE'],
          parameters: of.tables.deleteBySlug,
          documentation: of.documentation.trashBySlug,
          handle: async (request) => trash(request, await idBySlug(request)),
        },
        {
          methods: WRITE_METHODS,
          parameters: of.tables.updateBySlug,
          documentation: of.documentation.updateBySlug,
          handle: async (request) => change(request, await idBySlug(request)),
        },
      ],
    },
  ];
}
