// The log as a feed: page by page, by long polling, or as a stream.
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { ApiError, forbidden, refusedParameter } from '../../../http/errors.ts';
import { bodyOf, documented, toFollow } from '../../../http/openapi/documentation.ts';
import { type Links, READ_ONLY, type Routes } from '../../../http/route.ts';
import { type Guest, openSeats, type SeatLimits } from '../../../http/routes/seats.ts';
import Type from '../../../http/schemas/type.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { phrase } from '../../../locales/phrases.ts';
import { LOG_START, type Position } from '../../../log/envelope.ts';
import type { Authenticate, Caller } from '../../../people/auth/caller.ts';
import { type Arguments, queryString } from '../../../queries/arguments.ts';
import { startTimer } from '../queries/change-notifier.ts';
import {
  type ChangeEntry,
  type Changes,
  type ChangesDependencies,
  type ChangesOrder,
  type ChangesPage,
  type FollowQuestion,
  openChanges,
} from '../queries/changes.ts';
import { isCursor } from '../queries/log-reads.ts';
import { isSingle } from '../queries/review-changes.ts';
import { type Selection, withinReach } from '../queries/selection.ts';
import { FEED_ARGUMENTS, type FeedInput, filterIn, isNarrowed, orderIn, selectionIn } from './changes-question.ts';
import { CHANGES_PER_PAGE, changeFeed, changesPage, MAX_CHANGES_PER_PAGE, MAX_WAIT_SECONDS } from './changes-schema.ts';

export interface ChangesRouteDependencies extends ChangesDependencies {
  readonly authenticate: Authenticate;
  /** Requests that wait or listen at the same time. */
  readonly seats?: SeatLimits;
  /** Milliseconds between heartbeats of a stream; default 15 s. */
  readonly heartbeatMs?: number;
}

/** One client cannot take all places: ten users, or five addresses, are needed for that. */
const SEATS: SeatLimits = { forAll: 1_000, forUser: 100, forAddress: 200 };
const HEARTBEAT_MS = 15_000;
/** The value for the present end of the log. */
const END = 'end';

export const changesRoutes: Routes<ChangesRouteDependencies> = async (api, dependencies) => {
  const { authenticate, heartbeatMs = HEARTBEAT_MS } = dependencies;
  const changes = openChanges(dependencies);
  const seats = openSeats(dependencies.seats ?? SEATS);

  api.get(
    '/changes',
    {
      schema: {
        ...documented(
          {
            group: 'Changes',
            summary: 'changes.summary',
            description: 'changes.description',
            right: toFollow,
            errors: ['rest_forbidden'],
            takes: ['LastEventId'],
          },
          {
            200: {
              description: 'changes.answer',
              content: {
                ...bodyOf(changesPage).content,
                ...bodyOf(Type.String({ description: 'changes.stream' }), STREAM_TYPE).content,
              },
              carries: [],
            },
          },
        ),
        querystring: changeFeed,
      },
      config: READ_ONLY,
    },
    async (request, reply) => {
      const { caller, headers, language, query } = request;
      const selection = selectionIn(query);
      assertReach(caller, selection);
      const filter = filterIn(request, query);
      const isStream = wantsStream(headers.accept);
      const order = orderIn(query, isStream || (query.wait ?? 0) > 0 ? 'waiting' : 'page');
      const resumed = isStream ? lastEventId(headers) : undefined;
      const after = await positionIn(
        changes,
        order,
        resumed ?? query.after,
        resumed === undefined ? 'after' : 'Last-Event-ID',
      );
      const reader = async () => ({ caller: await callerNow(request, selection) });
      const limit = Math.min(query.per_page ?? CHANGES_PER_PAGE, MAX_CHANGES_PER_PAGE);
      const question = { after, selection, filter, heartbeatMs, limit, sentences: language.sentences, reader };
      // Clients that want a stream get something else.
      reply.header('vary', 'Origin, Accept').inLanguage(language);
      if (!isStream) {
        const page =
          order === 'desc'
            ? await changes.page({ ...question, order, reader: { caller } })
            : await pageFor(request, reply, query.wait ?? 0, question);
        return envelope(request, query, limit, page);
      }
      const signal = reply.waiting();
      seats.take(guestOf(request), signal);
      const pages = changes.follow(question, [signal]);
      reply.headers(STREAM_HEADERS);
      return reply.pieces(
        changesStream(pages, after, (entry) => shownChange(entry, request.links)),
        'open end',
      );
    },
  );

  async function pageFor(
    request: FastifyRequest,
    reply: FastifyReply,
    wait: number,
    question: FollowQuestion,
  ): Promise<ChangesPage> {
    const seconds = Math.min(wait, MAX_WAIT_SECONDS);
    const first = await changes.page({ ...question, reader: { caller: request.caller } });
    if (first.changes.length > 0 || seconds === 0) return first;
    return waited(request, reply.waiting(), seconds, { ...question, after: first.next });
  }

  /** The next page with changes; an empty one when the time is up or the client has gone. */
  async function waited(
    request: FastifyRequest,
    listening: AbortSignal,
    seconds: number,
    question: FollowQuestion,
  ): Promise<ChangesPage> {
    const leave = seats.take(guestOf(request), listening);
    const patience = startTimer(seconds * 1000);
    try {
      let after = question.after;
      for await (const page of changes.follow(question, [listening, patience.signal])) {
        if (page.changes.length > 0) return page;
        after = page.next;
      }
      if (listening.aborted) return { changes: [], next: after, hasMore: false };
      return await changes.page({ ...question, after, reader: await question.reader() });
    } finally {
      patience.stop();
      leave();
    }
  }

  /** The caller, if still valid. Throws like the transport and `answer`. */
  async function callerNow({ headers }: FastifyRequest, selection: Selection): Promise<Caller> {
    const { authorization } = headers;
    const outcome = await authenticate(typeof authorization === 'string' ? authorization : undefined);
    if (outcome.kind === 'refused') throw new ApiError(outcome.code);
    assertReach(outcome.caller, selection);
    return outcome.caller;
  }
};

