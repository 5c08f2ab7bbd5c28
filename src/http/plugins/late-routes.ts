// Routes that are made after the start, or by the first request for one of them: making the pages of the desk costs a seventh of a
// start. decision 15
import type { FastifyInstance } from 'fastify';
import { warmUp } from './warm-up.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Opens the application that answers instead. */
    readonly late?: () => Promise<FastifyInstance>;
  }
}

/** Call it before any other hook is added: the other application has all of them, too. */
export function handOver(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { late } = request.routeOptions.config;
    if (late === undefined) return done();
    late().then((other) => {
      reply.hijack();
      other.routing(request.raw, reply.raw);
    }, done);
  });
}

/**
 * Everything at a path and below it is answered by another application, which is opened once and closed with this one: by the first
 * request, and otherwise a moment after the service listens, so that hardly any request waits for it.
 */
export function lateRoutes(app: FastifyInstance, path: string, open: () => Promise<FastifyInstance>): void {
  let opened: Promise<FastifyInstance> | undefined;
  const late = (): Promise<FastifyInstance> => {
    opened ??= open().catch((error) => {
      // The next request tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  warmUp(app, late);
  for (const url of [path, `${path}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url,
      config: { late },
      handler: (_request, reply) => reply.callNotFound(),
    });
  app.addHook('onClose', async () => {
    await (await opened?.catch(() => undefined))?.close();
  });
}
