// `/docs`: the document as a page for reading and trying requests. At the root, outside the API.
import fastifyHelmet from '@fastify/helmet';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Negotiation } from '../../locales/negotiate.ts';
import { isKnown } from '../answers/etag.ts';
import { JSON_CONTENT_TYPE } from '../answers/headers.ts';
import type { Sites } from '../base-url.ts';
import type { Limits } from '../limits/limits.ts';
import { isExactAddress } from '../plugins/routing.ts';
import { pagePolicy, schemeOf } from '../plugins/security-headers.ts';
import type { ShellSettings } from '../settings.ts';
import type { Documents } from './document-texts.ts';

interface ReferencePage {
  readonly documentFor: Documents['documentFor'];
  readonly sites: Sites;
  readonly negotiation: Negotiation;
  readonly settings: Pick<ShellSettings, 'prefix' | 'siteUrl'>;
  /** The page counts against the limits like everything else. */
  readonly limits: Pick<Limits, 'admit'>;
}

const PATH = '/docs';

/** Adds the page. Call it before `app` is ready. Its scripts, styles and pictures come from this service alone. */
export function addReferencePage(app: FastifyInstance, page: ReferencePage): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isExactAddress(request) && request.raw.url !== `${PATH}/`) return reply.callNotFound();
      const refusal = request.refusal ?? page.limits.admit(request);
      if (refusal) throw refusal;
    });
    await scope.register(fastifyHelmet, pagePolicy(schemeOf(page.settings.siteUrl)));
    scope.addHook('onRequest', async (request, reply) => {
      const path = request.raw.url?.split('?', 1)[0];
      // Relative addresses, because a proxy may have put the service below a path of its own.
      if (path === PATH) return reply.redirect(`.${PATH}/`);
    });
    let opened: Promise<FastifyInstance> | undefined;
    /** The page or a file of it, from an application that is opened for the first who asks: 90 modules that a start does not need. */
    async function serve({ method, raw, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
      opened ??= openPage();
      const answer = await (await opened).inject({
        method: method === 'HEAD' ? method : 'GET',
        url: raw.url ?? PATH,
        headers,
      });
      if (answer.statusCode === 404) return reply.callNotFound();
      const { date: _date, connection: _connection, ...own } = answer.headers;
      // Bytes have a type, even none of them.
      await reply
        .code(answer.statusCode)
        .headers(own)
        .send(answer.rawPayload.length > 0 ? answer.rawPayload : undefined);
    }
    scope.get(PATH, serve);
    scope.route({ method: ['GET', 'HEAD'], url: `${PATH}/static/*`, handler: serve });
    scope.get(`${PATH}/json`, async (request, reply) => reply.send(await documentBeside(page, request, reply)));
  });
}

async function openPage(): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(import('@fastify/swagger'));
  await app.register(import('@fastify/swagger-ui'), {
    routePrefix: PATH,
    theme: { title: 'Daybook' },
    uiConfig: { docExpansion: 'list', deepLinking: true, showExtensions: true, defaultModelsExpandDepth: 0 },
  });
  await app.ready();
  return app;
}

/** In the language of the reader and with the address of the request, like `/doc`. */
async function documentBeside(
  { documentFor, sites, negotiation, settings }: ReferencePage,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const language = negotiation.preferred(headers['accept-language']);
  const { root, site } = sites.of(headers).links(settings.prefix);
  const { text, etag } = await documentFor({ language, root, site });
  reply.headers({
    ETag: etag,
    'Content-Language': language.code,
    Vary: 'Accept-Language',
    'Cache-Control': 'no-cache',
  });
  if (isKnown(headers['if-none-match'], etag)) {
    reply.code(304);
    return Buffer.of();
  }
  reply.type(JSON_CONTENT_TYPE);
  return text;
}
