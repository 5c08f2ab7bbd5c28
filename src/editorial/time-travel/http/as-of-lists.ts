// Lists of the past: `?as_of=2026-03-01T09:00:00Z`.

import type { FastifyRequest } from 'fastify';
import type { StoredAnswer } from '../../../http/answers/stored-list.ts';
import type { AnswerCache } from '../../../http/caches/answer-cache.ts';
import { openSharedAnswers } from '../../../http/caches/shared-answers.ts';
import { ApiError, refusedParameter } from '../../../http/errors.ts';
import { readerOf } from '../../../http/reader.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { ListPlan, QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies } from '../../../queries/reader.ts';
import type { ResourceKind } from '../../history/queries/resource.ts';
import { type AsOfCalendars, AsOfQueueFull } from '../queries/calendars.ts';
import { type ListInput, type ListQuestion, type PlanList, planAsOfList } from '../queries/lists.ts';
import { beforeFirst, instantOf } from './as-of-reads.ts';

export type AsOfLists = ReturnType<typeof openAsOfLists>;

interface AsOfListDependencies extends Omit<QueryDependencies, 'readModel'> {
  readonly calendars: AsOfCalendars;
  /** Where lists are cached. */
  readonly answers: AnswerCache;
}

/** About as long as building a calendar of a large log takes. */
const RETRY_AFTER_SECONDS = '2';

export function openAsOfLists(dependencies: AsOfListDependencies) {
  // The key has the name of the list's source, which never changes.
  const cache = openSharedAnswers({ version: () => 'past', name: 'past', answers: dependencies.answers });
  async function page(
    request: FastifyRequest,
    plan: () => Promise<ListPlan | QueryRefusal>,
    pastTheEnd: ErrorCode,
  ): Promise<StoredAnswer> {
    const list = await cache.list(request, plan, pastTheEnd);
    // The address alone does not say what this was made from: nothing may be recalled by it.
    return { ...list, place: null, freshness: null };
  }
  return {
    /** A list of this kind as it was, planned as today's is; null when the request asks for today's. */
    find: <Asked extends ListInput>(
      kind: ResourceKind,
      request: FastifyRequest,
      input: Asked,
      plan: PlanList<Asked>,
      pastTheEnd: ErrorCode,
    ) =>
      input.as_of === undefined
        ? null
        : listAsOf(dependencies, page, request, { kind, input, plan, asOf: input.as_of }, pastTheEnd),
    /** The calendar of an instant. */
    at: (at: EpochSeconds, request: FastifyRequest) => calendarAt(dependencies, at, request),
    /** A page that is made from such calendars alone. */
    page,
  };
}

/** Rejects with 400 for an instant before the first, and with 503 if too many wait. */
async function calendarAt({ calendars }: AsOfListDependencies, at: EpochSeconds, { caller, raw }: FastifyRequest) {
  await refuseBeforeFirst(calendars, at);
  try {
    const isWaiting = (): boolean => !raw.socket.destroyed;
    return { calendar: await calendars.find(at, caller === null ? 'public' : 'user', isWaiting), at };
  } catch (error) {
    throw error instanceof AsOfQueueFull ? queueFull() : error;
  }
}

async function listAsOf<Asked extends ListInput>(
  dependencies: AsOfListDependencies,
  page: AsOfLists['page'],
  request: FastifyRequest,
  question: ListQuestion<Asked> & { readonly asOf: string },
  pastTheEnd: ErrorCode,
): Promise<StoredAnswer> {
  const { input, asOf } = question;
  const at = instantOf(asOf, request.now, dependencies.siteZone);
  refuseStatus(input.status);
  const reader = readerOf(request);
  const then = await calendarAt(dependencies, at, request);
  return page(request, () => planAsOfList(dependencies, question, reader, then), pastTheEnd);
}

/** Everything that was public then has one status. */
export function refuseStatus(status: unknown): void {
  if (status === undefined || listOf(status).every((one) => one === 'publish')) return;
  throw refusedParameter('status', phrase('past_status'));
}

async function refuseBeforeFirst(calendars: AsOfCalendars, at: EpochSeconds): Promise<void> {
  const first = await calendars.firstInstant();
  if (first === null || at >= first) return;
  throw beforeFirst(shortInstant(at), shortInstant(first));
}

export const queueFull = (): ApiError =>
  new ApiError('rest_unavailable', {
    text: phrase('past_queue_full'),
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
