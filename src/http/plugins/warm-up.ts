// What the first requests would otherwise wait for.
import type { FastifyInstance } from 'fastify';
import { nextTurn } from '../../kernel/event-loop/turns.ts';

/** By then requests that waited for the service to listen have been answered. */
const AFTER_MS = 5_000;

/** All of this process are made one after the other: at the same moment they would be one long hold. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes something a moment after the service listens: neither its start nor, from then on, a request has to wait for
 * it. A service that ends before never makes it. Call it before `app` is ready.
 */
export function warmUp(app: FastifyInstance, make: () => unknown): void {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  app.addHook('onListen', async () => {
    timer = setTimeout(() => {
      // What fails is told to the request that needs it.
      last = last
        .then(nextTurn)
        .then(() => isClosed || make())
        .catch(() => {});
    }, AFTER_MS).unref();
  });
  app.addHook('onClose', async () => {
    isClosed = true;
    clearTimeout(timer);
  });
}
