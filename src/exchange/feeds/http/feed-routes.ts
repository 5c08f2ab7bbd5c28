// Feeds: calendars to subscribe to, and the latest published events. They are not JSON, so `_fields` and `_envelope`
// have no effect. Errors before they begin are in the usual envelope.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { newestQuery } from '../../../calendar/event/queries/newest-events.ts';
import { presentEvent, UNREADABLE } from '../../../calendar/resource/http/find-posts.ts';
import { readEvent } from '../../../calendar/resource/queries/get-one.ts';
import type { AheadThen } from '../../../editorial/time-travel/http/ahead-reads.ts';
import { refuseInstant, type StateInput } from '../../../editorial/time-travel/http/as-of-reads.ts';
import { isKnown } from '../../../http/answers/etag.ts';
import type { HeaderSet } from '../../../http/answers/headers.ts';
import type { Pieces } from '../../../http/answers/reply.ts';
import type { TaggedBody } from '../../../http/caches/shared-answers.ts';
import { ApiError, invalidParameters } from '../../../http/errors.ts';
import {
  AHEAD_ERRORS,
  bodyOf,
  type Described,
  type Documentation,
  documented,
  FOR_ALL,
  notModified,
  onPosts,
  type Right,
  SHOWN,
} from '../../../http/openapi/documentation.ts';
import type { AnswerHeader } from '../../../http/openapi/shared.ts';
import { ICS, ID } from '../../../http/plugins/routing.ts';
import { readerOf } from '../../../http/reader.ts';
import { READ_ONLY, type Routes } from '../../../http/route.ts';
import { readOne } from '../../../http/routes/reading.ts';
import { awaitPosition, type RouteDependencies } from '../../../http/routes/writing.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type, { type Static } from '../../../http/schemas/type.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { queryOf } from '../../../kernel/text/query-text.ts';
import type { Language } from '../../../locales/language.ts';
import { digestOf } from '../../../queries/digest.ts';
import type { SingleSource } from '../../../queries/log-fallback.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import { type EventQuery, MAX_NEWEST } from '../../../read-model/queries.ts';
import { openCalendarFeeds } from '../calendar-feed.ts';
import { feedEvent, publishedFeedEvents } from '../feed-events.ts';
import { CALENDAR_END, calendarHead } from '../icalendar/calendar.ts';
import { eventComponent } from '../icalendar/event-component.ts';
import { yearOf } from '../icalendar/time-zone.ts';
import { newestEventsFeed, type SyndicationFormat } from '../newest-events.ts';
import { nameOf, needsWords, type Presentation, presentationOf } from '../presentation.ts';
import { TooManyCalendars } from '../text-chunks.ts';
import { calendarEvent, calendarFeed, newestEvents } from './feeds-schema.ts';

interface NewestFeed {
  readonly format: SyndicationFormat;
  readonly presentation: Presentation;
  /** Null: all published events. */
  readonly query: EventQuery | null;
  /** The address of the feed. */
  readonly self: string;
}

/**
 * Parameters as they were sent, encoded so that XML can hold them. Others, a password for example, are no part of the
 * address by which a feed is known.
 */
const sentOf = ({ url }: FastifyRequest, names: ReadonlySet<string>): string => {
  const pairs = [...new URLSearchParams(queryOf(url))];
  return new URLSearchParams(pairs.filter(([name]) => names.has(name.replace(/\[.*$/s, '')))).toString();
};

const known = <Members extends object>(members: Members, names: ReadonlySet<string>): Members =>
  // Members of a query may all be absent.
  Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name))) as Members;

const publicReader = (reader: Reader): Reader => ({ ...reader, caller: null, password: undefined });

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

const feed = ({ mediaType, right = FOR_ALL, headers = [], takes = [], ...rest }: Feed): Documentation => {
  const carries: readonly AnswerHeader[] = ['ETag', ...headers];
  return documented(
    { ...rest, group: 'Events', right, takes: [...takes, 'AtLeast', 'IfNoneMatch'] },
    {
      200: { description: 'answer.read', ...bodyOf(Type.String(), mediaType), carries },
      304: notModified(carries),
    },
  );
};

interface Feed extends Omit<Described, 'group' | 'right' | 'example'> {
  readonly mediaType: string;
  readonly right?: Right;
  readonly headers?: readonly AnswerHeader[];
}

const toRead = onPosts('read', 'event');

