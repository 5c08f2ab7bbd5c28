// The pages for visitors, as a Fastify plugin: their routes, and what all of them share (language, policy, errors, cache).
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { asApiError } from '../http/errors.ts';
import { compileInput } from '../http/parameters/compile.ts';
import type { Lookups } from '../http/parameters/lookups.ts';
import { emptyMap, type ParameterMap } from '../http/parameters/parameter-map.ts';
import type { PublicScheme } from '../http/plugins/security-headers.ts';
import { eventList } from '../http/schemas/event.ts';
import type { PageSurroundings } from '../http/server.ts';
import { type StoredList, storedList } from '../http/stored-list.ts';
import { openVersionedCache } from '../http/versioned-cache.ts';
import type { EventListInput } from '../queries/list-events.ts';
import { type EpochSeconds, toWallClock, type Zone } from '../time/zone.ts';
import { ASSETS, serveAssets } from './assets.ts';
import type { PageCalendar, Visit } from './calendar.ts';
import { monthOf, todayIn } from './dates.ts';
import { type Html, pageText } from './html.ts';
import type { Query } from './links.ts';
import { errorPage } from './public/error-page.ts';
import type { Surroundings } from './public/layout.ts';
import { publicPages } from './public/routes.ts';
import { wordsIn } from './words.ts';

export interface PageDependencies {
  readonly calendar: PageCalendar;
  readonly clock: { now(): EpochSeconds };
  readonly siteZone: Zone;
  readonly perPage: number;
  readonly siteName: string | null;
  readonly lookups: Lookups;
}

/** A visit of a page: everything that it may depend on. */
export interface PageRequest {
  readonly visit: Visit;
  readonly surroundings: Surroundings;
  /** The query as it was sent, without empty members. */
  readonly sent: ParameterMap;
}

/** What a handler is given to answer with. */
export interface Pages extends PageDependencies {
  open(request: FastifyRequest): PageRequest;
  /** The filters of a list, checked like those of the API. Throws its errors. */
  filters(page: PageRequest): Promise<EventListInput>;
  /** Those filters as an address has them, without the page. */
  sentFilters(page: PageRequest): Query;
  /**
   * Answers with a page that is made once for each version of the calendar. `key`: what it depends on beside that. A text
   * is sent as it is, with the type that the reply has.
   */
  send(
    reply: FastifyReply,
    page: PageRequest,
    key: readonly unknown[],
    make: () => Promise<Html | string>,
  ): Promise<FastifyReply>;
}

const HTML = 'text/html; charset=utf-8';
/** Of one process. */
const CACHE_BYTES = 32 * 1_048_576;

