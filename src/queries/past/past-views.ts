// A calendar of the past as one reader may see it. Rights narrow the questions, so totals tell nothing of what is closed.
import type { Caller } from '../../auth/caller.ts';
import { mayManageTerms, mayReadHistory } from '../../auth/policy.ts';
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import type { EventDocument, LinkedPostDocument } from '../../read-model/documents.ts';
import type { LinkedPostQuery, TermView, Visibility } from '../../read-model/queries.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import { listTerms, type Terms, termViews } from '../../read-model/term-queries.ts';
import type { PastCalendar } from './past-calendar.ts';

/** No event has it. */
const NO_EVENT = 0;

/** What was public then: all of it for those who may read the history of others' things, otherwise what is open today, and own things. */
export function pastVisibility(caller: Caller, kind: PostKind): Visibility {
  if (mayReadHistory(caller, kind, null)) return { statuses: ['publish', 'private'], own: null };
  const isAuthor = caller !== null && mayReadHistory(caller, kind, { author: caller.id });
  return { statuses: ['publish'], own: isAuthor ? { author: caller.id, statuses: ['private'] } : null };
}

/** Whatever visibility a query asks for, this reader's takes its place. */
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

  async function shown<Kind extends PostKind>(kind: Kind, ids: readonly number[]): Promise<readonly number[]> {
    const posts = await readModel.fetch(ids.map((id) => ({ kind, id })));
    return ids.filter((_, index) => isShown(caller, posts[index]));
  }

  /** What was not public then can be asked for as it could then; what has been closed since finds nothing. */
  async function notClosed(kind: 'venue' | 'organizer', ids: readonly number[]): Promise<readonly number[]> {
    const posts = await readModel.fetch(ids.map((id) => ({ kind, id })));
    return ids.filter((_, index) => {
      const post = posts[index];
      return !(post && 'status' in post && post.status === 'private') || isShown(caller, post);
    });
  }

  async function narrowed(query: LinkedPostQuery): Promise<LinkedPostQuery> {
    const { event, upcoming, ...others } = query;
    return {
      ...others,
      visibility: pastVisibility(caller, query.kind),
      ...(event === undefined ? {} : { event: (await shown('event', [event]))[0] ?? NO_EVENT }),
      ...(upcoming ? { upcoming: { ...upcoming, visibility: pastVisibility(caller, 'event') } } : {}),
    };
  }

  return {
    ...readModel,
    terms: allTerms,
    async listEvents({ venues, organizers, ...query }) {
      return readModel.listEvents({
        ...query,
        visibility: pastVisibility(caller, 'event'),
        searchProtected: 'never',
        ...(venues ? { venues: await notClosed('venue', venues) } : {}),
        ...(organizers ? { organizers: await notClosed('organizer', organizers) } : {}),
      });
    },
    listLinkedPosts: async (query) => readModel.listLinkedPosts(await narrowed(query)),
    async listTerms(query) {
      const event = query.event === undefined ? undefined : await publicEvent(query.event);
      return listTerms(await allTerms(), query, (_, kind) => termsOf(event, kind));
    },
  };

  async function publicEvent(id: number): Promise<EventDocument | undefined> {
    const [document] = await readModel.fetch([{ kind: 'event', id }]);
    return document?.kind === 'event' && isShown(caller, document) ? document : undefined;
  }
}

const termsOf = (event: EventDocument | undefined, kind: TermView['kind']): readonly number[] =>
  event?.[kind === 'category' ? 'categories' : 'tags'] ?? [];

function isShown(caller: Caller, document: unknown): boolean {
  if (!isPost(document)) return false;
  const { statuses, own } = pastVisibility(caller, document.kind);
  return statuses.includes(document.status) || (own?.author === document.author && document.status === 'private');
}

const isPost = (document: unknown): document is EventDocument | LinkedPostDocument =>
  typeof document === 'object' && document !== null && 'status' in document;
