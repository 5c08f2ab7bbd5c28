// Routes that are made when one of them is first asked for. Few processes ever answer for the desk, and making its pages costs a
// seventh of a start. decision 15
import type { FastifyInstance } from 'fastify';

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

/** Everything at a path and below it is answered by another application, which is opened once and closed with this one. */
export function lateRoutes(app: FastifyInstance, path: string, open: () => Promise<FastifyInstance>): void {
  let opened: Promise<FastifyInstance> | undefined;
  const late = (): Promise<FastifyInstance> => {
    opened ??= open();
    return opened;
  };
  for (const url of [path, `${path}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url,
      config: { late },
      handler: (_request, reply) => reply.callNotFound(),
    });
  app.addHook('onClose', async () => {
    await (await opened)?.close();
  });
}