/** Scripts and styles are files of ours; pictures come from here; forms lead here. No inline style, no inline script. */
const policy = (scheme: PublicScheme): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:'],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  strictTransportSecurity: scheme === 'https' ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** The plugin; `settings` come from the server that registers it. */
export const pagesOver =
  (dependencies: PageDependencies): FastifyPluginAsync<PageSurroundings> =>
  async (app, settings) => {
    const { calendar, clock, siteZone, perPage, siteName, lookups } = dependencies;
    const { sites, negotiation, apiPrefix } = settings;
    const check = compileInput(eventList({ perPage }), 'read');
    const cache = openVersionedCache<StoredList, null>({
      version: calendar.version,
      maxBytes: CACHE_BYTES,
      bytesOf: (page) => page.size(),
    });

    function open(request: FastifyRequest): PageRequest {
      const links = sites.of(request.headers).links(apiPrefix);
      const sent = filled(request.query as ParameterMap); // What the router's parser makes.
      const demanded = negotiation.demanded(sent._locale);
      const language = demanded ?? negotiation.preferred(request.headers['accept-language']);
      const now = clock.now();
      return {
        visit: { now, links },
        sent,
        surroundings: {
          siteName: siteName ?? links.host,
          site: links.site,
          root: links.root,
          language,
          words: wordsIn(language),
          assets: ASSETS,
          thisMonth: monthOf(todayIn(siteZone, now)),
        },
      };
    }

    async function send(
      reply: FastifyReply,
      { visit, surroundings, sent }: PageRequest,
      key: readonly unknown[],
      make: () => Promise<Html | string>,
    ): Promise<FastifyReply> {
      const { language, site } = surroundings;
      const version = await calendar.version();
      const whole = JSON.stringify([...key, language.code, site, todayOf(visit), sent]);
      const page = await cache.find(whole, version, async () => {
        const made = await make();
        const text = typeof made === 'string' ? made : pageText(made);
        return storedList({ body: [text], total: 0, pages: 0 }, (grown) => cache.weigh(whole, grown));
      });
      const { headers } = reply.request;
      const { status, etag, form } = page.choose(headers['accept-encoding'], headers['if-none-match']);
      reply.code(status).headers({
        etag,
        'cache-control': 'no-cache',
        'content-language': language.code,
        vary: 'Accept-Language, Accept-Encoding',
        ...(form?.coding && { 'content-encoding': form.coding }),
      });
      if (!form) return reply.send();
      return reply.type(String(reply.getHeader('content-type') ?? HTML)).send(form.bytes);
    }

    const todayOf = ({ now }: Visit): string => toWallClock(now, siteZone).slice(0, 10);

    const pages: Pages = {
      ...dependencies,
      open,
      send,
      sentFilters: ({ sent }) =>
        FILTERS.flatMap((name) => (typeof sent[name] === 'string' ? [[name, sent[name]]] : [])),
      async filters({ visit, sent }) {
        const { now } = visit;
        const shown = Object.assign(emptyMap(), Object.fromEntries(PARAMETERS.map((name) => [name, sent[name]])));
        const question = { caller: null, now, siteZone, lookups, slug: undefined, sent: shown };
        return (await check(question)) as EventListInput; // What this schema's check makes.
      },
    };

    await app.register(helmet, policy(settings.scheme));
    app.addHook('onRequest', async (request) => {
      const refusal = request.refusal ?? (await settings.limits.admit(request));
      if (refusal) throw refusal;
    });
    app.addHook('onSend', async (request, reply) => {
      const { site, root } = sites.of(request.headers).links(apiPrefix);
      reply.headers({ 'x-tec-api-version': 'v1', 'x-tec-api-root': `${root}/`, 'x-tec-api-origin': site });
    });
    app.setErrorHandler((thrown, request, reply) => failed(pages, settings, { thrown, request, reply }));
    serveAssets(app);
    publicPages(app, pages);
  };

interface Failing {
  readonly thrown: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function failed(pages: Pages, settings: PageSurroundings, { thrown, request, reply }: Failing): FastifyReply {
  const error = settings.report(request, thrown);
  const surroundings = surroundingsOf(pages, request);
  reply.code(error.status).headers({ ...error.headers, 'cache-control': 'no-store' });
  reply.type(HTML);
  if (!surroundings) return reply.send('<!doctype html>\n<title>Invalid host</title>\n');
  const text = error.status === 404 ? surroundings.words('not_found_text') : error.text(surroundings.language);
  return reply.send(pageText(errorPage(surroundings, { status: error.status, text })));
}

/** Null for a request whose host cannot be used in links. */
function surroundingsOf(pages: Pages, request: FastifyRequest): Surroundings | null {
  try {
    return pages.open(request).surroundings;
  } catch (error) {
    if (asApiError(error).code === 'rest_invalid_host') return null;
    throw error;
  }
}

/** Filters that addresses of pages may have: those of the API's list that concern visitors. */
const FILTERS = [
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'geoloc_lat',
  'geoloc_lng',
  'geoloc_radius',
] as const;
const PARAMETERS = [...FILTERS, 'page'] as const;

/** Forms send empty fields. */
const filled = (query: ParameterMap): ParameterMap =>
  Object.assign(emptyMap(), Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')));
