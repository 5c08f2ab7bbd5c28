// Single reads of the past: `?revision=7` and `?as_of=2026-03-01T09:00:00Z`.

import type { FastifyRequest } from 'fastify';
import type { Revision } from '../../event-store/envelope.ts';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import { phrase } from '../../locales/phrases.ts';
import type { AsOfDependencies } from '../../queries/as-of/read-resource.ts';
import { type AsOfRefusal, type AsOfState, readAsOf, type WhichState } from '../../queries/as-of/read-resource.ts';
import { embeddedTermObject, hashOf, termObject } from '../../queries/assemble.ts';
import type { HistoryDependencies } from '../../queries/history/history.ts';
import type { ResourceKind } from '../../queries/history/resource.ts';
import { resolveDate, toInstantIn } from '../../time/date-input.ts';
import type { EpochSeconds, Zone } from '../../time/zone.ts';
import { ApiError, forbidden, noSuchRevision, refusedParameter } from '../errors.ts';
import { entityTag } from '../etag.ts';
import type { ApiAnswer } from '../route.ts';
import { unknownThing } from './history-routes.ts';
import { conditional, readerOf } from './reading.ts';

export interface AsOfReads {
  /**
   * Answers with an old state of the resource in the path, by its id or by its present slug; null if the request asks
   * for none.
   */
  answer(kind: ResourceKind, request: FastifyRequest, idBySlug?: () => Promise<number>): Promise<ApiAnswer> | null;
}

export const openAsOfReads = (dependencies: AsOfDependencies & HistoryDependencies): AsOfReads => ({
  answer(kind, request, idBySlug) {
    const { as_of: asOf, revision } = request.given;
    if (asOf === undefined && revision === undefined) return null;
    return idBySlug === undefined
      ? answerAsOf(dependencies, { kind, id: request.target.id }, request)
      : idBySlug().then((id) => answerAsOf(dependencies, { kind, id }, request));
  },
});

async function answerAsOf(
  dependencies: AsOfDependencies & HistoryDependencies,
  key: { readonly kind: ResourceKind; readonly id: number },
  request: FastifyRequest,
): Promise<ApiAnswer> {
  const which = whichState(request, dependencies.display.siteZone);
  const past = await readAsOf(dependencies, key, which, readerOf(request));
  if (!('refused' in past)) return answerState(request, past);
  const { refused } = past;
  throw refused.why === 'unknown'
    ? await unknownThing(dependencies, key.kind, key.id)
    : refusalError(refused, key.kind, which, request);
}

function answerState(request: FastifyRequest, past: AsOfState): ApiAnswer {
  if (past.kind === 'post') return conditional(request, past.answer.text, entityTag(past.revision, past.answer.mark));
  const objectOf = request.given.context === 'embed' ? embeddedTermObject : termObject;
  const body = JSON.stringify(objectOf(past.term, request.links));
  return conditional(request, body, entityTag(past.term.revision, hashOf(body)));
}

/** Which state is requested. Throws 400 for none. */
function whichState({ given, now }: FastifyRequest, siteZone: Zone): WhichState {
  const { as_of: asOf, revision } = given;
  if (asOf === undefined) return { revision: revisionOf(revision) };
  if (revision !== undefined) throw refusedParameter('as_of', phrase('as_of_beside_revision'));
  return { asOf: instantOf(asOf, now, siteZone) };
}

/** Also for reverts. */
export function revisionOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw refusedParameter('revision', phrase('revision_is_whole'));
}

/** `+01:00` at the end of a value in a query with an unencoded plus is a blank and `01:00`. */
const PLUS_AS_BLANK = /^(.*T\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (\d\d:?\d\d)$/i;

/** A value without an offset is in the zone of the site. Also for lists and comparisons. */
export function instantOf(
  value: unknown,
  now: EpochSeconds,
  siteZone: Zone,
  name = 'as_of',
  unreadable: 'unreadable_instant' | 'unreadable_state' = 'unreadable_instant',
): EpochSeconds {
  const sent = typeof value === 'string' ? value.replace(PLUS_AS_BLANK, '$1+$2') : value;
  const isDate = typeof sent === 'string' || typeof sent === 'number';
  const read = isDate ? resolveDate(sent, { now, zone: siteZone }) : null;
  if (!read) throw refusedParameter(name, phrase(unreadable, { example: isoOf(now) }));
  const instant = toInstantIn(read, siteZone);
  if (instant <= now) return instant;
  throw refusedParameter(name, phrase('future_instant', { instant: isoOf(instant), now: isoOf(now) }));
}

/** ISO 8601 in UTC, to the second. */
export const isoOf = (instant: EpochSeconds): string => new Date(instant * 1000).toISOString().replace('.000Z', 'Z');

/** Also for comparisons. */
export function refusalError(
  refusal: Exclude<AsOfRefusal, { why: 'unknown' }>,
  kind: ResourceKind,
  which: WhichState,
  { caller }: FastifyRequest,
): ApiError {
  switch (refusal.why) {
    case 'no right':
      return forbidden(caller);
    case 'protected':
      return new ApiError('rest_past_protected');
    case 'in trash':
      return new ApiError('event-no-longer-available');
    case 'not accessible':
      return new ApiError(NOT_ACCESSIBLE[kind]);
    case 'no such revision':
      return unknownRevision(which, refusal.last);
    case 'not there':
      return notThere(which, refusal.since);
  }
}

/** Terms have no status: all of them are accessible. */
const NOT_ACCESSIBLE: { readonly [Kind in ResourceKind]: ErrorCode } = {
  event: 'event-not-accessible',
  venue: 'venue-not-accessible',
  organizer: 'organizer-not-accessible',
  category: 'rest_forbidden',
  tag: 'rest_forbidden',
};

function unknownRevision(which: WhichState, last: Revision): ApiError {
  const revision = 'revision' in which ? which.revision : null;
  return new ApiError('rest_revision_not_found', {
    text: noSuchRevision(String(revision), last),
    data: { revision, last_revision: last },
  });
}

/** `since` is null if this caller may not know it, or if the resource existed but was not public. */
function notThere(which: WhichState, since: string | null): ApiError {
  const asOf = 'asOf' in which ? isoOf(which.asOf) : null;
  if (since === null) return new ApiError('rest_not_there_then', { data: { as_of: asOf } });
  return beforeFirst(String(asOf), since);
}

/** Also for lists. */
export const beforeFirst = (asOf: string, since: string): ApiError =>
  new ApiError('rest_not_there_then', {
    text: phrase('before_first_event', { as_of: asOf, since }),
    data: { as_of: asOf, since },
  });
