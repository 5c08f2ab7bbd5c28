// The one way past routing, hooks and handlers: a public list or single read that was answered in this second is answered
// again by its address alone. The figures of `npm run bench` say what it is worth.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import { leavesWhole } from '../answers/envelope.ts';
import { isKnown } from '../answers/etag.ts';
import { type HeaderLines, linesOf, originHeaders } from '../answers/headers.ts';
import type { Site, Sites } from '../base-url.ts';
import type { Recalled, SharedAnswers } from '../caches/shared-answers.ts';
import { cutWhenStalled } from '../connections/clients.ts';

export interface HotAnswersOptions {
  readonly shared: SharedAnswers;
  readonly sites: Sites;
  readonly clock: { now(): EpochSeconds };
  readonly stallMs: number;
  /** See `ShellSettings`: nothing that was said to shared caches is said to a reader with cookies. */
  readonly cacheSeconds: number;
}

export function openHotAnswers({ shared, sites, clock, stallMs, cacheSeconds }: HotAnswersOptions) {
  function send(request: FastifyRequest, reply: FastifyReply, site: Site, match: Recalled): void {
    const { status, lines, body } = answerWith(request, match);
    const { origin } = request.headers;
    lines.push('x-request-id', request.id);
    if (origin !== undefined) lines.push(...linesOf(originHeaders(origin)));
    if (body) lines.push('content-length', String(body.length));
    request.site = site;
    reply.hijack();
    reply.raw.writeHead(status, lines);
    reply.raw.end(request.method === 'HEAD' ? undefined : body);
    cutWhenStalled(reply.raw, stallMs);
  }

  const recall = fp(async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.refusal || !asksByAddressAlone(request)) return done();
      if (cacheSeconds > 0 && request.headers.cookie !== undefined) return done();
      const site = siteOf(sites, request);
      if (site === null) return done();
      const answer = (match: Recalled | null): void => {
        if (match) send(request, reply, site, match);
        else done();
      };
      const recalled = shared.recall(addressOf(request, site), clock.now());
      // Whatever fails, the long way meets it too and says so.
      if (recalled instanceof Promise) recalled.then(answer, () => done());
      else answer(recalled);
    });
  });
  const remember = fp(async (app: FastifyInstance) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const isOfApi = request.site !== undefined;
      // An answer that names what it passed over is that of its own request.
      const isShared = isOfApi && request.unknownParameters === undefined && leavesWhole(request.queryString);
      const isCookieless = cacheSeconds === 0 || request.headers.cookie === undefined;
      if (isShared && isCookieless && asksByAddressAlone(request)) note(request, reply, payload);
      done(null, payload);
    });
  });

  function note(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { stored } = reply;
    const address = addressOf(request, request.site);
    if (stored?.place && reply.hasHeader('allow')) {
      shared.rememberList(address, stored, sharedLines(reply, OF_ONE_FORM));
    } else shared.rememberRead(address, request.now, payload, () => sharedLines(reply, OF_ONE_REQUEST));
  }

  return {
    /** Answers again; to be registered in front of what costs something. */
    recall,
    /** Notes what was answered; to be registered behind what completes an answer. */
    remember,
  };
}

/** `lines`: the headers of this answer alone. */
function answerWith({ headers }: FastifyRequest, match: Recalled) {
  if ('body' in match) {
    const isHeld = isKnown(headers['if-none-match'], match.etag);
    return { status: isHeld ? 304 : 200, lines: [...match.lines], body: isHeld ? undefined : match.body };
  }
  const { list, freshness } = match;
  const { status, etag, form } = list.choose(headers['accept-encoding'], headers['if-none-match']);
  const lines = [...match.lines, ...freshness.lines, 'etag', etag];
  if (form?.coding) lines.push('content-encoding', form.coding);
  return { status, lines, body: form?.bytes };
}

/** What differs from one request to the next although the address is the same. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set([
  'x-request-id',
  'content-length',
  ...Object.keys(originHeaders('')),
]);

/** What differs of a list, which has several forms and says how new it is. */
const OF_ONE_FORM: ReadonlySet<string> = new Set([
  ...OF_ONE_REQUEST,
  ...['etag', 'content-encoding', 'x-daybook-position', 'x-daybook-lag', 'x-daybook-views'],
]);

const sharedLines = (reply: FastifyReply, except: ReadonlySet<string>): HeaderLines =>
  Object.entries(reply.getHeaders()).flatMap(([name, value]) => (except.has(name) ? [] : [name, String(value)]));

function siteOf(sites: Sites, { headers }: FastifyRequest): Site | null {
  try {
    return sites.of(headers);
  } catch {
    return null;
  }
}

/** Requests of the public that say nothing beside their address on which an answer depends. */
const asksByAddressAlone = ({ method, headers, raw }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  raw.methodOnWire === undefined &&
  headers.authorization === undefined &&
  headers['x-daybook-position'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** Site and URL as they were sent; neither has blanks. */
const addressOf = ({ raw }: FastifyRequest, { url }: Site): string => `${url} ${raw.url}`;
