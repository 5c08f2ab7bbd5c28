// A calendar of the past as one reader may see it. Rights narrow the questions, so totals tell nothing of what is closed.
import type { Caller } from '../../auth/caller.ts';
import { mayManageTerms, mayReadHistory } from '../../auth/policy.ts';
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import type { EventQuery, LinkedPostQuery } from '../../read-model/queries.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import { listTerms, type Terms, termViews } from '../../read-model/term-queries.ts';
import { type EventAccess, NO_POSTS, type Visibility } from '../../read-model/visibility.ts';
import type { PastCalendar } from './calendar.ts';

/** What was public then: all of it for those who may read the history of others' things, otherwise what is open today, and own things. */
export function pastVisibility(caller: Caller, kind: PostKind): Visibility {
  if (mayReadHistory(caller, kind, null)) return { statuses: ['publish', 'private'], own: null };
  const isAuthor = caller !== null && mayReadHistory(caller, kind, { author: caller.id });
  return { statuses: ['publish'], own: isAuthor ? { author: caller.id, statuses: ['private'] } : null };
}

/** Whatever visibility a query asks for, this reader's takes its place; passwords are not asked for. */
export function pastViews(calendar: PastCalendar, caller: Caller): ReadModel {
  const { readModel } = calendar;
  let terms: Promise<Terms> | null = null;

  async function termsThen(): Promise<Terms> {
    const counts = await readModel.terms();
    const seesClosedEvents = mayReadHistory(caller, 'event', null);
    const isClosed = (kind: TermKind, id: number): boolean =>
      calendar.closedTerms.has(id) && !mayManageTerms(caller, kind);
    return termViews(
      calendar.terms.map((term) => (isClosed(term.kind, term.id) ? { ...term, deleted: true } : term)),
      ({ id }) => (counts.get(id)?.count ?? 0) + (seesClosedEvents ? (calendar.closedCounts.get(id) ?? 0) : 0),
    );
  }

  const allTerms = (): Promise<Terms> => {
    terms ??= termsThen();
    return terms;
  };

  const events: EventAccess = { visible: pastVisibility(caller, 'event'), unmasked: NO_POSTS };
  const linked = { venue: pastVisibility(caller, 'venue'), organizer: pastVisibility(caller, 'organizer') };

  const narrowed = ({ upcoming, ...query }: LinkedPostQuery): LinkedPostQuery => ({
    ...query,
    events,
    visibility: linked[query.kind],
    ...(upcoming ? { upcoming: { ...upcoming, visibility: events.visible } } : {}),
  });

  const narrowedEvents = (query: EventQuery): EventQuery => ({
    ...query,
    visibility: events.visible,
    unmasked: NO_POSTS,
    linked,
  });

  return {
    ...readModel,
    terms: allTerms,
    findEvents: (query) => readModel.findEvents(narrowedEvents(query)),
    listEvents: (query) => readModel.listEvents(narrowedEvents(query)),
    listLinkedPosts: (query) => readModel.listLinkedPosts(narrowed(query)),
    async listTerms(query) {
      const [all, named] = await Promise.all([allTerms(), query.event === undefined ? null : eventById(query.event)]);
      return listTerms(all, { ...query, events }, () => named);
    },
  };

  async function eventById(id: number): Promise<EventDocument | null> {
    const [document] = await readModel.fetch([{ kind: 'event', id }]);
    return document?.kind === 'event' ? document : null;
  }
}
