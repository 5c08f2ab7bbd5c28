// What a process without an API listens with: only what addOperations adds.
import fastify, { type FastifyInstance } from 'fastify';
import type { Language } from '../languages/language.ts';
import { ApiError, errorAnswer } from './errors.ts';

export function buildOperationsApp(language: Language): FastifyInstance {
  const app = fastify({ return503OnClosing: false });
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = errorAnswer(new ApiError('rest_no_route'), language);
    return reply.code(status).header('Content-Language', language.code).send(body);
  });
  return app;
}
