// `POST …/{id}/merge` of venues, organizers, categories and tags, and `GET …/duplicates`: what could be merged.
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { DOCUMENTED } from '../../../calendar/resource/http/resource-routes.ts';
import { onDryRun } from '../../../commands/dry-run.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { rejectionError } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { changing, listing } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { sendPart } from '../../../http/routes/pages.ts';
import { answerWrite, awaitPosition, contextOf } from '../../../http/routes/writing.ts';
import { onlyPages, page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { mayMerge } from '../../../people/auth/policy.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { LinkTargets } from '../../../queries/reader.ts';
import type { RenderingSettings } from '../../../rendering/post-fragment.ts';
import { fieldsOf } from '../../history/queries/field-changes.ts';
import type { ProposalRouteDependencies } from '../../proposals/http/proposal-answers.ts';
import { orPropose } from '../../proposals/http/reviewed-writes.ts';
import { UNREVIEWED } from '../../series/http/series-writes.ts';
import { type Merge, mergeResources, mergeTarget } from '../commands/merge.ts';
import { MERGED_KINDS, type MergedKind } from '../domain/merge.ts';
import { type Candidate, findDuplicates } from '../queries/duplicates.ts';
import { mergeBody } from './merge-schema.ts';

const MERGE_EXAMPLE = { into: 'the-one-that-stays', dry_run: true } as const;

export const mergeRoutes: Routes<ProposalRouteDependencies> = async (api, dependencies) => {
  const { commands, queries, display } = dependencies;

  for (const kind of MERGED_KINDS) {
    const { group } = DOCUMENTED[kind];
    const collection = COLLECTIONS[kind];
    const route = guardedRoutes({ of: 'endpoint', may: (caller) => mayMerge(caller, kind) }, { group });

    api.post(
      `/${collection}/${ID}/merge`,
      route(
        changing,
        {
          example: MERGE_EXAMPLE,
          summary: `${kind}.merge`,
          description: 'merge.description',
          answer: Type.Ref('Merge'),
          errors: ['rest_merged', 'rest_cannot_merge'],
        },
        { params: byId, body: mergeBody(kind) },
      ),
      async (request, reply) => {
        const { params, body, links } = request;
        const { id } = params;
        const isDryRun = body.dry_run === true;
        const context = { ...contextOf(request), ...(isDryRun && { within: UNREVIEWED }) };
        const target = isDryRun ? onDryRun(commands) : commands;
        const instead = { kind, id, how: 'merge', wish: { into: body.into } } as const;
        return orPropose(dependencies, reply, instead, async () => {
          const result = await mergeResources(target, context, { kind, id, into: mergeTarget(body.into) });
          if (result.kind === 'rejected') throw rejectionError(result.rejection, request.caller);
          const { merge, written } = result;
          const text = JSON.stringify({ dry_run: isDryRun, kind, ...mergeObject(kind, merge, display, links) });
          const etag = entityTag(written.revision, digestOf(text));
          return answerWrite(dependencies, reply, written, async () => ({
            status: 200,
            body: text,
            etag,
            location: '',
          }));
        });
      },
    );

    api.get(
      `/${collection}/duplicates`,
      route(
        listing,
        {
          summary: `${kind}.duplicates`,
          description: 'duplicates.description',
          answer: page('duplicates', 'duplicates.answer', Type.Ref('Duplicate')),
          takes: ['AtLeast'],
        },
        { querystring: onlyPages(queries) },
      ),
      async (request, reply) => {
        const { caller, links } = request;
        await awaitPosition(dependencies, request);
        const version = await queries.readModel.version();
        const pairs = await findDuplicates(queries.readModel, caller, kind);
        const linkTo = ({ id, name }: Candidate) => ({ id, name, url: `${links.root}/${collection}/${id}` });
        reply.headers(dependencies.freshnessAt(version).headers);
        return sendPart(
          reply,
          pairs,
          (part) => ({
            duplicates: part.map(({ resources, ...why }) => ({ ...why, resources: resources.map(linkTo) })),
          }),
          { path: `${collection}/duplicates`, perPage: queries.perPage },
        );
      },
    );
  }
};

function mergeObject(kind: MergedKind, { from, into, events }: Merge, display: RenderingSettings, links: LinkTargets) {
  const [goes, stays] = [fieldsOf(kind, from, display), fieldsOf(kind, into, display)];
  const differing = Object.keys(goes).filter((field) => JSON.stringify(goes[field]) !== JSON.stringify(stays[field]));
  return {
    id: from.id,
    merged_into: into.id,
    url: `${links.root}/${COLLECTIONS[kind]}/${into.id}`,
    events: { count: events.length, ids: events },
    differences: differing.map((field) => ({ field, goes: goes[field] ?? null, stays: stays[field] ?? null })),
  };
}
