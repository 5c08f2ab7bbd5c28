// The history of each event, venue, organizer, category and tag.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { mayManageTerms, mayReadHistory } from '../../auth/policy.ts';
import { type Arguments, listLinks, type Paging, pageCount, pagingOf, windowOf } from '../../queries/arguments.ts';
import { hashOf } from '../../queries/assemble.ts';
import {
  type HistoryDependencies,
  type HistoryEntry,
  historyEntries,
  loadHistory,
  type ResourceHistory,
} from '../../queries/history/history.ts';
import { RESOURCE_KINDS, type ResourceKind, readResourceEvents } from '../../queries/history/resource.ts';
import { ApiError, forbidden, invalidParameters } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { historyDocumentation } from '../openapi/documentation/as-of-documentation.ts';
import type { ApiAnswer, Route } from '../route.ts';
import { historyList } from '../schemas/history.ts';
import { conditional } from './reading.ts';

export interface HistoryRouteDependencies extends HistoryDependencies {
  /** Entries on a page by default. */
  readonly perPage: number;
}

export const COLLECTIONS: { readonly [Kind in ResourceKind]: string } = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
};

export const historyRoutes = (dependencies: HistoryRouteDependencies): Route[] =>
  RESOURCE_KINDS.map((kind) => ({
    path: `/${COLLECTIONS[kind]}/{id}/history`,
    allow: () => ['GET'],
    endpoints: [
      {
        methods: ['GET'],
        parameters: historyList(kind, dependencies),
        documentation: historyDocumentation(kind),
        handle: (request) => answerHistory(dependencies, kind, request),
      },
    ],
  }));

async function answerHistory(
  dependencies: HistoryRouteDependencies,
  kind: ResourceKind,
  request: FastifyRequest,
): Promise<ApiAnswer> {
  // An anonymous caller is neither author nor editor: there is nothing to look up.
  if (request.caller === null) throw forbidden(null);
  const id = request.target.id;
  const history = await loadHistory(dependencies, { kind, id });
  if (!history) throw await unknownThing(dependencies, kind, id);
  if (!mayRead(request.caller, history)) throw forbidden(request.caller);
  const paging = pagingOf(request.given, dependencies.perPage);
  const total = history.steps.length;
  const pages = pageCount(total, paging);
  if (paging.page > pages) throw new ApiError('rest_history_page_not_found');
  const told = { ...dependencies, sentences: request.language.sentences };
  const entries = await historyEntries(told, history, windowOf(paging), { caller: request.caller });
  const body = JSON.stringify(envelope(request, `${COLLECTIONS[kind]}/${id}`, entries, { paging, total, pages }));
  const last = history.steps.at(-1)?.event.revision ?? 0;
  const answer = conditional(request, body, entityTag(last, hashOf(body)), {
    'X-TEC-Total': String(total),
    'X-TEC-TotalPages': String(pages),
  });
  return { ...answer, language: request.language };
}

/** Why there is no history: an event's id of another kind of resource is a different error, as in reads of events. */
export async function unknownThing(
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

function mayRead(caller: Caller, { kind, state }: ResourceHistory): boolean {
  if (kind === 'category' || kind === 'tag') return mayManageTerms(caller, kind);
  return mayReadHistory(caller, kind, state && 'author' in state ? state : null);
}

function envelope(
  { links, given }: FastifyRequest,
  thing: string,
  history: readonly HistoryEntry[],
  { paging, total, pages }: { readonly paging: Paging; readonly total: number; readonly pages: number },
) {
  const args: Arguments = (['page', 'per_page'] as const).flatMap((name) =>
    given[name] === undefined ? [] : [[name, String(name === 'page' ? paging.page : paging.perPage)] as const],
  );
  const { rest, next, previous } = listLinks(`${links.root}/${thing}/history/`, args, paging, pages);
  return {
    history,
    rest_url: rest,
    ...(next !== null && { next_rest_url: next }),
    ...(previous !== null && { previous_rest_url: previous }),
    total,
    total_pages: pages,
  };
}
