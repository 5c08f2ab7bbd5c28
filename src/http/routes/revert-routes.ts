// `POST …/{id}/revert` of each event, venue, organizer, category and tag: answered like an update.

import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Caller } from '../../auth/caller.ts';
import { may, mayManageTerms, mayReadHistory, rightsSubjectOf } from '../../auth/policy.ts';
import type { Written } from '../../commands/context.ts';
import { revertCalendarEvent, revertOrganizerOf, revertVenueOf } from '../../commands/reverts/revert.ts';
import { revertTermOf } from '../../commands/reverts/revert-term.ts';
import type { Term, TermKind } from '../../domain/term.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { assembleLinkedPost, termObject } from '../../queries/assemble.ts';
import { writtenEvent } from '../../queries/get-one.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../queries/history/resource.ts';
import type { LinkedPostDocument } from '../../read-model/documents.ts';
import { entityTag } from '../answers/etag.ts';
import type { Body } from '../answers/reply.ts';
import { REVERT_EXAMPLE } from '../openapi/documentation/examples.ts';
import { toRevert } from '../openapi/documentation/rights.ts';
import { changing } from '../openapi/documentation/writes.ts';
import { ID } from '../plugins/routing.ts';
import type { Method, Routes } from '../route.ts';
import { revert } from '../schemas/history.ts';
import { byId } from '../schemas/path.ts';
import { revisionOf } from './as-of-reads.ts';
import { COLLECTIONS, DOCUMENTED } from './history-routes.ts';
import type { ProposalRouteDependencies } from './proposal-answers.ts';
import { readerOf } from './reading.ts';
import { orPropose } from './reviewed-writes.ts';
import { tagOf } from './term-routes.ts';
import { answerWrite, contextOf, type RouteDependencies, writtenOr } from './writing.ts';
import { writtenView } from './written-documents.ts';

type Handle = (dependencies: RouteDependencies, reply: FastifyReply, id: number, revision: number) => Promise<Body>;

export const revertRoutes: Routes<ProposalRouteDependencies> = async (api, dependencies) => {
  for (const kind of RESOURCE_KINDS) {
    const { group, component, errors } = DOCUMENTED[kind];
    api.post(
      `/${COLLECTIONS[kind]}/${ID}/revert`,
      {
        schema: {
          ...changing({
            group,
            example: REVERT_EXAMPLE,
            summary: `${kind}.revert`,
            description: 'revert.description',
            right: toRevert(kind),
            answer: Type.Ref(component),
            errors: ['rest_revision_not_found', 'rest_revert_conflict', ...MERGE_ERRORS[kind], ...errors],
          }),
          params: byId,
          body: revert(kind),
        },
        config: { allow: (caller, { id }) => allowed(dependencies, caller, kind, id) },
      },
      async ({ params: { id }, body }, reply) => {
        const revision = revisionOf(body.revision);
        return orPropose(dependencies, reply, { kind, id, how: 'revert', wish: { revision } }, () =>
          HANDLES[kind](dependencies, reply, id, revision),
        );
      },
    );
  }
};

/** A revert to a state in which it was merged merges it again. */
const AGAIN: readonly ErrorCode[] = ['rest_merged', 'rest_cannot_merge'];
const MERGE_ERRORS = { event: [], venue: AGAIN, organizer: AGAIN, category: AGAIN, tag: AGAIN } as const;

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
  if (!post || !('status' in post)) return [];
  return may(caller, 'update', kind, rightsSubjectOf(post)) && mayReadHistory(caller, kind, post) ? ['POST'] : [];
}

const HANDLES: { readonly [Kind in ResourceKind]: Handle } = {
  async event(dependencies, reply, id, revision) {
    const { request } = reply;
    const result = await revertCalendarEvent(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerWrite(dependencies, reply, written, async (source) => {
      const body = await writtenEvent(source, dependencies.documents.event(written), readerOf(request));
      const { text, mark } = body ?? { text: '{}', mark: '' };
      return { status: 200, body: text, etag: entityTag(written.revision, mark), location: '' };
    });
  },
  async venue(dependencies, reply, id, revision) {
    const { request } = reply;
    const result = await revertVenueOf(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerLinkedPost(dependencies, reply, written, dependencies.documents.venue(written));
  },
  async organizer(dependencies, reply, id, revision) {
    const { request } = reply;
    const result = await revertOrganizerOf(dependencies.commands, contextOf(request), id, revision);
    const written = writtenOr(result, request);
    return answerLinkedPost(dependencies, reply, written, dependencies.documents.organizer(written));
  },
  category: (dependencies, reply, id, revision) => revertOneTerm(dependencies, reply, 'category', id, revision),
  tag: (dependencies, reply, id, revision) => revertOneTerm(dependencies, reply, 'tag', id, revision),
};

const answerLinkedPost = <State>(
  dependencies: RouteDependencies,
  reply: FastifyReply,
  written: Written<State>,
  document: LinkedPostDocument,
): Promise<Body> =>
  answerWrite(dependencies, reply, written, async () => {
    const { text } = assembleLinkedPost(document, readerOf(reply.request), 'plain', new Set([document]));
    return { status: 200, body: text, etag: entityTag(written.revision, ''), location: '' };
  });

async function revertOneTerm(
  dependencies: RouteDependencies,
  reply: FastifyReply,
  kind: TermKind,
  id: number,
  revision: number,
): Promise<Body> {
  const { request } = reply;
  const result = await revertTermOf(dependencies.commands, contextOf(request), kind, id, revision);
  const written: Written<Term> = writtenOr(result, request);
  return answerWrite(dependencies, reply, written, async (source) => {
    const view = await writtenView(source, kind, written);
    return { status: 200, body: termObject(view, request.links), etag: tagOf(view), location: '' };
  });
}
