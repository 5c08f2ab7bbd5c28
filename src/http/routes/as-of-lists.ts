// Lists of the past: `?as_of=2026-03-01T09:00:00Z`.

import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { phrase } from '../../locales/phrases.ts';
import type { Texts } from '../../queries/as-of/as-of-log.ts';
import { type AsOfCalendars, AsOfQueueFull } from '../../queries/as-of/calendars.ts';
import { instantText, planAsOfList } from '../../queries/as-of/lists.ts';
import type { ResourceKind } from '../../queries/history/resource.ts';
import type { QueryDependencies } from '../../queries/reader.ts';
import { listOf } from '../../text/wire-words.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { ApiError, refusedParameter } from '../errors.ts';
import { createResponseCache, type ResponseCache } from '../response-cache.ts';
import type { ApiAnswer } from '../route.ts';
import { beforeFirst, instantOf } from './as-of-reads.ts';
import { readerOf } from './reading.ts';

export interface AsOfLists {
  /** Answers with a list of things of this kind as it was; null when the request asks for today's. */
  answer(kind: ResourceKind, request: FastifyRequest, pastTheEnd: ErrorCode): Promise<ApiAnswer> | null;
}

export interface AsOfListDependencies extends Omit<QueryDependencies, 'readModel'> {
  readonly calendars: AsOfCalendars;
}

const MAX_LIST_BYTES = 16 * 1_048_576;
/** About as long as a calendar of a large log takes. */
const RETRY_AFTER_SECONDS = '2';

export function openAsOfLists(dependencies: AsOfListDependencies): AsOfLists {
  // What a list is made from has its name in the key, and never changes.
  const cache = createResponseCache({ version: async () => 'past', maxBytes: MAX_LIST_BYTES });
  return {
    answer: (kind, request, pastTheEnd) =>
      request.given.as_of === undefined ? null : answerAsOf(dependencies, cache, kind, request, pastTheEnd),
  };
}

async function answerAsOf(
  dependencies: AsOfListDependencies,
  cache: ResponseCache,
  kind: ResourceKind,
  request: FastifyRequest,
  pastTheEnd: ErrorCode,
): Promise<ApiAnswer> {
  const { calendars, siteZone } = dependencies;
  const { given, now } = request;
  const at = instantOf(given.as_of, now, siteZone);
  refuseStatus(given.status);
  await refuseBeforeFirst(calendars, at);
  const texts: Texts = kind === 'event' && given.search !== undefined ? 'searchable' : 'left out';
  const reader = readerOf(request);
  try {
    const answer = await calendars.use(at, texts, (calendar) =>
      cache.answer(request, () => planAsOfList(dependencies, kind, given, reader, { calendar, at }), pastTheEnd),
    );
    // The address alone does not say what this was made from: nothing may be recalled by it.
    return answer.stored ? { ...answer, stored: { ...answer.stored, found: null, shown: null } } : answer;
  } catch (error) {
    throw error instanceof AsOfQueueFull ? queueFull() : error;
  }
}

/** What the public saw has one status. */
function refuseStatus(status: unknown): void {
  if (status === undefined || listOf(status).every((one) => one === 'publish')) return;
  throw refusedParameter('status', phrase('past_status'));
}

async function refuseBeforeFirst(calendars: AsOfCalendars, at: EpochSeconds): Promise<void> {
  const first = await calendars.firstInstant();
  if (first === null || at >= first) return;
  throw beforeFirst(instantText(at), instantText(first));
}

const queueFull = (): ApiError =>
  new ApiError('rest_unavailable', {
    text: phrase('past_queue_full'),
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
