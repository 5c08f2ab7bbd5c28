// What the first requests would otherwise wait for.
import type { FastifyInstance } from 'fastify';

/** By then requests that waited for the service to listen have been answered. */
const AFTER_MS = 5_000;

/**
 * Makes something a moment after the service listens: neither its start nor, from then on, a request has to wait for
 * it. A service that ends before never makes it. Call it before `app` is ready.
 */
export function warmUp(app: FastifyInstance, make: () => unknown): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setTimeout(make, AFTER_MS).unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