export const feedRoutes: Routes<RouteDependencies> = async (api, dependencies) => {
  const { queries, shared, freshnessAt } = dependencies;
  const { readModel, perPage, site } = queries;
  const calendars = openCalendarFeeds(queries);

  api.get(
    `/events.ics`,
    {
      schema: {
        ...feed({
          summary: 'calendar_feed.summary',
          description: 'calendar_feed.description',
          mediaType: 'text/calendar',
          right: toRead,
          errors: AHEAD_ERRORS,
          headers: ['Total', 'TotalTwin', 'ContentLanguage', ...SHOWN],
          takes: ['Password'],
        }),
        querystring: calendarFeed({ perPage }),
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const presentation = presentationOf(request.query, request.language);
      const coming = aheadFor(request, (then) => calendarAhead(request.query, then, presentation));
      if (coming) {
        const { body, total } = await coming;
        return sendWhole(reply.headers({ ...calendarHeaders(request, 'events.ics'), ...totalOf(total) }), body);
      }
      const reader = readerOf(request);
      // Read first: what is shown may be newer, never older.
      const { headers: freshness } = freshnessAt(await readModel.version());
      const outline = await calendars
        .outline(request.query, reader, presentation, reply.waiting())
        .catch((error: unknown) => {
          throw error instanceof TooManyCalendars ? tooManyCalendars() : error;
        });
      if ('refused' in outline) throw invalidParameters(outline.refused);
      const { etag, total } = outline;
      reply.headers({ ...calendarHeaders(request, 'events.ics'), ...totalOf(total), ...freshness });
      if (outline.isInLanguage) reply.inLanguage(request.language);
      return sendFeed(reply, etag, () => calendars.text(outline, reader));
    },
  );

  api.get(
    `/events/${ID}.${ICS}`,
    {
      schema: {
        ...feed({
          summary: 'event_feed.summary',
          description: 'event_feed.description',
          mediaType: 'text/calendar',
          right: toRead,
          errors: [
            'event-not-accessible',
            'event-no-longer-available',
            'event-password-protected',
            'rest-event-not-found',
            'rest-invalid-event-id',
            ...AHEAD_ERRORS,
          ],
          headers: ['ContentLanguage'],
          takes: ['EditContext'],
        }),
        params: byId,
        querystring: calendarEvent,
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      await awaitPosition(dependencies, request);
      const { id } = request.params;
      const presentation = presentationOf(request.query, request.language);
      const make = async (source: SingleSource) =>
        readCalendarOf(request, await presentEvent(source, id), source, presentation);
      const what = `event ${id}.ics ${nameOf(presentation)}`;
      if (!dependencies.ahead.isAsked(request, request.query)) refuseInstant(request.query);
      const body = await readOne(dependencies, request, what, make, request.query);
      return sendWhole(reply.headers(calendarHeaders(request, `event-${id}.ics`)), body);
    },
  );

  /** Null for the present. Throws 400 for an instant that this caller cannot see in a feed. */
  function aheadFor<Result>(
    request: FastifyRequest & { readonly query: StateInput },
    work: (then: AheadThen) => Promise<Result>,
  ): Promise<Result> | null {
    const coming = dependencies.ahead.use(request, request.query, work);
    if (!coming) refuseInstant(request.query);
    return coming;
  }

  async function readCalendarOf(
    request: FastifyRequest,
    document: EventDocument,
    source: SingleSource,
    presentation: Presentation,
  ): Promise<TaggedBody> {
    const purpose = request.context === 'edit' ? 'editing' : 'reading';
    const result = await readEvent({ ...queries, readModel: source }, document, readerOf(request), purpose);
    if ('unreadable' in result) throw new ApiError(UNREADABLE[result.unreadable]);
    const turn = openTurns();
    const event = feedEvent(result.document, result.answer);
    await turn();
    const { host } = request.links;
    const years = new Set([yearOf(event.startsAt), yearOf(event.endsAt)]);
    const head = calendarHead(site.name ?? host, new Map(event.isAllDay ? [] : [[event.timezone, years]]));
    const described = new Set([event.timezone]);
    const text = head + eventComponent(event, { host, described, presentation }) + CALENDAR_END;
    const isInLanguage = needsWords(result.document) && presentation.cancelled !== 'status';
    return tagged(text, isInLanguage ? presentation.language : undefined);
  }

  const newest = newestEvents({ perPage });
  const filterNames = new Set(Object.keys(newest.properties));

  for (const format of ['rss', 'atom'] as const)
    api.get(
      `/events.${format}`,
      {
        schema: {
          ...feed({
            summary: `${format}_feed.summary`,
            description: 'newest_feed.description',
            mediaType: `application/${format}+xml`,
            errors: AHEAD_ERRORS,
            headers: ['ContentLanguage', ...SHOWN],
          }),
          querystring: newest,
        },
        config: READ_ONLY,
      },
      async (request, reply) => {
        await awaitPosition(dependencies, request);
        const { as_of: asOf, with: proposals, cancelled: _cancelled, ...filters } = known(request.query, filterNames);
        const presentation = presentationOf(request.query, request.language);
        const feedOf = async (then: QueryDependencies, reader: Reader): Promise<NewestFeed> => {
          const query = await newestQuery(then, filters, reader);
          if (query !== null && 'refused' in query) throw invalidParameters(query.refused);
          const address = `${request.links.root}/events.${format}`;
          const isPlain = query === null && asOf === undefined && proposals === undefined;
          return {
            format,
            presentation,
            query,
            self: isPlain ? address : `${address}?${sentOf(request, filterNames)}`,
          };
        };
        const coming = aheadFor(request, async ({ queries: then, reader }) => {
          const publicThen = publicReader(reader);
          return readNewest(request, then, publicThen, await feedOf(then, publicThen));
        });
        if (coming) return sendWhole(reply.headers(syndicationHeaders(request, format)), await coming);
        const { headers: freshness } = freshnessAt(await readModel.version());
        const reader = publicReader(readerOf(request));
        const present = await feedOf(queries, reader);
        const { self, query } = present;
        const what = `${self} ${nameOf(presentation)} ${JSON.stringify(query)}`;
        const body = await shared.read(request, what, () => readNewest(request, queries, reader, present));
        return sendWhole(reply.headers({ ...syndicationHeaders(request, format), ...freshness }), body);
      },
    );

  /** The same for all readers: published events, with protected content hidden. */
  async function readNewest(
    request: FastifyRequest,
    from: QueryDependencies,
    reader: Reader,
    { format, presentation, query, self }: NewestFeed,
  ): Promise<TaggedBody> {
    const { links } = request;
    const { cancelled, language } = presentation;
    if (!URL.canParse(links.site)) throw new ApiError('rest_invalid_host');
    const ids = await from.readModel.newestEvents({ limit: MAX_NEWEST, of: query });
    const newest = await publishedFeedEvents(from.readModel, ids, reader);
    const events = newest.filter(({ eventStatus }) => cancelled !== 'omit' || eventStatus !== 'canceled');
    const feedLinks = { name: site.name ?? links.host, site: links.site, self };
    const text = await newestEventsFeed(format, events, feedLinks, language);
    return tagged(text, events.some(({ eventStatus }) => eventStatus !== 'scheduled') ? language : undefined);
  }
};

/** Written as a whole, because its calendar may be another one as soon as the next question is answered. */
async function calendarAhead(
  input: Static<ReturnType<typeof calendarFeed>>,
  { queries, reader }: AheadThen,
  presentation: Presentation,
): Promise<{ readonly body: TaggedBody; readonly total: number }> {
  const feeds = openCalendarFeeds(queries);
  const outline = await feeds.outline(input, reader, presentation);
  if ('refused' in outline) throw invalidParameters(outline.refused);
  let text = '';
  for await (const piece of feeds.text(outline, reader)) text += piece;
  return {
    body: tagged(text, outline.isInLanguage ? presentation.language : undefined),
    total: outline.total,
  };
}

/** About as long as it takes to build the largest calendar. */
const RETRY_AFTER_SECONDS = '2';

const tooManyCalendars = (): ApiError =>
  new ApiError('rest_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

/** 132 bits over the text itself. */
const tagged = (text: string, language: Language | undefined): TaggedBody => ({
  text,
  language,
  etag: `"${digestOf(text)}"`,
});

const calendarHeaders = (request: FastifyRequest, fileName: string): HeaderSet => ({
  'Content-Type': CALENDAR_TYPE,
  'Content-Disposition': `inline; filename="${fileName}"`,
  ...cachingOf(request),
});

const syndicationHeaders = (request: FastifyRequest, format: SyndicationFormat): HeaderSet => ({
  'Content-Type': `application/${format}+xml; charset=utf-8`,
  ...cachingOf(request),
});

const totalOf = (total: number): HeaderSet => ({ 'X-TEC-Total': String(total), 'X-WP-Total': String(total) });

/** As for lists: a cached copy is revalidated. Answers to signed-in callers have headers of their own. */
function cachingOf({ caller, password }: FastifyRequest): HeaderSet {
  const vary = { Vary: 'Origin, Authorization' };
  if (caller !== null) return vary;
  return { ...vary, 'Cache-Control': password === undefined ? 'no-cache' : 'private, no-cache' };
}

/** A feed that is written already. */
const sendWhole = (reply: FastifyReply, { text, etag, language }: TaggedBody): FastifyReply =>
  sendFeed(language ? reply.inLanguage(language) : reply, etag, () => {
    reply.header('content-length', String(Buffer.byteLength(text)));
    return only(text);
  });

/** In pieces, also where there is one: so nothing frames it. */
function sendFeed(reply: FastifyReply, etag: string, pieces: () => Pieces): FastifyReply {
  reply.header('etag', etag);
  reply.shows = ['list'];
  if (isKnown(reply.request.headers['if-none-match'], etag)) return reply.code(304).pieces(only(''), 'open end');
  return reply.pieces(pieces(), 'whole');
}

async function* only(text: string | Uint8Array): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (text !== '') yield text;
}
