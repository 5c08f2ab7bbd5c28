// `GET …/{id}/compare` and `GET /events/compare`: two states of a resource, or of a list of events.

import type { FastifyRequest } from 'fastify';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { DOCUMENTED } from '../../../calendar/resource/http/resource-routes.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { type ApiError, forbidden, refusedParameter } from '../../../http/errors.ts';
import {
  AHEAD_ERRORS,
  listing,
  OLD_STATE_ERRORS,
  reading,
  toReadHistory,
} from '../../../http/openapi/documentation.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { readerOf } from '../../../http/reader.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import { byId } from '../../../http/schemas/path.ts';
import { jsonWith } from '../../../kernel/text/json-member.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { phrase } from '../../../locales/phrases.ts';
import { mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { digestOf } from '../../../queries/digest.ts';
import { notFoundError } from '../../history/http/history-routes.ts';
import type { HistoryDependencies } from '../../history/queries/history.ts';
import { RESOURCE_KINDS, type ResourceKey, type ResourceKind } from '../../history/queries/resource.ts';
import { type AheadReads, namesMembers } from '../../time-travel/http/ahead-reads.ts';
import { type AsOfLists, refuseStatus } from '../../time-travel/http/as-of-lists.ts';
import { anyInstantOf, instantOf, refusalError } from '../../time-travel/http/as-of-reads.ts';
import { comingState } from '../../time-travel/http/coming-state.ts';
import type { AsOfDependencies } from '../../time-travel/queries/read-resource.ts';
import type { ListComparison } from '../queries/compare-lists.ts';
import {
  type ComingSide,
  type ComparedSide,
  type ComparedState,
  type CompareRefusal,
  compareStates,
  type ProposedState,
} from '../queries/compare-states.ts';
import { type ComparedCalendar, calendarAhead, calendarThen } from '../queries/list-differences.ts';
import { listCompare, listComparison, stateCompare, stateComparison } from './compare-schema.ts';

export interface CompareDependencies extends AsOfDependencies, HistoryDependencies {
  readonly perPage: number;
  readonly pastLists: Pick<AsOfLists, 'at' | 'page'>;
  readonly lists: ListComparison;
  /** A resource as a proposal about it would make it; rejects as reading it with `proposal` does. */
  readonly proposed: (request: FastifyRequest, key: ResourceKey, proposal: number) => Promise<ProposedState>;
  readonly ahead: Pick<AheadReads, 'isAsked' | 'use'>;
  /** The same for the earlier one of two lists: a question about the one may wait for the end of that about the other. */
  readonly earlierAhead: Pick<AheadReads, 'isAsked' | 'use'>;
}

/** Errors of a side that is what a proposal would make. */
const PROPOSED_STATE_ERRORS: readonly ErrorCode[] = [
  'rest_proposal_not_found',
  'rest_proposal_closed',
  'rest_target_in_trash',
];

/** Errors of sides that are proposals, or are to come. */
const COMING_ERRORS: { readonly [Kind in 'event' | 'other']: readonly ErrorCode[] } = {
  event: [...PROPOSED_STATE_ERRORS, ...AHEAD_ERRORS, 'event-not-accessible', 'event-no-longer-available'],
  other: [...PROPOSED_STATE_ERRORS, ...AHEAD_ERRORS],
};

export const compareRoutes: Routes<CompareDependencies> = async (api, dependencies) => {
  const { pastLists, lists, display, ahead, earlierAhead } = dependencies;

  api.get(
    '/events/compare',
    {
      schema: {
        ...listing({
          group: 'Events',
          summary: 'compare_list.summary',
          description: 'compare_list.description',
          answer: listComparison,
          errors: ['event-archive-page-not-found', 'rest_not_there_then', ...AHEAD_ERRORS],
        }),
        querystring: listCompare(dependencies),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { query, links } = request;
      refuseStatus(query.status);
      const { from, to } = instantsOf(request, query, display.siteZone);
      // Refused before a calendar is built.
      ahead.isAsked(request, to.parameters);
      const reader = readerOf(request);
      const use = <Result>(
        coming: CompareDependencies['ahead'],
        { at, parameters }: ComingSide,
        work: (calendar: ComparedCalendar) => Promise<Result>,
      ): Promise<Result> =>
        coming.use(request, parameters, (then) => work(calendarAhead(then, at, reader))) ??
        pastLists.at(at, request).then(({ calendar }) => work(calendarThen(calendar, at, reader)));
      const list = await use(earlierAhead, from, (earlier) =>
        use(ahead, to, (later) =>
          pastLists.page(
            request,
            () => lists.plan(query, links, { from: earlier, to: later }),
            'event-archive-page-not-found',
          ),
        ),
      );
      return reply.list(list);
    },
  );

  for (const kind of RESOURCE_KINDS) compareRoute(api, dependencies, kind);
};

/** Compares by the history alone, so it needs the right to read it; both sides are rendered as reads of old states are. */
function compareRoute(api: Parameters<Routes>[0], dependencies: CompareDependencies, kind: ResourceKind): void {
  const { ahead, display } = dependencies;
  const { group, component, errors } = DOCUMENTED[kind];
  api.get(
    `/${COLLECTIONS[kind]}/${ID}/compare`,
    {
      schema: {
        ...reading({
          group,
          summary: `${kind}.compare`,
          right: toReadHistory(kind),
          answer: stateComparison(kind, component),
          errors: [...new Set([...errors, ...OLD_STATE_ERRORS, ...COMING_ERRORS[kind === 'event' ? kind : 'other']])],
        }),
        params: byId,
        querystring: stateCompare(kind),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { caller, query, now, params } = request;
      const key = { kind, id: params.id };
      if (caller === null) throw forbidden(null);
      const { siteZone } = display;
      const sides = {
        from: stateNamed('from', query.from, request, siteZone),
        to: query.to === undefined ? null : stateNamed('to', query.to, request, siteZone),
      };
      refuseReversed(sides, now);
      const compared = await compareStates(
        {
          ...dependencies,
          proposed: (proposal) => dependencies.proposed(request, key, proposal),
          coming: (query) => comingState(ahead, request, key, query),
        },
        key,
        sides,
        readerOf(request),
      );
      if ('refused' in compared) throw await refusal(dependencies, compared.refused, request, key);
      const { from, to, changes } = compared;
      const [former, present] = [stateText(kind, from), stateText(kind, to)];
      const body = `{"id":${key.id},"from":${former},"to":${present},"changes":${JSON.stringify(changes)}}`;
      // Bodies may have megabytes: marks stand for what they embed.
      const mark = JSON.stringify([from, to].map(({ body: { mark }, ...head }) => [head, mark()]));
      return reply.conditional(body, entityTag(to.revision, digestOf(mark)));
    },
  );
}

const stateText = (kind: ResourceKind, { body, ...head }: ComparedState): string => jsonWith(head, kind, body.text);

/** Callers who see ahead may name instants to come; the later one counts what is not scheduled yet as carried out. */
function instantsOf(
  { caller, now }: FastifyRequest,
  query: { readonly from: string; readonly to?: string; readonly with?: string },
  siteZone: Zone,
): { readonly from: ComingSide; readonly to: ComingSide } {
  const read = mayReadEveryHistory(caller) ? anyInstantOf : instantOf;
  const from = read(query.from, now, siteZone, 'from');
  const to = query.to === undefined ? now : read(query.to, now, siteZone, 'to');
  if (from > to)
    throw refusedParameter('from', phrase('instants_reversed', { from: shortInstant(from), to: shortInstant(to) }));
  const isAhead = to > now || query.with !== undefined;
  const members = query.with !== undefined && { with: query.with };
  return {
    from: { at: from, parameters: from > now ? { as_of: shortInstant(from) } : {} },
    to: { at: to, parameters: { ...(isAhead && { as_of: shortInstant(to) }), ...members } },
  };
}

const PROPOSAL = /^proposal:(\d{1,15})$/;

/**
 * A whole number is a revision, `proposal:7` what that proposal would make, anything else an instant. For those who see
 * ahead it may be one to come, or proposals and sets as in `with`.
 */
function stateNamed(name: 'from' | 'to', value: string, { caller, now }: FastifyRequest, siteZone: Zone): ComparedSide {
  const [, proposal] = PROPOSAL.exec(value) ?? [];
  if (proposal !== undefined) return { proposal: Number(proposal) };
  if (/^\d{1,15}$/.test(value)) return { revision: Number(value) };
  if (!mayReadEveryHistory(caller)) return { asOf: instantOf(value, now, siteZone, name, 'unreadable_state') };
  if (namesMembers(value)) return { at: now, parameters: { with: value } };
  const at = anyInstantOf(value, now, siteZone, name, 'unreadable_state');
  return at > now ? { at, parameters: { as_of: shortInstant(at) } } : { asOf: at };
}

/** Refuses two sides in the wrong order, if one of them is an instant to come. */
function refuseReversed({ from, to }: { readonly from: ComparedSide; readonly to: ComparedSide | null }, now: number) {
  const later = to === null ? now : 'at' in to ? to.at : 'asOf' in to ? to.asOf : now;
  if (!('at' in from) || from.at <= later) return;
  throw refusedParameter('from', phrase('instants_reversed', { from: shortInstant(from.at), to: shortInstant(later) }));
}

async function refusal(
  dependencies: CompareDependencies,
  refused: CompareRefusal,
  request: FastifyRequest,
  { kind, id }: ResourceKey,
): Promise<ApiError> {
  switch (refused.why) {
    case 'unknown':
      return notFoundError(dependencies, kind, id);
    case 'no right':
      return forbidden(request.caller);
    case 'from after to':
      return refusedParameter('from', phrase('revisions_reversed', { from: refused.from, to: refused.to }));
    case 'no state':
      return refused.refusal.why === 'unknown'
        ? notFoundError(dependencies, kind, id)
        : refusalError(refused.refusal, kind, refused.which, request);
  }
}
