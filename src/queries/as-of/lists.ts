// Lists of the past: what the public calendar showed at an instant, by the same questions as the lists of today.
import type { EpochSeconds } from '../../time/zone.ts';
import type { ThingKind } from '../history/resource.ts';
import { planEventList } from '../list-events.ts';
import { planLinkedPostList } from '../list-linked-posts.ts';
import { planTermList } from '../list-terms.ts';
import type { ListPlan, QueryRefusal } from '../post-list.ts';
import type { QueryDependencies, Reader } from '../reader.ts';
import type { NamedCalendar } from './calendars.ts';
import { pastViews } from './views.ts';

type Given = { readonly [name: string]: unknown };

/** ISO 8601 in UTC, to the second. */
export const instantText = (at: EpochSeconds): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');

/**
 * How to answer with a page of a list as it was. "Now" is that instant: dates are taken from there, and links say it.
 * Passwords open nothing: a mask stays.
 */
export async function planPastList(
  dependencies: Omit<QueryDependencies, 'readModel'>,
  kind: ThingKind,
  given: Given,
  today: Reader,
  { calendar, at }: { readonly calendar: NamedCalendar; readonly at: EpochSeconds },
): Promise<ListPlan | QueryRefusal> {
  const then = { ...dependencies, readModel: pastViews(calendar, today.caller) };
  const isOfPosts = kind !== 'category' && kind !== 'tag';
  const asked = { ...given, as_of: instantText(at), ...(isOfPosts && { status: 'publish' }) };
  const reader: Reader = { ...today, now: at, password: undefined };
  const planned = await planList(then, kind, asked, reader);
  return 'refused' in planned ? planned : { ...planned, key: `${calendar.name} ${kind} ${planned.key}` };
}

function planList(
  dependencies: QueryDependencies,
  kind: ThingKind,
  given: Given,
  reader: Reader,
): Promise<ListPlan | QueryRefusal> | ListPlan {
  switch (kind) {
    case 'event':
      return planEventList(dependencies, given, reader);
    case 'venue':
    case 'organizer':
      return planLinkedPostList(dependencies, kind, given, reader);
    case 'category':
    case 'tag':
      return planTermList(dependencies, kind, given, reader);
  }
}
