// `/docs`: the document as a page to read and to try things out on. At the root, outside the API.
import fastifyHelmet from '@fastify/helmet';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Negotiation } from '../../locales/negotiate.ts';
import type { Sites } from '../base-url.ts';
import { isKnown } from '../etag.ts';
import { JSON_CONTENT_TYPE } from '../headers.ts';
import type { Limits } from '../limits/limits.ts';
import { isExactAddress } from '../plugins/routing.ts';
import { pagePolicy, schemeOf } from '../security-headers.ts';
import type { ShellSettings } from '../settings.ts';
import type { DocumentFor } from './document-cache.ts';

export interface ReferencePage {
  readonly documentFor: DocumentFor;
  readonly sites: Sites;
  readonly negotiation: Negotiation;
  readonly settings: Pick<ShellSettings, 'prefix' | 'siteUrl'>;
  /** The page counts like everything else that is asked for. */
  readonly limits: Pick<Limits, 'admit'>;
}

const PATH = '/docs';

/** Adds the page. To be called before `app` is ready. Its scripts, styles and pictures come from this service alone. */
export function addReferencePage(app: FastifyInstance, page: ReferencePage): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isExactAddress(request) && request.raw.url !== `${PATH}/`) return reply.callNotFound();
      const refusal = await page.limits.admit(request);
      if (refusal) throw refusal;
    });
    await scope.register(fastifyHelmet, pagePolicy(schemeOf(page.settings.siteUrl)));
    await scope.register(documentProvider);
    await scope.register(fastifySwaggerUi, {
      routePrefix: PATH,
      theme: { title: 'Daybook' },
      uiConfig: { docExpansion: 'list', deepLinking: true, showExtensions: true, defaultModelsExpandDepth: 0 },
      uiHooks: { onRequest: (request, reply, done) => (answered(page, request, reply) ? undefined : done()) },
    });
  });
}

/** Answers by itself what the plugin would answer otherwise, or at a high price. */
function answered(page: ReferencePage, request: FastifyRequest, reply: FastifyReply): boolean {
  switch (request.raw.url?.split('?', 1)[0]) {
    case PATH:
      // What the page loads lies beside it. Relative, as a proxy may have put the service below a path of its own.
      reply.redirect(`.${PATH}/`);
      return true;
    case `${PATH}/json`:
      sendDocument(page, request, reply).catch((error: unknown) => reply.send(error));
      return true;
    case `${PATH}/yaml`:
      reply.callNotFound();
      return true;
    default:
      return false;
  }
}

async function sendDocument(
  { documentFor, sites, negotiation, settings }: ReferencePage,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = negotiation.preferred(headers['accept-language']);
  const { text, etag } = await documentFor({ language, root: sites.of(headers).links(settings.prefix).root });
  reply.headers({
    ETag: etag,
    'Content-Language': language.code,
    Vary: 'Accept-Language',
    'Cache-Control': 'no-cache',
  });
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(JSON_CONTENT_TYPE).send(text);
}

/**
 * The page wants a plugin of this name that knows the document. The one that usually stands there makes documents of
 * Fastify's own routes, of which there is one here.
 */
const documentProvider = Object.assign(
  async (scope: FastifyInstance): Promise<void> => {
    scope.decorate('swagger', () => ({}));
  },
  {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
  },
);
