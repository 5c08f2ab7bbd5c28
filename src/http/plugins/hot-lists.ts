// The one way past routing, hooks and handlers: a public list that was answered in this second is answered again by its
// address alone. The figures of `npm run bench` say what it is worth.
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { EpochSeconds } from '../../time/zone.ts';
import type { Site, Sites } from '../base-url.ts';
import { leavesWhole } from '../envelope.ts';
import { type HeaderLines, JSON_CONTENT_TYPE, LIST_VARY, linesOf, originHeaders, REVALIDATED } from '../headers.ts';
import type { RecalledAnswer, ResponseCache } from '../response-cache.ts';
import { cutWhenStalled } from '../slow-clients.ts';
import { queryOf } from './request-context.ts';

export interface HotListsOptions {
  readonly cache: Pick<ResponseCache, 'recall' | 'remember'>;
  readonly sites: Sites;
  readonly clock: { now(): EpochSeconds };
  readonly stallMs: number;
}

export interface HotLists {
  /** Answers again; to be registered in front of what costs something. */
  readonly recall: FastifyPluginAsync;
  /** Notes what was answered; to be registered behind what completes an answer. */
  readonly remember: FastifyPluginAsync;
}

export function openHotLists({ cache, sites, clock, stallMs }: HotListsOptions): HotLists {
  /** What Helmet and others write to each answer of the API: learned from the first that is cached. */
  let written: HeaderLines | null = null;
  const linesOfSites = new WeakMap<Site, HeaderLines>();

  function linesFor(site: Site): HeaderLines {
    const before = linesOfSites.get(site);
    if (before !== undefined) return before;
    const lines = [...linesOf(site.headers), 'content-type', JSON_CONTENT_TYPE, 'vary', LIST_VARY, ...(written ?? [])];
    lines.push('cache-control', REVALIDATED);
    linesOfSites.set(site, lines);
    return lines;
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    site: Site,
    { list, shown, allow }: RecalledAnswer,
  ): void {
    const { headers } = request;
    const { status, etag, form } = list.choose(headers['accept-encoding'], headers['if-none-match']);
    const lines = [...linesFor(site), ...list.headerLines, ...shown.lines];
    lines.push('x-request-id', request.id, 'etag', etag, 'allow', allow);
    if (headers.origin !== undefined) lines.push(...linesOf(originHeaders(headers.origin)));
    if (form?.coding) lines.push('content-encoding', form.coding);
    if (form) lines.push('content-length', String(form.bytes.length));
    request.site = site;
    reply.hijack();
    reply.raw.writeHead(status, lines);
    reply.raw.end(request.method === 'HEAD' ? undefined : form?.bytes);
    cutWhenStalled(reply.raw, stallMs);
  }

  const recall = fp(async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.refusal || !asksByAddressAlone(request)) return done();
      const site = siteOf(sites, request);
      const recalled = site && cache.recall(addressOf(request, site), clock.now());
      if (!recalled) return done();
      recalled.then(
        (found) => (found ? send(request, reply, site, found) : done()),
        () => done(), // Whatever it is, the long way meets it too and says so.
      );
    });
  });
  const remember = fp(async (app: FastifyInstance) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { stored } = reply;
      const allow = reply.getHeader('allow');
      if (stored?.found && typeof allow === 'string' && asksByAddressAlone(request) && leavesWhole(queryOf(request))) {
        written ??= linesOf(reply.raw.getHeaders() as { [name: string]: string }); // Policies are texts.
        cache.remember(addressOf(request, request.site), stored, allow);
      }
      done(null, payload);
    });
  });

  return { recall, remember };
}

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
