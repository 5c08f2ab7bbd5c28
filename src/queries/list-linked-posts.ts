// The lists of venues and organizers.
import type { LinkedPostQuery } from '../read-model/queries.ts';
import { type Arguments, pageCount, pagingOf, windowOf } from './arguments.ts';
import { assembleLinkedPost } from './assemble.ts';
import { sent } from './list-events.ts';
import { type ListAnswer, postList, type QueryRefusal } from './post-list.ts';
import type { QueryDependencies, Reader } from './reader.ts';
import { statusFilter } from './status-filter.ts';
import { fieldSearch } from './text-search.ts';
import { unlockedBy } from './unlock.ts';

const TRUTHY = ['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled'];

const isTruthy = (value: unknown): boolean => value === true || TRUTHY.includes(String(value ?? '').toLowerCase());

/** A page of venues or organizers. */
export async function listLinkedPosts(
  dependencies: QueryDependencies,
  kind: 'venue' | 'organizer',
  given: { readonly [name: string]: unknown },
  reader: Reader,
): Promise<ListAnswer | QueryRefusal> {
  const paging = pagingOf(given, dependencies.perPage);
  const status = statusFilter(given.status, kind, reader);
  if (status === 'refused') return { refused: 'status' };
  const { visibility } = status;
  const query: LinkedPostQuery = {
    kind,
    visibility,
    page: windowOf(paging),
    ...(given.search === undefined ? {} : { search: fieldSearch(String(given.search)) }),
    ...(given.event === undefined ? {} : { event: Number(given.event) }),
    ...(given.has_events === undefined ? {} : { hasEvents: isTruthy(given.has_events) }),
    ...(isTruthy(given.only_with_upcoming) ? { upcoming: { from: reader.now, visibility } } : {}),
  };
  const { items, total } = await dependencies.readModel.listLinkedPosts(query);
  const unlocked = await unlockedBy(dependencies, items, reader);
  const bodies = items.map((post) => assembleLinkedPost(post, reader, 'plain', unlocked));
  const args: Arguments = [
    ['page', String(paging.page)],
    ['per_page', String(paging.perPage)],
    ...sent(given, ['event', 'has_events']),
    ...status.args,
    ...sent(given, ['search', 'only_with_upcoming']),
  ];
  const collection = kind === 'venue' ? 'venues' : 'organizers';
  return postList(collection, bodies, total, paging, args, reader.links, pageCount(total, paging));
}
