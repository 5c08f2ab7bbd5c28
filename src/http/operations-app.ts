// What a process without an API listens with: only what addOperations adds.
import fastify, { type FastifyInstance } from 'fastify';
import { ApiError, errorAnswer } from './errors.ts';

export function buildOperationsApp(): FastifyInstance {
  const app = fastify({ return503OnClosing: false });
  app.setNotFoundHandler((_request, reply) => {
    const { status, body } = errorAnswer(new ApiError('rest_no_route'));
    return reply.code(status).send(body);
  });
  return app;
}
