// `GET /events/{id}/compare` and `GET /events/compare`: two states of an event, or of a list.
import type { FastifyRequest } from 'fastify';
import { mayReadEveryHistory } from '../../auth/policy.ts';
import type { CalendarEvent } from '../../domain/calendar-event.ts';
import { phrase } from '../../locales/phrases.ts';
import type { AsOfDependencies } from '../../queries/as-of/read-resource.ts';
import { hashOf } from '../../queries/assemble.ts';
import type { ListComparison } from '../../queries/compare/compare-lists.ts';
import {
  type ComingSide,
  type ComingState,
  type ComparedSide,
  type ComparedState,
  type CompareRefusal,
  compareStates,
  type ProposedState,
} from '../../queries/compare/compare-states.ts';
import { readEvent } from '../../queries/get-one.ts';
import type { HistoryDependencies } from '../../queries/history/history.ts';
import type { Zone } from '../../time/zone.ts';
import { ApiError, forbidden, refusedParameter } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { PROPOSED_EVENT_ERRORS } from '../openapi/documentation/proposal-documentation.ts';
import { AHEAD_ERRORS, listing, OLD_STATE_ERRORS, reading } from '../openapi/documentation/reads.ts';
import { toReadHistory } from '../openapi/documentation/rights.ts';
import { ID } from '../plugins/routing.ts';
import type { Method, Routes } from '../route.ts';
import { eventCompare, listCompare, listComparison, stateComparison } from '../schemas/compare.ts';
import { byId } from '../schemas/path.ts';
import { type AheadReads, namesMembers } from './ahead-reads.ts';
import { type AsOfLists, refuseStatus } from './as-of-lists.ts';
import { anyInstantOf, instantOf, isoOf, refusalError } from './as-of-reads.ts';
import { presentEvent, UNREADABLE } from './find-posts.ts';
import { notFoundError } from './history-routes.ts';
import { readerOf } from './reading.ts';

export interface CompareDependencies extends AsOfDependencies, HistoryDependencies {
  readonly perPage: number;
  readonly pastLists: Pick<AsOfLists, 'use' | 'page'>;
  readonly lists: ListComparison;
  /** An event as a proposal about it would make it; rejects as reading it with `proposal` does. */
  readonly proposed: (request: FastifyRequest, id: number, proposal: number) => Promise<ProposedState>;
  readonly ahead: Pick<AheadReads, 'use'>;
}

/** Of proposals, and of what will be. */
const COMING_ERRORS = [
  ...new Set([...PROPOSED_EVENT_ERRORS, ...AHEAD_ERRORS, 'event-not-accessible', 'event-no-longer-available'] as const),
];

const config = { allow: (): readonly Method[] => ['GET'] };

export const compareRoutes: Routes<CompareDependencies> = async (api, dependencies) => {
  const { pastLists, lists, display } = dependencies;

  api.get(
    '/events/compare',
    {
      schema: {
        ...listing({
          group: 'Events',
          summary: 'compare_list.summary',
          description: 'compare_list.description',
          answer: listComparison,
          errors: ['event-archive-page-not-found', 'rest_not_there_then'],
        }),
        querystring: listCompare(dependencies),
      },
      config,
    },
    async (request, reply) => {
      const { query, now } = request;
      refuseStatus(query.status);
      const from = instantOf(query.from, now, display.siteZone, 'from');
      const to = query.to === undefined ? now : instantOf(query.to, now, display.siteZone, 'to');
      if (from > to) throw refusedParameter('from', phrase('instants_reversed', { from: isoOf(from), to: isoOf(to) }));
      const reader = readerOf(request);
      const list = await pastLists.use(from, query, (before) =>
        pastLists.use(to, query, (after) =>
          pastLists.page(request, () => lists.plan(query, reader, before, after), 'event-archive-page-not-found'),
        ),
      );
      return reply.list(list);
    },
  );

  // From the history alone, so it asks for its right; both sides are rendered as reads of old states are.
  api.get(
    `/events/${ID}/compare`,
    {
      schema: {
        ...reading({
          group: 'Events',
          summary: 'event.compare',
          right: toReadHistory('event'),
          answer: stateComparison,
          errors: ['rest-event-not-found', 'rest-invalid-event-id', ...OLD_STATE_ERRORS, ...COMING_ERRORS],
        }),
        params: byId,
        querystring: eventCompare,
      },
      config,
    },
    async (request, reply) => {
      const { caller, query, now, params } = request;
      const { id } = params;
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
          proposed: (proposal) => dependencies.proposed(request, id, proposal),
          coming: (asked) => comingEvent(dependencies, request, id, asked),
        },
        id,
        sides,
        readerOf(request),
      );
      if ('refused' in compared) throw await refusal(dependencies, compared.refused, request, id);
      const { from, to, changes } = compared;
      const body = `{"id":${id},"from":${stateText(from)},"to":${stateText(to)},"changes":${JSON.stringify(changes)}}`;
      // Bodies may have megabytes: marks stand for what they embed.
      const mark = JSON.stringify([from, to].map(({ body: { mark }, ...head }) => [head, mark]));
      return reply.conditional(body, entityTag(to.revision, hashOf(mark)));
    },
  );
};

const stateText = ({ body, ...head }: ComparedState): string =>
  `${JSON.stringify(head).slice(0, -1)},"event":${body.text}}`;

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
  if (namesMembers(value)) return { at: now, asked: { with: value } };
  const at = anyInstantOf(value, now, siteZone, name, 'unreadable_state');
  return at > now ? { at, asked: { as_of: isoOf(at) } } : { asOf: at };
}

/** Of two sides at least one of which is an instant to come. */
function refuseReversed({ from, to }: { readonly from: ComparedSide; readonly to: ComparedSide | null }, now: number) {
  const later = to === null ? now : 'at' in to ? to.at : 'asOf' in to ? to.asOf : now;
  if (!('at' in from) || from.at <= later) return;
  throw refusedParameter('from', phrase('instants_reversed', { from: isoOf(from.at), to: isoOf(later) }));
}

async function comingEvent(
  { ahead }: CompareDependencies,
  request: FastifyRequest,
  id: number,
  asked: ComingSide['asked'],
): Promise<ComingState> {
  const coming = ahead.use(request, asked, async ({ queries, reader, lastOf }) => {
    const event = await presentEvent(queries.readModel, id);
    const found = await readEvent(queries, event, reader, 'editing');
    if ('unreadable' in found) throw new ApiError(UNREADABLE[found.unreadable]);
    const { text } = found.answer;
    // Projections store folded events as state.
    const state = found.document.state as unknown as CalendarEvent;
    return { event: lastOf({ kind: 'event', id }), state, body: { text, mark: hashOf(text) } };
  });
  if (!coming) throw forbidden(request.caller);
  return coming;
}

async function refusal(
  dependencies: CompareDependencies,
  refused: CompareRefusal,
  request: FastifyRequest,
  id: number,
): Promise<ApiError> {
  switch (refused.why) {
    case 'unknown':
      return notFoundError(dependencies, 'event', id);
    case 'no right':
      return forbidden(request.caller);
    case 'from after to':
      return refusedParameter('from', phrase('revisions_reversed', { from: refused.from, to: refused.to }));
    case 'no state':
      return refused.refusal.why === 'unknown'
        ? notFoundError(dependencies, 'event', id)
        : refusalError(refused.refusal, 'event', refused.which, request);
  }
}
