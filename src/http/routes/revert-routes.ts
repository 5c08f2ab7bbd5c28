// `POST …/{id}/revert` of each event, venue, organizer, category and tag: answered like an update.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { may, mayManageTerms, mayReadHistory, rightsSubjectOf } from '../../auth/policy.ts';
import type { Written } from '../../commands/context.ts';
import { revertCalendarEvent, revertOrganizerOf, revertVenueOf } from '../../commands/reverts/revert.ts';
import { revertTermOf } from '../../commands/reverts/revert-term.ts';
import type { Term, TermKind } from '../../domain/term.ts';
import { assembleLinkedPost, termObject } from '../../queries/assemble.ts';
import { writtenEvent } from '../../queries/get-one.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../queries/history/resource.ts';
import type { LinkedPostDocument } from '../../read-model/documents.ts';
import { entityTag } from '../etag.ts';
import { revertDocumentation } from '../openapi/documentation/as-of-documentation.ts';
import type { ApiAnswer, Method, Route } from '../route.ts';
import { revert } from '../schemas/history.ts';
import { revisionOf } from './as-of-reads.ts';
import { COLLECTIONS } from './history-routes.ts';
import { readerOf } from './reading.ts';
import { tagOf, writtenView } from './term-routes.ts';
import { answerWrite, contextOf, type RouteDependencies, writtenOr } from './writing.ts';

type Handle = (
  dependencies: RouteDependencies,
  request: FastifyRequest,
  id: number,
  revision: number,
) => Promise<ApiAnswer>;

export const revertRoutes = (dependencies: RouteDependencies): Route[] =>
  RESOURCE_KINDS.map((kind) => ({
    path: `/${COLLECTIONS[kind]}/{id}/revert`,
    allow: (caller, { id }) => allowed(dependencies, caller, kind, id ?? 0),
    endpoints: [
      {
        methods: ['POST'],
        parameters: revert(kind),
        documentation: revertDocumentation(kind),
        handle: (request) =>
          HANDLES[kind](dependencies, request, request.target.id, revisionOf(request.given.revision)),
      },
    ],
  }));

/** Callers who may change the resource and read its history. */
async function allowed(
  { beyondViews }: RouteDependencies,
  caller: Caller,
  kind: ResourceKind,
  id: number,
): Promise<readonly Method[]> {
  if (caller === null) return [];
  if (kind === 'category' || kind === 'tag') return mayManageTerms(caller, kind) ? ['POST'] : [];
  const [post] = await beyondViews.either.fetch([{ kind, id }]);
  if (!post || !('author' in post)) return [];
  return may(caller, 'update', kind, rightsSubjectOf(post)) && mayReadHistory(caller, kind, post) ? ['POST'] : [];
}

const HANDLES: { readonly [Kind in ResourceKind]: Handle } = {
  async event(dependencies, request, id, revision) {
    const result = await revertCalendarEvent(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerWrite(dependencies, request, written, async (source) => {
      const body = await writtenEvent(source, dependencies.documents.event(written), readerOf(request));
      const { text, mark } = body ?? { text: '{}', mark: '' };
      return { status: 200, body: text, etag: entityTag(written.revision, mark), location: '' };
    });
  },
  async venue(dependencies, request, id, revision) {
    const result = await revertVenueOf(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerLinkedPost(dependencies, request, written, dependencies.documents.venue(written));
  },
  async organizer(dependencies, request, id, revision) {
    const result = await revertOrganizerOf(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerLinkedPost(dependencies, request, written, dependencies.documents.organizer(written));
  },
  category: (dependencies, request, id, revision) => revertOneTerm(dependencies, request, 'category', id, revision),
  tag: (dependencies, request, id, revision) => revertOneTerm(dependencies, request, 'tag', id, revision),
};

const answerLinkedPost = <State>(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  written: Written<State>,
  document: LinkedPostDocument,
): Promise<ApiAnswer> =>
  answerWrite(dependencies, request, written, async () => {
    const { text } = assembleLinkedPost(document, readerOf(request), 'plain', new Set([document]));
    return { status: 200, body: text, etag: entityTag(written.revision, ''), location: '' };
  });

async function revertOneTerm(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  kind: TermKind,
  id: number,
  revision: number,
): Promise<ApiAnswer> {
  const result = await revertTermOf(dependencies.commands, contextOf(request), kind, id, revision);
  const written: Written<Term> = writtenOr(result, request);
  return answerWrite(dependencies, request, written, async (source) => {
    const view = await writtenView(source, kind, written);
    return { status: 200, body: termObject(view, request.links), etag: tagOf(view), location: '' };
  });
}
