// The fields of a resource as they were written: what a form fills in. Answers of other reads are rendered for pages.

import { notFoundError } from '../../../editorial/history/http/history-routes.ts';
import { fieldsOf } from '../../../editorial/history/queries/field-changes.ts';
import { type HistoryDependencies, loadHistory, mayRead } from '../../../editorial/history/queries/history.ts';
import { RESOURCE_KINDS } from '../../../editorial/history/queries/resource.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { forbidden } from '../../../http/errors.ts';
import { reading, toReadHistory } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import * as member from '../../../http/schemas/members.ts';
import { byId } from '../../../http/schemas/path.ts';
import { anyId } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import type { TermKind } from '../../term/domain/term.ts';
import { COLLECTIONS } from '../domain/collections.ts';
import type { PostKind } from '../domain/post.ts';
import { DOCUMENTED } from './resource-routes.ts';

// The fields of a resource as they were written.

/** The handler looks the id up in the log. */
const fieldsRead = (of: PostKind | TermKind) => Type.Object({ id: anyId(of) });

const fields = member.object('fields.answer', {
  fields: member.mapOf(member.anything('fields.value'), 'fields.fields'),
  revision: member.integer('revision.revision'),
});

export const fieldsRoutes: Routes<HistoryDependencies> = async (api, dependencies) => {
  for (const kind of RESOURCE_KINDS) {
    const { group, errors } = DOCUMENTED[kind];
    api.get(
      `/${COLLECTIONS[kind]}/${ID}/fields`,
      {
        schema: {
          ...reading({
            group,
            summary: `${kind}.fields`,
            right: toReadHistory(kind),
            answer: fields,
            errors: ['rest_forbidden', ...errors],
          }),
          params: byId,
          querystring: fieldsRead(kind),
        },
        config: READ_ONLY,
      },
      async (request, reply) => {
        const { caller, params } = request;
        if (caller === null) throw forbidden(null);
        const history = await loadHistory(dependencies, { kind, id: params.id });
        if (!history?.state) throw await notFoundError(dependencies, kind, params.id);
        if (!mayRead(caller, history)) throw forbidden(caller);
        const revision = history.steps.at(-1)?.event.revision ?? 0;
        const body = { fields: fieldsOf(kind, history.state, dependencies.display), revision };
        return reply.conditional(body, entityTag(revision, ''));
      },
    );
  }
};
