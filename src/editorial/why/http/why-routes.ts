// `GET /events/{id}/why?<filters of the list>`: why is it here, or not?
import type { FastifyRequest } from 'fastify';
import { eventList } from '../../../calendar/event/http/event-schema.ts';
import { presentEvent, UNREADABLE } from '../../../calendar/resource/http/find-posts.ts';
import { readEvent } from '../../../calendar/resource/queries/get-one.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import { ApiError, invalidParameters, refusedParameter } from '../../../http/errors.ts';
import { AHEAD_ERRORS, onPosts, reading } from '../../../http/openapi/documentation.ts';
import { allowed } from '../../../http/parameters/allowed.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { readerOf } from '../../../http/reader.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import { awaitPosition, type RouteDependencies } from '../../../http/routes/writing.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { byId } from '../../../http/schemas/path.ts';
import { anyId, optional, passwordToPresent, text } from '../../../http/schemas/primitives.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import { shortInstant } from '../../../kernel/time/instant.ts';
import { type Caller, ROLES } from '../../../people/auth/caller.ts';
import { PUBLIC_ROLE, type ReaderRole, representativeOf, rolesToAskFor } from '../../../people/auth/policy.ts';
import { listLinks, type QueryRefusal } from '../../../queries/arguments.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { Reader } from '../../../queries/reader.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import { refuseStatus } from '../../time-travel/http/as-of-lists.ts';
import { instantOf } from '../../time-travel/http/as-of-reads.ts';
import { type Explained, whyAsOf, whyIn, whyToday } from '../queries/ask-why.ts';

// Why an event is in a list or not: the question and its answer on the wire.

/** All that the list takes. Which roles may be named depends on the caller: the handler says so. */
const whyListed = (settings: ListSettings) =>
  Type.Object({
    id: anyId('event'),
    ...eventList(settings).properties,
    ...optional({
      role: text('why.role', 'anything'),
      password: passwordToPresent,
    }),
  });

const condition = member.object('why.one_condition', {
  condition: member.text('why.condition'),
  passes: member.flag('why.passes'),
  sentence: member.text('why.sentence'),
});

const whyAnswer = member.object('why.answer', {
  event: member.integer('why.id'),
  listed: member.flag('why.listed'),
  on_page: member.flag('why.on_page'),
  summary: member.text('why.summary'),
  role: member.orNull(member.oneOf('why.role_asked', [...ROLES, PUBLIC_ROLE])),
  place: member.orNull(member.integer('why.place')),
  page: member.orNull(member.integer('why.page')),
  place_on_page: member.orNull(member.integer('why.place_on_page')),
  total: member.integer('list.total'),
  total_pages: member.integer('list.total_pages'),
  conditions: member.listOf(condition, 'why.conditions'),
  list_url: member.address('why.list_url'),
});

type WhyInput = Static<ReturnType<typeof whyListed>>;

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
            ...AHEAD_ERRORS,
          ],
        }),
        params: byId,
        querystring: whyListed({ perPage: queries.perPage }),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { query, language, links } = request;
      await awaitPosition(dependencies, request);
      const role = roleAsked(query.role, request.caller);
      const { id } = request.params;
      const asking = (reader: Reader): Reader =>
        role === null ? reader : { ...reader, caller: representativeOf(role) };
      const bodyOf = (explained: Explained | QueryRefusal): string => {
        if ('refused' in explained) throw invalidParameters(explained.refused);
        const { reasons, list } = explained;
        const { rest } = listLinks(`${links.root}/events/`, list.args, list.paging, reasons.pages);
        return JSON.stringify({ event: id, role, ...whyIn(language, reasons), list_url: rest });
      };
      const coming = dependencies.ahead.use(request, query, async ({ at, queries: then, reader }) => {
        const event = await readableEvent({ queries: then, source: then.readModel }, id, reader);
        const input = { ...query, ...(query.as_of !== undefined && { as_of: shortInstant(at) }) };
        return bodyOf(await whyToday(then, input, event, asking(reader)));
      });
      if (coming) {
        const body = await coming;
        // It names no revision that a write could name.
        return reply.conditional(body, `"${digestOf(body)}"`, language);
      }
      const { either, views } = dependencies.beyondViews;
      const present = { queries: { ...queries, readModel: views }, source: either };
      const event = await readableEvent(present, id, readerOf(request));
      const reader = asking(readerOf(request));
      const explained =
        query.as_of === undefined
          ? await whyToday(queries, query, event, reader)
          : await explainAsOf(dependencies, request, query.as_of, event, reader);
      const body = bodyOf(explained);
      return reply.conditional(body, entityTag(event.revision, digestOf(body)), language);
    },
  );
};

interface ReadFrom {
  readonly queries: Parameters<typeof readEvent>[0];
  readonly source: Parameters<typeof presentEvent>[0];
}

/** Throws what a read of it throws; who may edit it owes no password. */
async function readableEvent({ queries, source }: ReadFrom, id: number, reader: Reader): Promise<EventDocument> {
  const event = await presentEvent(source, id);
  const result = await readEvent(queries, event, reader, 'editing');
  if ('unreadable' in result) throw new ApiError(UNREADABLE[result.unreadable]);
  return event;
}

/** Null: the caller. */
function roleAsked(name: string | undefined, caller: Caller): ReaderRole | null {
  if (name === undefined) return null;
  const roles = rolesToAskFor(caller);
  const role = roles.find((one) => one === name);
  if (role === undefined)
    throw refusedParameter('role', allowed('allowed_one_of', { values: roles })('role', caller, name));
  return role;
}

async function explainAsOf(
  { queries, pastLists }: RouteDependencies,
  request: FastifyRequest<{ readonly Querystring: WhyInput }>,
  asOf: string,
  today: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  const { query: input } = request;
  refuseStatus(input.status);
  const at = instantOf(asOf, reader.now, queries.siteZone);
  return whyAsOf(queries, input, today, reader, await pastLists.at(at, request));
}
