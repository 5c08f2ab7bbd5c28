// The routes of calendar events.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import type { ProposalRouteDependencies } from '../../../editorial/proposals/http/proposal-answers.ts';
import { orPropose, orSayUnproposable } from '../../../editorial/proposals/http/reviewed-writes.ts';
import { createRepeatingEvent } from '../../../editorial/series/commands/create.ts';
import {
  changeOf,
  checkRules,
  type EventCommand,
  type ScopeInput,
  trashOf,
  triedOnDates,
  tryOnDates,
} from '../../../editorial/series/http/series-writes.ts';
import { type DateMembers, readAs } from '../../../editorial/time-travel/http/read-as.ts';
import { planEventListAsOf } from '../../../editorial/time-travel/queries/lists.ts';
import { methodsFor } from '../../../http/answers/allow.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import type { TaggedBody } from '../../../http/caches/shared-answers.ts';
import { ApiError, forbidden } from '../../../http/errors.ts';
import {
  AHEAD_ERRORS,
  changing,
  creating,
  listing,
  OLD_STATE_ERRORS,
  onPosts,
  reading,
  toCreate,
  trashing,
} from '../../../http/openapi/documentation.ts';
import { eventInput } from '../../../http/parameters/inputs.ts';
import { readerOf } from '../../../http/reader.ts';
import type { PathParameters, Routes } from '../../../http/route.ts';
import { postReading, readList } from '../../../http/routes/reading.ts';
import { answerWrite, contextOf, type RouteDependencies, writtenOr } from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import type { SingleSource } from '../../../queries/log-fallback.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import { findNamed, presentEvent, UNREADABLE } from '../../resource/http/find-posts.ts';
import { allowOnPost, resourceRoutes } from '../../resource/http/resource-routes.ts';
import { readEvent, writtenEvent } from '../../resource/queries/get-one.ts';
import { createCalendarEvent } from '../commands/events.ts';
import type { CalendarEvent } from '../domain/calendar-event.ts';
import { planEventList } from '../queries/list-events.ts';
import {
  type EventListInput,
  eventCreate,
  eventDelete,
  eventDeleteBySlug,
  eventExamples,
  eventList,
  eventRead,
  eventReadBySlug,
  eventUpdate,
  eventUpdateBySlug,
} from './event-schema.ts';

const PAST_THE_END = 'event-archive-page-not-found';

const about = { group: 'Events', answer: Type.Ref('Event') } as const;
const aboutReading = { ...about, right: onPosts('read', 'event'), takes: ['EditContext', 'AtLeast'] } as const;
/** A dry run answers what would happen to the dates of a series. */
const changedOrTried = Type.Union([Type.Ref('Event'), Type.Ref('TriedOnDates')]);
const aboutWriting = {
  ...about,
  answer: changedOrTried,
  right: onPosts('update', 'event'),
  example: eventExamples.change,
} as const;
const aboutTrashing = { ...about, answer: changedOrTried, right: onPosts('delete', 'event') } as const;

const READ_ERRORS = [
  'event-no-longer-available',
  'event-password-protected',
  'rest_past_protected',
  ...OLD_STATE_ERRORS,
  ...AHEAD_ERRORS,
] as const;
const ENTRY_ERRORS = ['could-not-create-venue', 'could-not-create-organizer'] as const;
const ID_ERRORS = ['rest-event-not-found', 'rest-invalid-event-id'] as const;

/** Caches forget it by these. `terms`: numbers of events and names above change with other resources. */
function namesOfEvent({ id, venues, organizers, categories, tags, parent, series, picture }: EventDocument): string[] {
  const linked = [
    ...venues.map((link) => `venue-${link.id}`),
    ...organizers.map((link) => `organizer-${link.id}`),
    ...categories.map((term) => `category-${term}`),
    ...tags.map((term) => `tag-${term}`),
    ...(series === undefined ? [] : [`series-${series}`]),
    ...(picture === undefined ? [] : [`picture-${picture}`]),
  ];
  const hasTerms = categories.length + tags.length > 0;
  return [
    `event-${id}`,
    ...linked,
    ...(hasTerms ? ['terms'] : []),
    ...(parent === null ? [] : [`event-${parent}`, 'list']),
  ];
}

/** The event after a write. `body`: with the dates that were sent. */
export const answerEvent = (
  dependencies: RouteDependencies,
  reply: FastifyReply,
  written: Written<CalendarEvent>,
  { status = 200, body = {} }: { readonly status?: 200 | 201; readonly body?: DateMembers } = {},
): Promise<Body> =>
  answerWrite(dependencies, reply, written, async (source) => {
    const { request } = reply;
    const event = await writtenEvent(source, dependencies.documents.writtenEvent(written), readerOf(request));
    const [etag, location] = [entityTag(written.revision, event?.mark() ?? ''), `/events/${written.id}`];
    return { status, body: event?.text ?? '{}', etag, location, readAs: readAs(body, written.state, request) };
  });

