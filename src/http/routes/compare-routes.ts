// `GET /events/{id}/compare` and `GET /events/compare`: two states of an event, or of a list.
import type { FastifyRequest } from 'fastify';
import { phrase } from '../../locales/phrases.ts';
import type { AsOfDependencies, WhichState } from '../../queries/as-of/read-resource.ts';
import { hashOf } from '../../queries/assemble.ts';
import type { ListComparison } from '../../queries/compare/compare-lists.ts';
import { type ComparedState, type CompareRefusal, compareStates } from '../../queries/compare/compare-states.ts';
import type { HistoryDependencies } from '../../queries/history/history.ts';
import type { EpochSeconds, Zone } from '../../time/zone.ts';
import { type ApiError, forbidden, refusedParameter } from '../errors.ts';
import { entityTag } from '../etag.ts';
import {
  LIST_COMPARISON_DOCUMENTATION,
  STATE_COMPARISON_DOCUMENTATION,
} from '../openapi/documentation/compare-documentation.ts';
import type { ApiAnswer, Route } from '../route.ts';
import { eventCompare, listCompare } from '../schemas/compare.ts';
import { type AsOfLists, refuseStatus } from './as-of-lists.ts';
import { instantOf, isoOf, refusalError } from './as-of-reads.ts';
import { unknownThing } from './history-routes.ts';
import { conditional, readerOf } from './reading.ts';

export interface CompareDependencies extends AsOfDependencies, HistoryDependencies {
  readonly perPage: number;
  readonly pastLists: Pick<AsOfLists, 'use' | 'page'>;
  readonly lists: ListComparison;
}

export const compareRoutes = (dependencies: CompareDependencies): Route[] => [
  {
    path: '/events/compare',
    allow: () => ['GET'],
    endpoints: [
      {
        methods: ['GET'],
        parameters: listCompare(dependencies),
        documentation: LIST_COMPARISON_DOCUMENTATION,
        handle: (request) => answerLists(dependencies, request),
      },
    ],
  },
  {
    path: '/events/{id}/compare',
    allow: () => ['GET'],
    endpoints: [
      {
        methods: ['GET'],
        parameters: eventCompare,
        documentation: STATE_COMPARISON_DOCUMENTATION,
        handle: (request) => answerStates(dependencies, request),
      },
    ],
  },
];

/** From the history alone, so it asks for its right; both sides are rendered as reads of old states are. */
async function answerStates(dependencies: CompareDependencies, request: FastifyRequest): Promise<ApiAnswer> {
  const { caller, given, now, target } = request;
  if (caller === null) throw forbidden(null);
  const { siteZone } = dependencies.display;
  const sides = {
    from: stateNamed('from', given.from, now, siteZone),
    to: given.to === undefined ? null : stateNamed('to', given.to, now, siteZone),
  };
  const compared = await compareStates(dependencies, target.id, sides, readerOf(request));
  if ('refused' in compared) throw await refusal(dependencies, compared.refused, request);
  const { from, to, changes } = compared;
  const body = `{"id":${target.id},"from":${stateText(from)},"to":${stateText(to)},"changes":${JSON.stringify(changes)}}`;
  return conditional(request, body, entityTag(to.revision, hashOf(body)));
}

const stateText = ({ body, ...head }: ComparedState): string => `${JSON.stringify(head).slice(0, -1)},"event":${body}}`;

/** A whole number is a revision, anything else an instant. */
function stateNamed(name: 'from' | 'to', value: unknown, now: EpochSeconds, siteZone: Zone): WhichState {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value)))
    return { revision: Number(value) };
  return { asOf: instantOf(value, now, siteZone, name, 'unreadable_state') };
}

async function refusal(
  dependencies: CompareDependencies,
  refused: CompareRefusal,
  request: FastifyRequest,
): Promise<ApiError> {
  switch (refused.why) {
    case 'unknown':
      return unknownThing(dependencies, 'event', request.target.id);
    case 'no right':
      return forbidden(request.caller);
    case 'from after to':
      return refusedParameter('from', phrase('revisions_reversed', { from: refused.from, to: refused.to }));
    case 'no state':
      return refused.refusal.why === 'unknown'
        ? unknownThing(dependencies, 'event', request.target.id)
        : refusalError(refused.refusal, 'event', refused.which, request);
  }
}

async function answerLists(dependencies: CompareDependencies, request: FastifyRequest): Promise<ApiAnswer> {
  const { given, now } = request;
  const { pastLists, lists, display } = dependencies;
  refuseStatus(given.status);
  const from = instantOf(given.from, now, display.siteZone, 'from');
  const to = given.to === undefined ? now : instantOf(given.to, now, display.siteZone, 'to');
  if (from > to) throw refusedParameter('from', phrase('instants_reversed', { from: isoOf(from), to: isoOf(to) }));
  const reader = readerOf(request);
  return pastLists.use(from, given, (before) =>
    pastLists.use(to, given, (after) =>
      pastLists.page(request, () => lists.plan(given, reader, before, after), 'event-archive-page-not-found'),
    ),
  );
}
