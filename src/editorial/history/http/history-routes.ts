// The history of each event, venue, organizer, category and tag.
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { DOCUMENTED } from '../../../calendar/resource/http/resource-routes.ts';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { listing, toReadHistory } from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import { sendPage } from '../../../http/routes/pages.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { pagingOf, windowOf } from '../../../queries/arguments.ts';
import { type HistoryDependencies, historyEntries, loadHistory, mayRead } from '../queries/history.ts';
import { RESOURCE_KINDS, type ResourceKind, readResourceEvents } from '../queries/resource.ts';
import { historyList } from './history-schema.ts';

export interface HistoryRouteDependencies extends HistoryDependencies {
  /** Entries on a page by default. */
  readonly perPage: number;
}

export const historyRoutes: Routes<HistoryRouteDependencies> = async (api, dependencies) => {
  for (const kind of RESOURCE_KINDS) {
    const { group, errors } = DOCUMENTED[kind];
    api.get(
      `/${COLLECTIONS[kind]}/${ID}/history`,
      {
        schema: {
          ...listing({
            group,
            summary: `${kind}.history`,
            right: toReadHistory(kind),
            answer: page('history', 'history.answer', Type.Ref('Revision')),
            errors: ['rest_forbidden', 'rest_history_page_not_found', ...errors],
          }),
          params: byId,
          querystring: historyList(kind, dependencies),
        },
        config: READ_ONLY,
      },
      async (request, reply) => {
        const { caller, language, params, query } = request;
        // An anonymous caller is neither author nor editor: there is nothing to look up.
        if (caller === null) throw forbidden(null);
        const { id } = params;
        const history = await loadHistory(dependencies, { kind, id });
        if (!history) throw await notFoundError(dependencies, kind, id);
        if (!mayRead(caller, history)) throw forbidden(caller);
        const paging = pagingOf(query, dependencies.perPage);
        const total = history.steps.length;
        const { sentences } = language;
        const entries = await historyEntries({ ...dependencies, sentences }, history, windowOf(paging), { caller });
        const revision = history.steps.at(-1)?.event.revision ?? 0;
        const page = { paging, total, path: `${COLLECTIONS[kind]}/${id}/history`, revision, language };
        return sendPage(reply, { history: entries }, { ...page, pastTheEnd: 'rest_history_page_not_found' });
      },
    );
  }
};

/** Why there is no history: an event's id of another kind of resource is a different error, as in reads of events. */
export async function notFoundError(
  dependencies: HistoryDependencies,
  kind: ResourceKind,
  id: number,
): Promise<ApiError> {
  if (kind !== 'event') return invalidParameters('id');
  const others = await Promise.all(
    (['venue', 'organizer'] as const).map((other) => readResourceEvents(dependencies, { kind: other, id })),
  );
  const isForeign = others.some((events) => events.length > 0);
  return new ApiError(isForeign ? 'rest-invalid-event-id' : 'rest-event-not-found');
}
