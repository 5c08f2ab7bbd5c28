// Pages of venues and organizers: one round trip for total and ids, one for documents that are not cached.
import type { LinkedPostDocument } from '../documents.ts';
import type { LinkedPostQuery, PageOf } from '../queries.ts';
import { searchWord } from '../search-text.ts';
import { bodies } from './documents.ts';
import { visibilityCodes } from './event-queries.ts';
import { attendanceCountersFor, clampedTime } from './index-entries.ts';
import { type Keys, letterOf } from './keys.ts';
import type { Reader } from './reader.ts';

function question(query: LinkedPostQuery): string {
  const visibility = visibilityCodes(query.visibility);
  const { upcoming } = query;
  return JSON.stringify({
    letter: letterOf(query.kind),
    statuses: [...new Set([...visibility.open, ...visibility.own])],
    visibility: { ...visibility, own: visibility.own.filter((status) => !visibility.open.includes(status)) },
    ...query.page,
    event: query.event,
    search: query.search?.map(searchWord),
    events: { visible: visibilityCodes(query.events.visible), unmasked: visibilityCodes(query.events.unmasked) },
    hasEvents: query.hasEvents,
    counters: attendanceCountersFor(query.events),
    upcoming: upcoming && {
      from: clampedTime(Math.ceil(upcoming.from)),
      visibility: visibilityCodes(upcoming.visibility),
    },
  });
}

/** A page of venues or organizers with the total. */
export async function listLinkedPosts(
  reader: Reader,
  keys: Keys,
  query: LinkedPostQuery,
): Promise<PageOf<LinkedPostDocument>> {
  const [total = 0, ...ids] = await reader.run('listLinkedPosts', keys.base, question(query));
  return { items: await bodies<LinkedPostDocument>(reader, keys, query.kind, ids), total };
}
