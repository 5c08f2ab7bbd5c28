// Lists as of an instant: what the public calendar showed then, by the same queries as the lists of today.
// decision 23

import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { type EventListRequest, eventListRequest, planEventList } from '../../../calendar/event/queries/list-events.ts';
import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../calendar/term/domain/term.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayManageTerms, mayReadHistory } from '../../../people/auth/policy.ts';
import type { ListPlan, QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import { termFilter } from '../../../queries/text-search.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import {
  type EventAccess,
  type EventQuery,
  type LinkedPostQuery,
  NO_POSTS,
  type Visibility,
} from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { listTerms, type Terms, termViews } from '../../../read-model/term-queries.ts';
import type { ResourceKind } from '../../history/queries/resource.ts';
import { withStaying } from '../../merges/queries/merged.ts';
import type { AsOfCalendar } from './as-of-log.ts';
import type { NamedCalendar } from './calendars.ts';
import type { LogModel } from './log-storage.ts';

/** What lists of all kinds can be asked, as far as it counts here. */
export interface ListInput {
  readonly as_of?: string;
  readonly with?: string;
  readonly status?: unknown;
  readonly search?: string;
}

/** How a list of today is planned. */
export type PlanList<Input> = (
  dependencies: QueryDependencies,
  input: Input,
  reader: Reader,
) => Promise<ListPlan | QueryRefusal> | ListPlan | QueryRefusal;

export interface ListQuestion<Asked> {
  readonly kind: ResourceKind;
  readonly input: Asked;
  readonly plan: PlanList<Asked>;
}

/**
 * Answers with a page of a list as it was. "Now" is that instant: dates are relative to it, and links contain it.
 * Passwords are not accepted: protected content stays masked.
 */
export async function planAsOfList<Input extends ListInput>(
  dependencies: Omit<QueryDependencies, 'readModel'>,
  { kind, input, plan }: ListQuestion<Input>,
  today: Reader,
  { calendar, at }: { readonly calendar: NamedCalendar; readonly at: EpochSeconds },
): Promise<ListPlan | QueryRefusal> {
  const then = { ...dependencies, readModel: readModelFor(calendar, today.caller) };
  const isOfPosts = kind !== 'category' && kind !== 'tag';
  const inputThen = { ...input, as_of: shortInstant(at), ...(isOfPosts && { status: 'publish' }) };
  const reader: Reader = { ...today, now: at, password: undefined };
  const planned = await plan(then, inputThen, reader);
  return 'refused' in planned ? planned : { ...planned, key: `${calendar.name} ${kind} ${planned.key}` };
}

/** The plan of a list of events, for `planAsOfList`. */
export const planEventListAsOf: PlanList<EventListInput> = async (dependencies, input, reader) =>
  planEventList(dependencies, withTerms(input, await dependencies.readModel.terms()), reader);

/** Terms are looked up as of the instant, not today. */
const withTerms = (input: EventListInput, terms: Terms): EventListInput => ({
  ...input,
  ...(input.categories !== undefined && { categories: termFilter(terms, 'category', input.categories) }),
  ...(input.tags !== undefined && { tags: termFilter(terms, 'tag', input.tags) }),
});

/**
 * What was public then: all of it for readers of others' histories, otherwise what is public today, and the caller's
 * own.
 */
function visibilityAsOf(caller: Caller, kind: PostKind): Visibility {
  if (mayReadHistory(caller, kind, null)) return { statuses: ['publish', 'private'], own: null };
  const isAuthor = caller !== null && mayReadHistory(caller, kind, { author: caller.id });
  return { statuses: ['publish'], own: isAuthor ? { author: caller.id, statuses: ['private'] } : null };
}

const linkedAsOf = (caller: Caller): EventQuery['linked'] => ({
  venue: visibilityAsOf(caller, 'venue'),
  organizer: visibilityAsOf(caller, 'organizer'),
});

/** Replaces the visibility of a query by that of this reader; passwords are not accepted. */
const narrowedAsOf = (query: EventQuery, caller: Caller): EventQuery => ({
  ...query,
  visibility: visibilityAsOf(caller, 'event'),
  unmasked: NO_POSTS,
  linked: linkedAsOf(caller),
});

/** What a list of events asks of the calendar of an instant; its dates are read at `now`, which may be another one. */
export const asOfEventRequest = (
  dependencies: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  input: EventListInput,
  reader: Reader,
  { calendar, at }: { readonly calendar: AsOfCalendar; readonly at: EpochSeconds },
): Promise<EventListRequest | QueryRefusal> =>
  publicEventRequest(dependencies, input, reader, { readModel: readModelFor(calendar, reader.caller), at });

/** The same of a read model that shows this reader what was, or will be, public at that instant. */
export async function publicEventRequest(
  dependencies: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  input: EventListInput,
  { now, ...reader }: Reader,
  { readModel, at }: { readonly readModel: ReadModel; readonly at: EpochSeconds },
): Promise<EventListRequest | QueryRefusal> {
  const terms = await readModel.terms();
  const staying = await withStaying(readModel, input);
  const publicInput = { ...withTerms(staying, terms), as_of: shortInstant(at), status: 'publish' };
  const request = eventListRequest(publicInput, dependencies, { ...reader, now, password: undefined }, terms);
  return 'refused' in request ? request : { ...request, query: narrowedAsOf(request.query, reader.caller) };
}

/** The read model of such a calendar for a reader: every query is narrowed to what this one may see. */
export function readModelFor(calendar: AsOfCalendar, caller: Caller): LogModel {
  const { readModel } = calendar;

  const allTerms = askedOnce<void, Promise<Terms>>(async () => {
    const counts = await readModel.terms();
    const seesClosedEvents = mayReadHistory(caller, 'event', null);
    const isClosed = (kind: TermKind, id: number): boolean =>
      calendar.closedTerms.has(id) && !mayManageTerms(caller, kind);
    return termViews(
      calendar.terms.map((term) => (isClosed(term.kind, term.id) ? { ...term, deleted: true } : term)),
      ({ id }) => (counts.get(id)?.count ?? 0) + (seesClosedEvents ? (calendar.closedCounts.get(id) ?? 0) : 0),
    );
  });

  const events: EventAccess = { visible: visibilityAsOf(caller, 'event'), unmasked: NO_POSTS };
  const linked = linkedAsOf(caller);

  const narrowed = ({ upcoming, ...query }: LinkedPostQuery): LinkedPostQuery => ({
    ...query,
    events,
    visibility: linked[query.kind],
    ...(upcoming ? { upcoming: { ...upcoming, visibility: events.visible } } : {}),
  });

  const narrowedEvents = (query: EventQuery): EventQuery => narrowedAsOf(query, caller);

  return {
    ...readModel,
    terms: allTerms,
    findEvents: (query) => readModel.findEvents(narrowedEvents(query)),
    countFacets: (query, facets) => readModel.countFacets(narrowedEvents(query), facets),
    explainEvent: (query, id, conditions) =>
      readModel.explainEvent(narrowedEvents(query), id, conditions.map(narrowedEvents)),
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
