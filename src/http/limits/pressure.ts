// Detects overload of this process: @fastify/under-pressure, with a handler of our own. While memory is short only what takes
// little of it is answered.
import type { ServerResponse } from 'node:http';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Asker, MemoryState, MemoryWatch } from '../../kernel/memory/watch.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { ApiError } from '../errors.ts';
import type { ParameterMap } from '../parameters/parameter-map.ts';

export interface PressureOptions {
  /** Milliseconds by which the event loop is late on the average of a sample. */
  readonly maxDelayMs?: number;
  /** Milliseconds of a sample. */
  readonly sampleMs?: number;
  /** Looked at some times in a sample; absent: memory is not watched. */
  readonly memory?: MemoryWatch;
}

const MAX_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;
/** Within a sample. In 256 MiB twelve who asked for the past took the last 13 MiB in less than one. */
const LOOKS = 4;
const RETRY_AFTER_SECONDS = '10';

/**
 * Refuses requests while the process is overloaded. A single long step, as at startup on a busy machine, does not
 * count: overload lasts for longer than a sample. Probes have a handler of their own. Applications of one process share
 * what it makes, since they are overloaded together.
 */
export function openPressureLimit(options: PressureOptions) {
  const { maxDelayMs = MAX_DELAY_MS, sampleMs = SAMPLE_MS, memory } = options;
  let since = Number.POSITIVE_INFINITY;
  const places = { public: 0, user: 0 };
  /** One for all of them. */
  let looking: NodeJS.Timeout | undefined;

  function admitUser(caller: Caller, answer: ServerResponse): void {
    if (caller === null || places.user >= MAX_LARGE) throw overloaded();
    takePlace('user', answer);
  }

  function takePlace(asker: Asker, answer: ServerResponse): void {
    places[asker] += 1;
    const leave = (): void => {
      clearTimeout(timer);
      answer.off('close', leave);
      places[asker] -= 1;
    };
    const timer = setTimeout(leave, PLACE_MS).unref();
    answer.once('close', leave);
  }

  return fp(async (app: FastifyInstance) => {
    await app.register(underPressure, {
      sampleInterval: sampleMs,
      maxEventLoopDelay: maxDelayMs,
      pressureHandler(request) {
        const now = performance.now();
        since = Math.min(since, now);
        if (now - since >= sampleMs) request.refusal = overloaded();
      },
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (!app.isUnderPressure()) since = Number.POSITIVE_INFINITY;
      if (!memory || 'pressureHandler' in request.routeOptions.config) return done();
      const state = memory.state();
      if (isSmall(request) && isAnswering(state)) return done();
      if (state === 'enough' && !READS.has(request.method)) return done();
      if (state === 'enough' && (places.public < MAX_LARGE || memory.isRoomy())) takePlace('public', reply.raw);
      else if (isAnswering(state) && isSigned(request)) request.admit = (caller) => admitUser(caller, reply.raw);
      else request.refusal ??= overloaded();
      done();
    });

    if (!memory || looking) return;
    looking = setInterval(memory.look, sampleMs / LOOKS).unref();
    app.addHook('onClose', async () => clearInterval(looking));
  });
}

/** What small requests take is given back at once. */
const isAnswering = (state: MemoryState): boolean => state === 'enough' || state === 'short';

/** Its credentials are checked before it is answered, and then it is admitted or refused. */
const isSigned = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  headers.authorization !== undefined && config.allow !== undefined;

/**
 * How many requests that may take much memory are answered at once while there is little of it: of the public, and as many of
 * users, so that strangers do not keep an editor from the past, or from saving. In 256 MiB twelve of them were
 * let in whenever it was enough for a moment, took 30 MiB in a second, and the process was killed; so it was when the others
 * waited instead of being refused.
 */
const MAX_LARGE = 2;
/** What is sent for longer, as the stream of changes, has taken what it takes by then. */
const PLACE_MS = 5_000;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What pages of the desk show and do they ask of the API, which has a place for it. */
const DESK = /^\/desk\b/;
/** A list of resources or one of them, the page of one, and the files that pages come with. */
const SMALL =
  /\/(?:(?:events?|venues?|organizers?|categories|category|tags?)(?:\/:id\b[^/]*|(?:\/by-slug)?\/:slug\b[^/]*)?|(?:assets|media)\/[^/]+)$/;
/** What reads the past, what is proposed, or the texts of many. */
const LARGE_PARAMETERS = ['as_of', 'with', 'revision', 'proposal', 'search'];
const SMALL_PAGE = 20;

/** It reads a few documents of now: its memory is given back at once. */
function isSmall({ method, routeOptions: { url = '' }, query }: FastifyRequest): boolean {
  if (DESK.test(url)) return true;
  if (!READS.has(method) || !SMALL.test(url)) return false;
  const parameters = query as ParameterMap; // As the router's parser makes it.
  return Number(parameters.per_page ?? 0) <= SMALL_PAGE && !LARGE_PARAMETERS.some((name) => name in parameters);
}

/** 503: a retry makes sense, but not at once. */
const overloaded = (): ApiError =>
  new ApiError('rest_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
