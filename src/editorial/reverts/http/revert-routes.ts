// `POST …/{id}/revert` of each event, venue, organizer, category and tag: answered like an update.

import type { FastifyReply } from 'fastify';
import { answerEvent } from '../../../calendar/event/http/event-routes.ts';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { DOCUMENTED } from '../../../calendar/resource/http/resource-routes.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import { answerTerm } from '../../../calendar/term/http/term-routes.ts';
import type { Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { changing, toRevert } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { readerOf } from '../../../http/reader.ts';
import type { Method, Routes } from '../../../http/route.ts';
import { answerWrite, contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { may, mayManageTerms, mayReadHistory, rightsSubjectOf } from '../../../people/auth/policy.ts';
import { assembleLinkedPost } from '../../../queries/assemble.ts';
import type { LinkedPostDocument } from '../../../read-model/documents.ts';
import { revert } from '../../history/http/history-schema.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../history/queries/resource.ts';
import type { ProposalRouteDependencies } from '../../proposals/http/proposal-answers.ts';
import { orPropose } from '../../proposals/http/reviewed-writes.ts';
import { revisionOf } from '../../time-travel/http/as-of-reads.ts';
import { revertCalendarEvent, revertOrganizerOf, revertVenueOf } from '../commands/revert.ts';
import { revertTermOf } from '../commands/revert-term.ts';

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
            example: { revision: 0, _reason: 'Changed by mistake' },
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

/** The handler of venues or organizers. */
const linkedPostHandle =
  <State>(
    revertOf: (...request: Parameters<typeof revertVenueOf>) => Promise<CommandResult<State>>,
    documentOf: (dependencies: RouteDependencies, written: Written<State>) => LinkedPostDocument,
  ): Handle =>
  async (dependencies, reply, id, revision) => {
    const { request } = reply;
    const written = writtenOr(await revertOf(dependencies.commands, contextOf(request), id, revision), request);
    const document = documentOf(dependencies, written);
    return answerWrite(dependencies, reply, written, async () => {
      const { text } = assembleLinkedPost(document, readerOf(request), 'plain', new Set([document]));
      return { status: 200, body: text, etag: entityTag(written.revision, ''), location: '' };
    });
  };

const termHandle =
  (kind: TermKind): Handle =>
  async (dependencies, reply, id, revision) => {
    const result = await revertTermOf(dependencies.commands, contextOf(reply.request), kind, id, revision);
    return answerTerm(dependencies, kind, reply, result);
  };

const HANDLES: { readonly [Kind in ResourceKind]: Handle } = {
  async event(dependencies, reply, id, revision) {
    const { request } = reply;
    const result = await revertCalendarEvent(dependencies.commands, contextOf(request), id, revision);
    return answerEvent(dependencies, reply, writtenOr(result, request));
  },
  venue: linkedPostHandle(revertVenueOf, ({ documents }, written) => documents.venue(written)),
  organizer: linkedPostHandle(revertOrganizerOf, ({ documents }, written) => documents.organizer(written)),
  category: termHandle('category'),
  tag: termHandle('tag'),
};
