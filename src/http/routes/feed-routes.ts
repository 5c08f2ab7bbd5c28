// Feeds: calendars to subscribe to, and the latest published events. They are not JSON, so `_fields` and `_envelope`
// have no effect. Errors before they begin are in the usual envelope.

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { feedEvent, publishedFeedEvents } from '../../queries/feed-events.ts';
import { readEvent } from '../../queries/get-one.ts';
import type { SingleSource } from '../../queries/log-fallback.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import { MAX_NEWEST } from '../../read-model/queries.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { isKnown } from '../etag.ts';
import { openCalendarFeeds } from '../feeds/calendar-feed.ts';
import { CALENDAR_END, calendarHead } from '../feeds/icalendar/calendar.ts';
import { eventComponent } from '../feeds/icalendar/event-component.ts';
import { yearOf } from '../feeds/icalendar/time-zone.ts';
import { newestEventsFeed, type SyndicationFormat } from '../feeds/newest-events.ts';
import { TooManyCalendars } from '../feeds/text-chunks.ts';
import type { HeaderSet } from '../headers.ts';
import { FEED_DOCUMENTATION } from '../openapi/documentation/feed-documentation.ts';
import type { Read } from '../read-cache.ts';
import type { ApiAnswer, Route } from '../route.ts';
import { calendarEvent, calendarFeed, newestEvents } from '../schemas/feeds.ts';
import { presentEvent, UNREADABLE } from './event-lookup.ts';
import { readerOf, readOne } from './reading.ts';
import { awaitPosition, type RouteDependencies } from './writing.ts';

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
const SYNDICATION_TYPES: { readonly [Format in SyndicationFormat]: string } = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
};

export function feedRoutes(dependencies: RouteDependencies): Route[] {
  const { queries, reads, shownAt } = dependencies;
  const { readModel, perPage, siteName } = queries;
  const calendars = openCalendarFeeds(queries);

  async function answerCalendar(request: FastifyRequest): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const reader = readerOf(request);
    // Read first: what is shown may be newer, never older.
    const { headers: shown } = shownAt(await readModel.version());
    const outline = await calendars.outline(request.given, reader).catch((error: unknown) => {
      throw error instanceof TooManyCalendars ? tooManyCalendars() : error;
    });
    if ('refused' in outline) throw invalidParameters(outline.refused);
    const { etag, total } = outline;
    const totals = { 'X-TEC-Total': String(total), 'X-WP-Total': String(total) };
    const headers = { ...calendarHeaders(request, 'events.ics'), ...totals, ...shown };
    return feedAnswer(request, etag, headers, () => calendars.text(outline, reader));
  }

  async function answerEvent(request: FastifyRequest): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const { text, etag } = await readOne(dependencies, request, `event ${request.target.id}.ics`, async (source) =>
      readCalendarOf(request, await presentEvent(source, request.target.id), source),
    );
    return wholeAnswer(request, { text, etag }, calendarHeaders(request, `event-${request.target.id}.ics`));
  }

  async function readCalendarOf(request: FastifyRequest, document: EventDocument, source: SingleSource): Promise<Read> {
    const purpose = request.given.context === 'edit' ? 'editing' : 'reading';
    const found = await readEvent({ ...queries, readModel: source }, document, readerOf(request), purpose);
    if ('unreadable' in found) throw new ApiError(UNREADABLE[found.unreadable]);
    const event = feedEvent(found.document, found.answer);
    const { host } = request.links;
    const years = new Set([yearOf(event.startsAt), yearOf(event.endsAt)]);
    const head = calendarHead(siteName ?? host, event.isAllDay ? new Map() : new Map([[event.timezone, years]]));
    const described = new Set([event.timezone]);
    return tagged(head + eventComponent(event, { host, described }) + CALENDAR_END);
  }

  async function answerNewest(request: FastifyRequest, format: SyndicationFormat): Promise<ApiAnswer> {
    await awaitPosition(dependencies, request);
    const { headers: shown } = shownAt(await readModel.version());
    const read = await reads.find(request, `events.${format}`, () => readNewest(request, format));
    return wholeAnswer(request, read, { 'Content-Type': SYNDICATION_TYPES[format], ...cachingOf(request), ...shown });
  }

  /** The same for all readers: published events, with protected content hidden. */
  async function readNewest(request: FastifyRequest, format: SyndicationFormat): Promise<Read> {
    const { links } = request;
    if (!URL.canParse(links.site)) throw new ApiError('rest_invalid_host');
    const reader = { ...readerOf(request), caller: null, password: undefined };
    const ids = await readModel.newestEvents({ limit: MAX_NEWEST });
    const events = await publishedFeedEvents(readModel, ids, reader);
    const feedLinks = { name: siteName ?? links.host, site: links.site, self: `${links.root}/events.${format}` };
    // A megabyte is written in one go: others get their turn before and after.
    await nextTurn();
    const text = newestEventsFeed(format, events, feedLinks);
    await nextTurn();
    return tagged(text);
  }

  return [
    {
      path: '/events.ics',
      allow: () => ['GET'],
      endpoints: [
        {
          methods: ['GET'],
          parameters: calendarFeed({ perPage }),
          documentation: FEED_DOCUMENTATION.calendar,
          handle: answerCalendar,
        },
      ],
    },
    {
      path: '/events/{id}.ics',
      allow: () => ['GET'],
      endpoints: [
        { methods: ['GET'], parameters: calendarEvent, documentation: FEED_DOCUMENTATION.event, handle: answerEvent },
      ],
    },
    ...(['rss', 'atom'] as const).map(
      (format): Route => ({
        path: `/events.${format}`,
        allow: () => ['GET'],
        endpoints: [
          {
            methods: ['GET'],
            parameters: newestEvents,
            documentation: FEED_DOCUMENTATION[format],
            handle: (request) => answerNewest(request, format),
          },
        ],
      }),
    ),
  ];
}

/** About as long as it takes to build the largest calendar. */
const RETRY_AFTER_SECONDS = '2';

const tooManyCalendars = (): ApiError =>
  new ApiError('rest_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

/** 132 bits over the text itself. */
const tagged = (text: string): Read => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
});

const calendarHeaders = (request: FastifyRequest, fileName: string): HeaderSet => ({
  'Content-Type': CALENDAR_TYPE,
  'Content-Disposition': `inline; filename="${fileName}"`,
  ...cachingOf(request),
});

/** As for lists: a cached copy is revalidated. Answers to signed-in callers have headers of their own. */
function cachingOf({ caller, given }: FastifyRequest): HeaderSet {
  const vary = { Vary: 'Origin, Authorization' };
  if (caller !== null) return vary;
  return { ...vary, 'Cache-Control': given.password === undefined ? 'no-cache' : 'private, no-cache' };
}

function wholeAnswer(request: FastifyRequest, { text, etag }: Read, headers: HeaderSet): ApiAnswer {
  const length = { 'Content-Length': String(Buffer.byteLength(text)) };
  return feedAnswer(request, etag, headers, () => only(text), length);
}

function feedAnswer(
  { headers: { 'if-none-match': ifNoneMatch } }: FastifyRequest,
  etag: string,
  own: HeaderSet,
  pieces: () => AsyncIterable<string | Uint8Array>,
  length: HeaderSet = {},
): ApiAnswer {
  const headers = { ...own, ETag: etag };
  if (isKnown(ifNoneMatch, etag)) return { status: 304, body: '', headers, pieces: only('') };
  return { status: 200, body: '', headers: { ...headers, ...length }, pieces: pieces(), whole: true };
}

async function* only(text: string | Uint8Array): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (text !== '') yield text;
}
