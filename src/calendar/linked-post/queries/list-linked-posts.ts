// The lists of venues and organizers.

import type { LinkedPostListInput } from '../../../http/schemas/lists.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { truthy } from '../../../kernel/text/wire-words.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { accessibleTo } from '../../../people/auth/policy.ts';
import {
  type Arguments,
  type ListPlan,
  type Paging,
  pageCount,
  pagingOf,
  postList,
  type QueryRefusal,
  statusFilter,
  windowOf,
} from '../../../queries/arguments.ts';
import { assembleLinkedPost } from '../../../queries/assemble.ts';
import type { Assembled } from '../../../queries/bodies.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { fieldSearch } from '../../../queries/text-search.ts';
import { unlockedBy } from '../../../queries/unlock.ts';
import type { LinkedPostQuery } from '../../../read-model/queries.ts';
import { pairsOf } from '../../event/queries/list-events.ts';

/** More than people type; each one is searched for in each field. */
const MAX_FRAGMENTS = 50;

/**
 * The first instant from `now` on at which an event starts or ends. Events that start from then on are those that start
 * from now on, and unlike "now" it stays the same until it has passed.
 */
const nextEdgeFrom = async ({ readModel }: QueryDependencies, now: EpochSeconds): Promise<EpochSeconds> =>
  (await readModel.nextEdge(now - 1)) ?? Number.MAX_SAFE_INTEGER;

interface LinkedPostListRequest {
  readonly query: LinkedPostQuery;
  readonly paging: Paging;
  readonly args: Arguments;
}

/** Answers with a page of venues or organizers. */
export async function planLinkedPostList(
  dependencies: QueryDependencies,
  kind: 'venue' | 'organizer',
  input: LinkedPostListInput,
  reader: Reader,
): Promise<ListPlan | QueryRefusal> {
  const request = await linkedPostListRequest(dependencies, kind, input, reader);
  if ('refused' in request) return request;
  const { query, paging, args } = request;
  return {
    key: JSON.stringify([query, args]),
    async read() {
      const { bodies, total } = await findLinkedPosts(dependencies, query, reader);
      const collection = kind === 'venue' ? 'venues' : 'organizers';
      return postList(collection, bodies, total, paging, args, reader.links, pageCount(total, paging));
    },
  };
}

/** A parsed request. */
export async function linkedPostListRequest(
  dependencies: QueryDependencies,
  kind: 'venue' | 'organizer',
  input: LinkedPostListInput,
  reader: Reader,
): Promise<LinkedPostListRequest | QueryRefusal> {
  const paging = pagingOf(input, dependencies.perPage);
  const status = statusFilter(input.status, kind, reader);
  if (status === 'refused') return { refused: 'status' };
  const fragments = input.search === undefined ? null : fieldSearch(input.search);
  if (fragments && fragments.length > MAX_FRAGMENTS) return { refused: 'search' };
  const { visibility } = status;
  const upcoming = truthy(input.only_with_upcoming)
    ? { from: await nextEdgeFrom(dependencies, reader.now), visibility }
    : null;
  const query: LinkedPostQuery = {
    kind,
    visibility,
    events: accessibleTo(reader.caller),
    page: windowOf(paging),
    ...(fragments ? { search: fragments } : {}),
    ...(input.event === undefined ? {} : { event: input.event }),
    ...(input.has_events === undefined ? {} : { hasEvents: truthy(input.has_events) }),
    ...(upcoming ? { upcoming } : {}),
  };
  const args: Arguments = [
    ['page', String(paging.page)],
    ['per_page', String(paging.perPage)],
    ...pairsOf(input, ['event', 'has_events']),
    ...status.args,
    ...pairsOf(input, ['search', 'only_with_upcoming', 'as_of', 'with']),
  ];
  return { query, paging, args };
}

/** The posts of a page, and how many there are on all. */
export async function findLinkedPosts(
  dependencies: QueryDependencies,
  query: LinkedPostQuery,
  reader: Reader,
): Promise<{ readonly bodies: readonly Assembled[]; readonly total: number }> {
  const { items, total } = await dependencies.readModel.listLinkedPosts(query);
  const unlocked = await unlockedBy(dependencies, items, reader);
  const turn = openTurns();
  const bodies: Assembled[] = [];
  for (const post of items) {
    await turn();
    bodies.push(assembleLinkedPost(post, reader, 'plain', unlocked));
  }
  return { bodies, total };
}
