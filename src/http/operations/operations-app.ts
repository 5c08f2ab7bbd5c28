// The application of a process without an API: only addOperations.
import fastify, { type FastifyInstance } from 'fastify';
import type { Language } from '../../locales/language.ts';
import { openEnding } from '../connections/ending.ts';
import { ApiError, errorBody } from '../errors.ts';
import { securityHeaders } from '../plugins/security-headers.ts';
import { COMPILERS } from '../server.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';

export function buildOperationsApp(language: () => Language): FastifyInstance {
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
    const error = new ApiError('rest_no_route');
    return reply.code(error.status).header('Content-Language', language().code).send(errorBody(error, language()));
  });
  return app;
}
