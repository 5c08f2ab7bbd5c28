// Gives others their turn between the parameters of a request and its handler, where reading them took long: the first request
// of a process runs code that was never run before, and others name hundreds of resources.
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { MAX_TURN_MS, nextTurn } from '../../event-loop/turns.ts';

export const turns = fp(async (app: FastifyInstance) => {
  app.addHook('preHandler', (_request, reply, done) => {
    if (reply.elapsedTime < MAX_TURN_MS) return done();
    void nextTurn().then(() => done(), done);
  });
});
