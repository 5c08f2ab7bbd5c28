// What caches between Daybook and its readers may keep: answers to the public that say what they show. Everything else is
// theirs to forget.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type EpochSeconds, toInstant, toWallClock, type Zone } from '../../kernel/time/zone.ts';
import { wantsEnvelope } from '../answers/envelope.ts';
import type { ParameterMap } from '../parameters/parameter-map.ts';
import { methodOnWire } from './routing.ts';

interface SharedCachesOptions {
  /** For how long an answer may be kept without asking, in seconds; 0: it is never. */
  readonly seconds: number;
  readonly siteZone: Zone;
  readonly clock: { now(): EpochSeconds };
}

/** While Daybook is away, readers get what was shown last, for a day. */
const WHEN_AWAY_SECONDS = 86_400;
/** A reader need not wait for what is fetched anew. */
const MEANWHILE_SECONDS = 30;
/** More names do not fit into headers everywhere: beyond them an answer is forgotten at every change, like a list. */
const MAX_NAMES = 100;

/** Parameters of answers that are for one reader, or whose instant is not a day of the calendar. */
const NEVER_SHARED = ['as_of', 'with', 'password', 'context', 'strict_dates', 'only_with_upcoming'];
const DATES = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
const DAY = /^(?:\d{4}-\d\d-\d\d\b|today$|tomorrow$|yesterday$)/;

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Names of what a public answer shows (`list`, `event-20`, `venue-3`, …), beside those of the documents of a stored list;
     * undefined if it must not be shared.
     */
    shows: readonly string[] | undefined;
    /** When it is another one although nothing is written; undefined: not before the next day begins. */
    freshUntil: EpochSeconds | undefined;
  }
}

export const sharedCaches = fp(async (app: FastifyInstance, { seconds, siteZone, clock }: SharedCachesOptions) => {
  app.decorateReply('shows');
  app.decorateReply('freshUntil');
  if (seconds === 0) return;

  app.addHook('onSend', (request, reply, payload, done) => {
    if (isPublicRead(request)) complete(request, reply);
    done(null, payload);
  });

  function complete(request: FastifyRequest, reply: FastifyReply): void {
    const { shows } = reply;
    const same = shows === undefined || !isShareable(request, reply) ? 0 : sameFor(reply);
    if (shows === undefined || same <= 0) {
      // Without a word caches keep some answers as they see fit, errors among them.
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      return;
    }
    const all = new Set([...shows, ...(reply.stored?.list.madeFrom?.documents.match(/\S+/g) ?? [])]);
    const names = all.size > MAX_NAMES ? [...new Set(['list', ...all])].slice(0, MAX_NAMES) : [...all];
    const lasting = Math.min(seconds, same);
    const meanwhile = Math.min(MEANWHILE_SECONDS, same - lasting);
    reply.headers({
      'cache-control': `public, max-age=0, s-maxage=${lasting}, stale-while-revalidate=${meanwhile}, stale-if-error=${WHEN_AWAY_SECONDS}`,
      'cache-tag': names.join(','),
      'surrogate-key': names.join(' '),
      // A reader who demands a position must not get an earlier one.
      vary: `${reply.getHeader('vary') ?? 'Origin, Authorization'}, X-Daybook-Position`,
    });
  }

  /** Seconds to the next instant at which the answer changes by itself. */
  function sameFor({ freshUntil = Number.POSITIVE_INFINITY }: FastifyReply): number {
    const now = clock.now();
    return Math.min(freshUntil, nextDay(now, siteZone)) - now;
  }
});

function isPublicRead(request: FastifyRequest): boolean {
  const method = methodOnWire(request);
  return (method === 'GET' || method === 'HEAD') && !request.caller;
}

/** Nothing beside the address and the headers in `Vary` has a part in the answer, and it is a current one. */
function isShareable({ headers, queryString, query: parsedQuery }: FastifyRequest, reply: FastifyReply): boolean {
  // For pages it is what the router's parser makes; for the API the check has replaced it by now.
  const query = queryString ?? (parsedQuery as ParameterMap);
  const policy = reply.getHeader('cache-control');
  return (
    (reply.statusCode === 200 || reply.statusCode === 304) &&
    (policy === undefined || policy === 'no-cache') &&
    (reply.getHeader('x-daybook-lag') ?? '0') === '0' &&
    UNSHARED_HEADERS.every((name) => headers[name] === undefined) &&
    !wantsEnvelope(query) &&
    NEVER_SHARED.every((name) => query[name] === undefined) &&
    DATES.every((name) => isDay(query[name]))
  );
}

/** Credentials; a demanded position; parameters in a body. */
const UNSHARED_HEADERS = ['authorization', 'cookie', 'x-daybook-position', 'content-length', 'transfer-encoding'];

const isDay = (value: unknown): boolean => value === undefined || (typeof value === 'string' && DAY.test(value));

/** When the next day of the site begins. */
function nextDay(now: EpochSeconds, zone: Zone): EpochSeconds {
  const [today = ''] = toWallClock(now, zone).split(' ');
  const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return toInstant(`${tomorrow} 00:00:00`, zone);
}
