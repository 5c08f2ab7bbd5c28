// Single reads of the past: `?revision=7` and `?as_of=2026-03-01T09:00:00Z`.

import type { FastifyRequest } from 'fastify';
import { entityTag } from '../../../http/answers/etag.ts';
import type { TaggedBody } from '../../../http/caches/shared-answers.ts';
import { ApiError, forbidden, invalidParameters, noSuchRevision, refusedParameter } from '../../../http/errors.ts';
import { readerOf } from '../../../http/reader.ts';
import { resolveInstant } from '../../../kernel/time/date-input.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { Revision } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { embeddedTermObject, termObject } from '../../../queries/assemble.ts';
import { digestOf } from '../../../queries/digest.ts';
import { notFoundError } from '../../history/http/history-routes.ts';
import type { HistoryDependencies } from '../../history/queries/history.ts';
import type { ResourceKind } from '../../history/queries/resource.ts';
import {
  type AsOfDependencies,
  type AsOfRefusal,
  type AsOfState,
  readAsOf,
  type WhichState,
} from '../queries/read-resource.ts';

/** The state that a single read names, where it is not the present; see `oldState` in src/http/schemas. */
export interface StateInput {
  readonly as_of?: string;
  /** Proposals that count as carried out. */
  readonly with?: string;
  readonly revision?: number;
  /** A number: the resource is read as this proposal would make it. */
  readonly proposal?: number;
}

/** For routes that answer with the present alone. */
export function refuseInstant(query: { readonly as_of?: unknown; readonly with?: unknown }): void {
  if (query.as_of !== undefined) throw invalidParameters('as_of');
  if (query.with !== undefined) throw invalidParameters('with');
}

export type AsOfReads = ReturnType<typeof openAsOfReads>;

interface AsOfReadDependencies extends AsOfDependencies, HistoryDependencies {
  /** The streams of the log as they are at the moment of the call. */
  readonly now: () => Promise<StreamReader>;
}

export const openAsOfReads = (dependencies: AsOfReadDependencies) => ({
  /** An old state of a resource; null when the present is asked for. */
  find(kind: ResourceKind, request: FastifyRequest, state: StateInput, id: number): Promise<TaggedBody> | null {
    if (state.as_of === undefined && state.revision === undefined) return null;
    return readState(dependencies, { kind, id }, state, request);
  },
});

async function readState(
  dependencies: AsOfReadDependencies,
  key: { readonly kind: ResourceKind; readonly id: number },
  state: StateInput,
  request: FastifyRequest,
): Promise<TaggedBody> {
  const which = whichState(state, request.now, dependencies.display.siteZone);
  // What it embeds is of the same state, even if that is written at this very instant.
  const store = { ...dependencies.store, ...(await dependencies.now()) };
  const past = await readAsOf({ ...dependencies, store }, key, which, readerOf(request));
  if (!('refused' in past)) return shownState(request, past);
  const { refused } = past;
  throw refused.why === 'unknown'
    ? await notFoundError(dependencies, key.kind, key.id)
    : refusalError(refused, key.kind, which, request);
}

function shownState({ context, links }: FastifyRequest, past: AsOfState): TaggedBody {
  if (past.kind === 'post') return { text: past.answer.text, etag: entityTag(past.revision, past.answer.mark()) };
  const objectOf = context === 'embed' ? embeddedTermObject : termObject;
  const text = JSON.stringify(objectOf(past.term, links));
  return { text, etag: entityTag(past.term.revision, digestOf(text)) };
}

/** Which state is requested. Throws 400 for none. */
function whichState({ as_of: asOf, revision }: StateInput, now: EpochSeconds, siteZone: Zone): WhichState {
  if (asOf === undefined) return { revision: revisionOf(revision ?? 0) };
  if (revision !== undefined) throw refusedParameter('as_of', phrase('as_of_beside_revision'));
  return { asOf: instantOf(asOf, now, siteZone) };
}

/** Also for reverts. */
export function revisionOf(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw refusedParameter('revision', phrase('revision_is_whole'));
}

/** `+01:00` at the end of a value in a query with an unencoded plus is a blank and `01:00`. */
const PLUS_AS_BLANK = /^(.*T\d\d:\d\d(?::\d\d(?:\.\d+)?)?) (\d\d:?\d\d)$/i;

/** A value without an offset is in the zone of the site. Also for lists and comparisons. */
export function instantOf(
  value: string,
  now: EpochSeconds,
  siteZone: Zone,
  name = 'as_of',
  unreadable: 'unreadable_instant' | 'unreadable_state' = 'unreadable_instant',
): EpochSeconds {
  const instant = anyInstantOf(value, now, siteZone, name, unreadable);
  if (instant <= now) return instant;
  throw refusedParameter(name, phrase('future_instant', { instant: shortInstant(instant), now: shortInstant(now) }));
}

/** The same, also of an instant to come. */
export function anyInstantOf(
  value: string,
  now: EpochSeconds,
  siteZone: Zone,
  name = 'as_of',
  unreadable: 'unreadable_instant' | 'unreadable_state' = 'unreadable_instant',
): EpochSeconds {
  const instant = resolveInstant(value.replace(PLUS_AS_BLANK, '$1+$2'), { now, zone: siteZone });
  if (instant === null) throw refusedParameter(name, phrase(unreadable, { example: shortInstant(now) }));
  return instant;
}

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
  const asOf = 'asOf' in which ? shortInstant(which.asOf) : null;
  if (since === null) return new ApiError('rest_not_there_then', { data: { as_of: asOf } });
  return beforeFirst(String(asOf), since);
}

/** Also for lists. */
export const beforeFirst = (asOf: string, since: string): ApiError =>
  new ApiError('rest_not_there_then', {
    text: phrase('before_first_event', { as_of: asOf, since }),
    data: { as_of: asOf, since },
  });
