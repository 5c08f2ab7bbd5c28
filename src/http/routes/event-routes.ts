// The routes of calendar events.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { rightsSubjectOf } from '../../auth/policy.ts';
import type { Written } from '../../commands/context.ts';
import { changeCalendarEvent, createCalendarEvent, trashCalendarEvent } from '../../commands/events.ts';
import type { CalendarEvent } from '../../domain/calendar-event.ts';
import { readEvent, writtenEvent } from '../../queries/get-one.ts';
import { planEventList } from '../../queries/list-events.ts';
import type { Finder, SingleSource } from '../../queries/log-fallback.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import { methodsFor, methodsForList, methodsForUnknownId } from '../allow.ts';
import { ApiError, forbidden, invalidParameters } from '../errors.ts';
import { entityTag } from '../etag.ts';
import { findNamed } from '../find-by-slug.ts';
import { eventInput } from '../inputs.ts';
import { EVENT_DOCUMENTATION } from '../openapi/documentation/post-documentation.ts';
import type { Read } from '../read-cache.ts';
import { type ApiAnswer, givenBy, type Method, type Route } from '../route.ts';
import {
  eventCreate,
  eventDelete,
  eventDeleteBySlug,
  eventList,
  eventRead,
  eventReadBySlug,
  eventUpdate,
  eventUpdateBySlug,
} from '../schemas/event.ts';
import { eventById, presentEvent, UNREADABLE } from './event-lookup.ts';
import { readAs } from './read-as.ts';
import { conditional, readerOf, readOne } from './reading.ts';
import { answerWrite, awaitPosition, contextOf, type RouteDependencies, writtenOr } from './writing.ts';

const WRITE_METHODS: readonly Method[] = ['POST', 'PUT', 'PATCH'];

export function eventRoutes(dependencies: RouteDependencies): Route[] {
  const { queries } = dependencies;
  const { either, writable } = dependencies.beyondViews;

  const bySlug = (slug: string | undefined, finder: Pick<Finder, 'findBySlug'>): Promise<EventDocument | null> =>
    findNamed(finder, 'event', slug);

  const allowed = (caller: Caller, event: EventDocument | null): readonly Method[] =>
    event ? methodsFor(caller, 'event', rightsSubjectOf(event)) : methodsForUnknownId(caller, 'event');

  async function presentBySlug(slug: string | undefined, finder: Pick<Finder, 'findBySlug'>): Promise<EventDocument> {
    const event = await bySlug(slug, finder);
    if (!event) throw invalidParameters('slug');
    return event;
  }

  async function answerRead(
    request: FastifyRequest,
    what: string,
    find: (source: Finder) => Promise<EventDocument>,
  ): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const { text, etag } = await readOne(dependencies, request, what, async (source) =>
      read(request, await find(source), source),
    );
    return conditional(request, text, etag);
  }

  async function read(request: FastifyRequest, event: EventDocument, source: SingleSource): Promise<Read> {
    const purpose = request.given.context === 'edit' ? 'editing' : 'reading';
    const found = await readEvent({ ...queries, readModel: source }, event, readerOf(request), purpose);
    if ('unreadable' in found) throw new ApiError(UNREADABLE[found.unreadable]);
    const { document, answer } = found;
    return { text: answer.text, etag: entityTag(document.revision, answer.mark) };
  }

  const answer = (request: FastifyRequest, written: Written<CalendarEvent>, status: 200 | 201): Promise<ApiAnswer> =>
    answerWrite(dependencies, request, written, async (source) => {
      const body = await writtenEvent(source, dependencies.documents.event(written), readerOf(request));
      const { text, mark } = body ?? { text: '{}', mark: '' };
      return {
        status,
        body: text,
        etag: entityTag(written.revision, mark),
        location: `/events/${written.id}`,
        readAs: readAs(request.given, written.state, request),
      };
    });

  async function change(request: FastifyRequest, id: number): Promise<ApiAnswer> {
    const input = eventInput(givenBy(eventUpdate, request));
    const result = await changeCalendarEvent(dependencies.commands, contextOf(request), id, input);
    return answer(request, writtenOr(result, request), 200);
  }

  async function trash(request: FastifyRequest, id: number): Promise<ApiAnswer> {
    const result = await trashCalendarEvent(dependencies.commands, contextOf(request), id);
    return answer(request, writtenOr(result, request), 200);
  }

  return [
    {
      path: '/events',
      allow: (caller) => methodsForList(caller, 'event'),
      endpoints: [
        {
          methods: ['GET'],
          parameters: eventList({ perPage: queries.perPage }),
          documentation: EVENT_DOCUMENTATION.list,
          handle: async (request) => {
            const past = dependencies.pastLists.answer('event', request, 'event-archive-page-not-found');
            if (past) return past;
            await awaitPosition(dependencies, request);
            const plan = () => planEventList(queries, request.given, readerOf(request));
            return dependencies.cache.answer(request, plan, 'event-archive-page-not-found');
          },
        },
        {
          methods: ['POST'],
          parameters: eventCreate,
          documentation: EVENT_DOCUMENTATION.create,
          handle: async (request) => {
            const result = await createCalendarEvent(
              dependencies.commands,
              contextOf(request),
              eventInput(givenBy(eventCreate, request)),
            );
            return answer(request, writtenOr(result, request), 201);
          },
        },
      ],
    },
    {
      path: '/events/{id}',
      allow: (caller, { id }) => (caller ? eventById(either, id).then((event) => allowed(caller, event)) : ['GET']),
      endpoints: [
        {
          methods: ['GET'],
          parameters: eventRead,
          documentation: EVENT_DOCUMENTATION.read,
          handle: async (request) =>
            (await dependencies.past.answer('event', request)) ??
            answerRead(request, `event ${request.target.id}`, (source) => presentEvent(source, request.target.id)),
        },
        {
          methods: ['DELETE'],
          parameters: eventDelete,
          documentation: EVENT_DOCUMENTATION.trash,
          handle: (request) => trash(request, request.target.id),
        },
        {
          methods: WRITE_METHODS,
          parameters: eventUpdate,
          documentation: EVENT_DOCUMENTATION.update,
          handle: (request) => change(request, request.target.id),
        },
      ],
    },
    {
      path: '/events/by-slug/{slug}',
      allow: (caller, { slug }) => (caller ? bySlug(slug, either).then((event) => allowed(caller, event)) : ['GET']),
      endpoints: [
        {
          methods: ['GET'],
          parameters: eventReadBySlug,
          documentation: EVENT_DOCUMENTATION.readBySlug,
          handle: async (request) =>
            (await dependencies.past.answer('event', request, async () => {
              const { id } = await presentBySlug(request.target.slug, either);
              return id;
            })) ??
            answerRead(request, `event/${request.target.slug}`, (source) => presentBySlug(request.target.slug, source)),
        },
        {
          methods: ['DELETE'],
          parameters: eventDeleteBySlug,
          documentation: EVENT_DOCUMENTATION.trashBySlug,
          handle: async (request) => {
            const event = await presentBySlug(request.target.slug, writable);
            return trash(request, event.id);
          },
        },
        {
          methods: WRITE_METHODS,
          parameters: eventUpdateBySlug,
          documentation: EVENT_DOCUMENTATION.updateBySlug,
          handle: async (request) => {
            const event = await bySlug(request.target.slug, writable);
            if (event) return change(request, event.id);
            // A caller without the right to write does not learn what exists.
            if (!methodsFor(request.caller, 'event', null).includes('POST')) throw forbidden(request.caller);
            throw new ApiError('rest-event-not-found');
          },
        },
      ],
    },
  ];
}
