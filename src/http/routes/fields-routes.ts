// The fields of a resource as they were written: what a form fills in. Answers of other reads are rendered for pages.

import { fieldsOf } from '../../queries/history/field-changes.ts';
import type { HistoryDependencies } from '../../queries/history/history.ts';
import { loadHistory } from '../../queries/history/history.ts';
import { RESOURCE_KINDS } from '../../queries/history/resource.ts';
import { entityTag } from '../answers/etag.ts';
import { forbidden } from '../errors.ts';
import { reading } from '../openapi/documentation/reads.ts';
import { toReadHistory } from '../openapi/documentation/rights.ts';
import { ID } from '../plugins/routing.ts';
import type { Routes } from '../route.ts';
import { fields, fieldsRead } from '../schemas/fields.ts';
import { byId } from '../schemas/path.ts';
import { COLLECTIONS, DOCUMENTED, mayRead, notFoundError } from './history-routes.ts';

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
        config: { allow: () => ['GET'] },
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