const guestOf = (request: FastifyRequest): Guest => ({ user: request.caller?.id ?? null, address: request.client() });

/** If nothing requested can ever be seen, silence would be no answer. */
function assertReach(caller: Caller, selection: Selection): void {
  if (withinReach(selection, { caller }).length === 0) throw forbidden(caller);
}

async function positionIn(
  changes: Changes,
  order: ChangesOrder,
  cursor: string | undefined,
  name: string,
): Promise<Position> {
  // Checked in any case: a stream must not begin while the log is unavailable.
  const head = await changes.head();
  if (cursor === undefined || cursor === LOG_START) return LOG_START;
  // Newest first, the end is where the feed begins.
  if (cursor === END) return order === 'asc' ? head : LOG_START;
  if (isCursor(cursor, head)) return cursor;
  throw refusedParameter(name, phrase('no_position'));
}

const FOLDERS = {
  ...COLLECTIONS,
  proposal: 'proposals',
  set: 'sets',
  picture: 'media',
  series: 'series',
  webhook: 'webhooks',
  source: 'sources',
  guest: 'guest-links',
} as const;

/** A change with the address of its resource. */
export function shownChange({ position, kind, id, target, ...change }: ChangeEntry, { root }: Links): object {
  const about = target && { target: { ...target, url: addressOf(root, target) } };
  return { position, kind, id, url: addressOf(root, { kind, id }), ...change, ...about };
}

/** The address of what has changed, below the API's root. */
export const addressOf = (root: string, { kind, id }: Pick<ChangeEntry, 'kind' | 'id'>): string =>
  isSingle(kind) ? `${root}/${kind}` : `${root}/${FOLDERS[kind]}/${id}`;

function envelope({ links }: FastifyRequest, query: FeedInput, limit: number, { changes, next, hasMore }: ChangesPage) {
  const args: Arguments = FEED_ARGUMENTS.flatMap((name) =>
    query[name] === undefined ? [] : [[name, textOf(query[name])] as const],
  );
  return {
    changes: changes.map((entry) => shownChange(entry, links)),
    next,
    has_more: hasMore,
    ...(isNarrowed(query) && { partial: hasMore && changes.length < limit }),
    rest_url: `${links.root}/changes/${args.length === 0 ? '' : `?${queryString(args)}`}`,
  };
}

/** As it was sent, lists joined. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'text' in value ? String(value.text) : listOf(value).join();

// The feed of changes as Server-Sent Events.

const STREAM_TYPE = 'text/event-stream';
/** The client's delay before it reconnects. */
const RETRY_MS = 2_000;

const STREAM_HEADERS = {
  'Content-Type': `${STREAM_TYPE}; charset=UTF-8`,
  // Proxies that buffer an answer would hold it back for ever.
  'X-Accel-Buffering': 'no',
};

/** Whether `Accept` names event streams: who takes any type gets JSON. */
export const wantsStream = (accept: string | string[] | undefined): boolean =>
  new Negotiator({ headers: { accept: String(accept ?? '').toLowerCase() } }).mediaTypes().includes(STREAM_TYPE);

/** The position of a client that was connected before. */
function lastEventId(headers: FastifyRequest['headers']): string | undefined {
  const header = headers['last-event-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** `pages` begin after `after`. If they fail the stream ends; the next connection gets the reason. */
async function* changesStream(
  pages: AsyncIterable<ChangesPage>,
  after: Position,
  show: (entry: ChangeEntry) => object,
): AsyncGenerator<string, void, undefined> {
  let cursor = after;
  yield `retry: ${RETRY_MS}\n${idFrame(cursor)}\n`;
  for await (const { changes, next } of pages) {
    const events = changes.map((entry) => eventFrame(entry.position, show(entry)));
    cursor = changes.at(-1)?.position ?? cursor;
    // A lone id moves the position to resume at: what lies between was not for this client.
    if (next !== cursor) events.push(`${idFrame(next)}\n`);
    cursor = next;
    yield events.length > 0 ? events.join('') : ':\n\n';
  }
}

const idFrame = (position: Position): string => (position === '' ? '' : `id: ${position}\n`);

const eventFrame = (position: Position, change: object): string =>
  `${idFrame(position)}event: change\ndata: ${JSON.stringify(change)}\n\n`;
