// `GET /events/{id}/why?<filters of the list>`: why is it here, or not?
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Caller } from '../../auth/caller.ts';
import { type AskedRole, anyoneOf, rolesToAskFor } from '../../auth/policy.ts';
import { listLinks, type QueryRefusal } from '../../queries/arguments.ts';
import { hashOf } from '../../queries/assemble.ts';
import { readEvent } from '../../queries/get-one.ts';
import type { Reader } from '../../queries/reader.ts';
import { type Explained, whyAsOf, whyIn, whyToday } from '../../queries/why/ask-why.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import { ApiError, invalidParameters, refusedParameter } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { reading } from '../openapi/documentation/reads.ts';
import { onPosts } from '../openapi/documentation/rights.ts';
import { allowed } from '../parameters/allowed.ts';
import { ID } from '../plugins/routing.ts';
import type { Routes } from '../route.ts';
import { byId } from '../schemas/path.ts';
import { whyAnswer, whyListed } from '../schemas/why.ts';
import { refuseStatus } from './as-of-lists.ts';
import { instantOf } from './as-of-reads.ts';
import { presentEvent, UNREADABLE } from './find-posts.ts';
import { readerOf } from './reading.ts';
import { awaitPosition, type RouteDependencies } from './writing.ts';

type Asked = Static<ReturnType<typeof whyListed>>;

export const whyRoutes: Routes<RouteDependencies> = async (api, dependencies) => {
  const { queries } = dependencies;
  api.get(
    `/events/${ID}/why`,
    {
      schema: {
        ...reading({
          group: 'Events',
          summary: 'event.why',
          description: 'event.why_description',
          right: onPosts('read', 'event'),
          answer: whyAnswer,
          errors: [
            'rest-event-not-found',
            'rest-invalid-event-id',
            'event-no-longer-available',
            'event-not-accessible',
            'event-password-protected',
            'rest_not_there_then',
          ],
        }),
        params: byId,
        querystring: whyListed({ perPage: queries.perPage }),
      },
      config: { allow: () => ['GET'] },
    },
    async (request, reply) => {
      const { query, language, links } = request;
      await awaitPosition(dependencies, request);
      const role = roleAsked(query.role, request.caller);
      const event = await readableEvent(dependencies, request, request.params.id);
      const own = readerOf(request);
      const reader = role === null ? own : { ...own, caller: anyoneOf(role) };
      const explained =
        query.as_of === undefined
          ? await whyToday(queries, query, event, reader)
          : await explainAsOf(dependencies, query, query.as_of, event, reader);
      if ('refused' in explained) throw invalidParameters(explained.refused);
      const { told, list } = explained;
      const { rest } = listLinks(`${links.root}/events/`, list.args, list.paging, told.pages);
      const body = JSON.stringify({ event: event.id, role, ...whyIn(language, told), list_url: rest });
      return reply.conditional(body, entityTag(event.revision, hashOf(body)), language);
    },
  );
};

/** Throws what a read of it throws; who may edit it owes no password. */
async function readableEvent(
  { queries, beyondViews }: RouteDependencies,
  request: FastifyRequest,
  id: number,
): Promise<EventDocument> {
  const event = await presentEvent(beyondViews.either, id);
  const found = await readEvent({ ...queries, readModel: beyondViews.views }, event, readerOf(request), 'editing');
  if ('unreadable' in found) throw new ApiError(UNREADABLE[found.unreadable]);
  return event;
}

/** Null: the caller. */
function roleAsked(asked: string | undefined, caller: Caller): AskedRole | null {
  if (asked === undefined) return null;
  const roles = rolesToAskFor(caller);
  const role = roles.find((one) => one === asked);
  if (role === undefined) throw refusedParameter('role', allowed('allowed_one_of', { values: roles })('role', caller));
  return role;
}

function explainAsOf(
  { queries, pastLists }: RouteDependencies,
  asked: Asked,
  asOf: string,
  today: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  refuseStatus(asked.status);
  const at = instantOf(asOf, reader.now, queries.siteZone);
  return pastLists.use(at, asked, (then) => whyAsOf(queries, asked, today, reader, then));
}