export const eventRoutes: Routes<ProposalRouteDependencies> = async (api, dependencies) => {
  const { queries, commands } = dependencies;
  const { either, writable } = dependencies.beyondViews;

  const allow = allowOnPost(either, 'event');

  async function read(request: FastifyRequest, id: number, source: SingleSource): Promise<TaggedBody> {
    const event = await presentEvent(source, id);
    const purpose = request.context === 'edit' ? 'editing' : 'reading';
    const result = await readEvent({ ...queries, readModel: source }, event, readerOf(request), purpose);
    if ('unreadable' in result) throw new ApiError(UNREADABLE[result.unreadable]);
    const { document, answer } = result;
    const shows = namesOfEvent(document);
    return { text: answer.text, etag: entityTag(document.revision, answer.mark()), shows };
  }

  async function change(reply: FastifyReply, id: number, body: Partial<Static<typeof eventUpdate>>): Promise<Body> {
    const input = eventInput(body);
    const write = async (): Promise<Body> => carriedOut(reply, id, changeOf(id, input, body), body);
    if (body.scope !== undefined && body.scope !== 'this') return orSayUnproposable(write);
    return orPropose(dependencies, reply, { kind: 'event', id, how: 'change', wish: input }, write);
  }

  async function trash(reply: FastifyReply, id: number, body: ScopeInput): Promise<Body> {
    const write = async (): Promise<Body> => carriedOut(reply, id, trashOf(id, body), body);
    if (body.scope !== undefined && body.scope !== 'this') return orSayUnproposable(write);
    return orPropose(dependencies, reply, { kind: 'event', id, how: 'delete', wish: {} }, write);
  }

  async function carriedOut(
    reply: FastifyReply,
    id: number,
    command: EventCommand,
    body: ScopeInput & DateMembers,
  ): Promise<Body> {
    const { request } = reply;
    await checkRules(request, commands, { ...body, id });
    if (body.dry_run) {
      const dates = await tryOnDates(commands, contextOf(request), id, command);
      return triedOnDates(reply, body, dates, await commands.store.head());
    }
    return answerEvent(dependencies, reply, writtenOr(await command(commands, contextOf(request)), request), { body });
  }

  async function create(reply: FastifyReply, body: Static<typeof eventCreate>): Promise<Body> {
    const { request } = reply;
    const input = eventInput(body);
    const { recurrence } = body;
    const write = async (): Promise<Body> => {
      if (recurrence) await checkRules(request, commands, { ...input, recurrence });
      const result = recurrence
        ? await createRepeatingEvent(commands, contextOf(request), input, recurrence)
        : await createCalendarEvent(commands, contextOf(request), input);
      return answerEvent(dependencies, reply, writtenOr(result, request), { status: 201, body });
    };
    if (recurrence) return orSayUnproposable(write);
    return orPropose(dependencies, reply, { kind: 'event', how: 'create', wish: input }, write);
  }

  const answerRead = postReading(dependencies, 'event', read);
  const events = { kind: 'event', plan: planEventList, planAsOf: planEventListAsOf, pastTheEnd: PAST_THE_END } as const;

  resourceRoutes(api, 'event', {
    list: {
      schema: listing({
        ...about,
        right: aboutReading.right,
        summary: 'event_list.summary',
        answer: page('events', 'event_list.answer', about.answer),
        errors: [PAST_THE_END, 'rest_not_there_then', ...AHEAD_ERRORS],
        takes: ['Password', 'AtLeast'],
      }),
      takes: eventList({ perPage: queries.perPage }),
      answer: async (reply, query: EventListInput) =>
        reply.list(await readList(dependencies, reply.request, query, events)),
    },
    create: {
      schema: creating({
        ...about,
        right: toCreate('event'),
        example: eventExamples.create,
        summary: 'event.create',
        description: 'event.create_description',
        errors: ENTRY_ERRORS,
      }),
      takes: eventCreate,
      answer: create,
    },
    one: {
      id: {
        allow: allow.id,
        routes: {
          read: {
            schema: reading({
              ...aboutReading,
              summary: 'event.read',
              errors: ['event-not-accessible', ...READ_ERRORS, ...ID_ERRORS],
            }),
            takes: eventRead,
            answer: answerRead,
          },
          remove: {
            schema: trashing({ ...aboutTrashing, summary: 'event.trash', errors: ['event-is-in-trash', ...ID_ERRORS] }),
            takes: eventDelete,
            answer: trash,
          },
          change: {
            schema: changing({ ...aboutWriting, summary: 'event.update', errors: [...ENTRY_ERRORS, ...ID_ERRORS] }),
            takes: eventUpdate,
            answer: change,
          },
        },
      },
      slug: {
        allow: allow.slug,
        routes: {
          read: {
            schema: reading({
              ...aboutReading,
              summary: 'event.read_by_slug',
              errors: [...READ_ERRORS, 'rest_slug_changed'],
            }),
            takes: eventReadBySlug,
            answer: answerRead,
          },
          remove: {
            schema: trashing({ ...aboutTrashing, summary: 'event.trash_by_slug', errors: ['event-is-in-trash'] }),
            takes: eventDeleteBySlug,
            answer: trash,
          },
          change: {
            schema: changing({
              ...aboutWriting,
              summary: 'event.update_by_slug',
              errors: [...ENTRY_ERRORS, 'rest-event-not-found'],
            }),
            takes: eventUpdateBySlug,
            answer: change,
            idOf: writableId,
          },
        },
      },
    },
  });

  /** A caller without the right to write does not learn what exists. */
  async function writableId({ params, caller }: FastifyRequest): Promise<number> {
    const { slug } = params as PathParameters; // Of the path of a slug.
    const event = await findNamed(writable, 'event', slug, caller);
    if (event) return event.id;
    if (!methodsFor(caller, 'event', null).includes('POST')) throw forbidden(caller);
    throw new ApiError('rest-event-not-found');
  }
};
