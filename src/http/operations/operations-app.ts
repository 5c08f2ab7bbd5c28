// Applications of a process without an API: only addOperations; or of one whose event store is away when it starts.
import fastify, { type FastifyInstance } from 'fastify';
import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Language } from '../../locales/language.ts';
import { openEnding } from '../connections/ending.ts';
import { ApiError, errorBody } from '../errors.ts';
import { securityHeaders } from '../plugins/security-headers.ts';
import { COMPILERS, DEFAULT_SETTINGS } from '../settings.ts';

/** Everything that is not added is answered with `rest_no_route`. */
export const buildOperationsApp = (language: () => Language): FastifyInstance => buildApp(language, 'rest_no_route');

/** Lives, is ready for nothing, and says `why` to operators alone; everything else is 503. */
export function buildWaitingApp(language: () => Language, why: () => string): FastifyInstance {
  const app = buildApp(language, 'rest_unavailable');
  app.get('/healthz', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) =>
    reply
      .code(503)
      .headers({ 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER_SECONDS })
      .send({ status: 'unavailable', event_store: { status: 'down', why: why() } }),
  );
  return app;
}

const RETRY_AFTER_SECONDS = 5;

function buildApp(language: () => Language, otherwise: ErrorCode): FastifyInstance {
  const ending = openEnding();
  const app = fastify({
    return503OnClosing: false,
    http: { ServerResponse: ending.Response },
    schemaController: { compilersFactory: COMPILERS },
  });
  app.register(securityHeaders, { scheme: 'http' });
  ending.watch(app.server);
  app.addHook('preClose', () => ending.drain(app.server, DEFAULT_SETTINGS.times.endingMs));
  app.setNotFoundHandler((_request, reply) => {
    const error = new ApiError(otherwise);
    if (error.status === 503) reply.headers({ 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER_SECONDS });
    return reply.code(error.status).header('Content-Language', language().code).send(errorBody(error, language()));
  });
  return app;
}
