// `GET /events/{id}/why?<filters of the list>`: why is it here, or not?
import type { FastifyRequest } from 'fastify';
import { type AskedRole, anyoneOf, rolesToAskFor } from '../../auth/policy.ts';
import { listLinks, type QueryRefusal } from '../../queries/arguments.ts';
import { hashOf } from '../../queries/assemble.ts';
import { readEvent } from '../../queries/get-one.ts';
import type { Reader } from '../../queries/reader.ts';
import { type Explained, whyAsOf, whyIn, whyToday } from '../../queries/why/ask-why.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import { ApiError, invalidParameters, refusedParameter } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { WHY_DOCUMENTATION } from '../openapi/documentation/why-documentation.ts';
import { oneOf } from '../parameters/allowed.ts';
import type { ApiAnswer, Route } from '../route.ts';
import { whyListed as parameters } from '../schemas/why.ts';
import { refuseStatus } from './as-of-lists.ts';
import { instantOf } from './as-of-reads.ts';
import { presentEvent, UNREADABLE } from './event-lookup.ts';
import { conditional, readerOf } from './reading.ts';
import { awaitPosition, type RouteDependencies } from './writing.ts';

export const whyRoutes = (dependencies: RouteDependencies): Route[] => [
  {
    path: '/events/{id}/why',
    allow: () => ['GET'],
    endpoints: [
      {
        methods: ['GET'],
        parameters: parameters({ perPage: dependencies.queries.perPage }),
        documentation: WHY_DOCUMENTATION,
        handle: (request) => answerWhy(dependencies, request),
      },
    ],
  },
];

async function answerWhy(dependencies: RouteDependencies, request: FastifyRequest): Promise<ApiAnswer> {
  const { given, language, links } = request;
  const { queries } = dependencies;
  await awaitPosition(dependencies, request);
  const role = roleAsked(request);
  const event = await readableEvent(dependencies, request);
  const own = readerOf(request);
  const reader = role === null ? own : { ...own, caller: anyoneOf(role) };
  const explained =
    given.as_of === undefined
      ? await whyToday(queries, given, event, reader)
      : await explainAsOf(dependencies, request, event, reader);
  if ('refused' in explained) throw invalidParameters(explained.refused);
  const { told, list } = explained;
  const { rest } = listLinks(`${links.root}/events/`, list.args, list.paging, told.pages);
  const body = JSON.stringify({ event: event.id, role, ...whyIn(language, told), list_url: rest });
  return { ...conditional(request, body, entityTag(event.revision, hashOf(body))), language };
}

/** Throws what a read of it throws; who may edit it owes no password. */
async function readableEvent(
  { queries, beyondViews }: RouteDependencies,
  request: FastifyRequest,
): Promise<EventDocument> {
  const event = await presentEvent(beyondViews.either, request.target.id);
  const found = await readEvent({ ...queries, readModel: beyondViews.views }, event, readerOf(request), 'editing');
  if ('unreadable' in found) throw new ApiError(UNREADABLE[found.unreadable]);
  return event;
}

/** Null: the caller. */
function roleAsked({ given: { role: asked }, caller }: FastifyRequest): AskedRole | null {
  if (asked === undefined) return null;
  const roles = rolesToAskFor(caller);
  const role = roles.find((one) => one === asked);
  if (role === undefined) throw refusedParameter('role', oneOf(roles)('role', caller));
  return role;
}

function explainAsOf(
  { queries, pastLists }: RouteDependencies,
  { given, now }: FastifyRequest,
  today: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  refuseStatus(given.status);
  const at = instantOf(given.as_of, now, queries.siteZone);
  return pastLists.use(at, given, (then) => whyAsOf(queries, given, today, reader, then));
}
