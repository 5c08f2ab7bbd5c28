// Lists of the past: `?as_of=2026-03-01T09:00:00Z`.

import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { phrase } from '../../locales/phrases.ts';
import type { ListPlan, QueryRefusal } from '../../queries/arguments.ts';
import type { Texts } from '../../queries/as-of/as-of-log.ts';
import { type AsOfCalendars, AsOfQueueFull, type NamedCalendar } from '../../queries/as-of/calendars.ts';
import { instantText, planAsOfList } from '../../queries/as-of/lists.ts';
import type { ResourceKind } from '../../queries/history/resource.ts';
import type { QueryDependencies } from '../../queries/reader.ts';
import { listOf } from '../../text/wire-words.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { ApiError, refusedParameter } from '../errors.ts';
import { createResponseCache } from '../response-cache.ts';
import type { ApiAnswer } from '../route.ts';
import { beforeFirst, instantOf } from './as-of-reads.ts';
import { readerOf } from './reading.ts';

export interface AsOfLists {
  /** Answers with a list of resources of this kind as it was; null if the request asks for today's. */
  answer(kind: ResourceKind, request: FastifyRequest, pastTheEnd: ErrorCode): Promise<ApiAnswer> | null;
  /** Does something with the calendar of an instant that can be searched if `given` asks for that. */
  use<Result>(
    at: EpochSeconds,
    given: FastifyRequest['given'],
    work: (then: CalendarAt) => Promise<Result>,
  ): Promise<Result>;
  /** Answers with a page that is made from such calendars alone. */
  page(
    request: FastifyRequest,
    plan: () => Promise<ListPlan | QueryRefusal>,
    pastTheEnd: ErrorCode,
  ): Promise<ApiAnswer>;
}

export interface CalendarAt {
  readonly calendar: NamedCalendar;
  readonly at: EpochSeconds;
}

export interface AsOfListDependencies extends Omit<QueryDependencies, 'readModel'> {
  readonly calendars: AsOfCalendars;
}

const MAX_LIST_BYTES = 16 * 1_048_576;
/** About as long as building a calendar of a large log takes. */
const RETRY_AFTER_SECONDS = '2';

export function openAsOfLists(dependencies: AsOfListDependencies): AsOfLists {
  // The key has the name of the list's source, which never changes.
  const cache = createResponseCache({ version: async () => 'past', maxBytes: MAX_LIST_BYTES });
  const page: AsOfLists['page'] = async (request, plan, pastTheEnd) => {
    const answer = await cache.answer(request, plan, pastTheEnd);
    // The address alone does not say what this was made from: nothing may be recalled by it.
    return answer.stored ? { ...answer, stored: { ...answer.stored, found: null, shown: null } } : answer;
  };
  return {
    answer: (kind, request, pastTheEnd) =>
      request.given.as_of === undefined ? null : answerAsOf(dependencies, page, kind, request, pastTheEnd),
    use: (at, given, work) => useCalendar(dependencies, at, textsFor('event', given), work),
    page,
  };
}

const textsFor = (kind: ResourceKind, { search }: FastifyRequest['given']): Texts =>
  kind === 'event' && search !== undefined ? 'searchable' : 'left out';

async function useCalendar<Result>(
  { calendars }: AsOfListDependencies,
  at: EpochSeconds,
  texts: Texts,
  work: (then: CalendarAt) => Promise<Result>,
): Promise<Result> {
  await refuseBeforeFirst(calendars, at);
  try {
    return await calendars.use(at, texts, (calendar) => work({ calendar, at }));
  } catch (error) {
    throw error instanceof AsOfQueueFull ? queueFull() : error;
  }
}

async function answerAsOf(
  dependencies: AsOfListDependencies,
  page: AsOfLists['page'],
  kind: ResourceKind,
  request: FastifyRequest,
  pastTheEnd: ErrorCode,
): Promise<ApiAnswer> {
  const { given, now } = request;
  const at = instantOf(given.as_of, now, dependencies.siteZone);
  refuseStatus(given.status);
  const reader = readerOf(request);
  return useCalendar(dependencies, at, textsFor(kind, given), (then) =>
    page(request, () => planAsOfList(dependencies, kind, given, reader, then), pastTheEnd),
  );
}

/** Everything that was public then has one status. */
export function refuseStatus(status: unknown): void {
  if (status === undefined || listOf(status).every((one) => one === 'publish')) return;
  throw refusedParameter('status', phrase('past_status'));
}

async function refuseBeforeFirst(calendars: AsOfCalendars, at: EpochSeconds): Promise<void> {
  const first = await calendars.firstInstant();
  if (first === null || at >= first) return;
  throw beforeFirst(instantText(at), instantText(first));
}

export const queueFull = (): ApiError =>
  new ApiError('rest_unavailable', {
    text: phrase('past_queue_full'),
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
