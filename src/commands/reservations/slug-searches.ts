// Slugs for resources about to be created. Many may want the same one at once: waiting requests share one search, and a
// slug promised to one of them is not offered to the next.

import type { StreamReader } from '../../log/event-store.ts';
import { type FoundSlug, type FreeSlug, offerOf, type SlugRequest, searchSlugs } from './slugs.ts';

/** A slug that is not offered again in this process before `release`. */
export interface PromisedSlug extends FreeSlug {
  /** Call it once the slug is written, or will not be. */
  release(): void;
}

export type SlugSearches = ReturnType<typeof openSlugSearches>;

interface Waiting {
  readonly request: SlugRequest;
  resolve(slug: PromisedSlug): void;
  reject(reason: unknown): void;
}

/** The searches of one process. */
export function openSlugSearches() {
  const waiting = new Map<string, Waiting[]>();
  const claimed = new Set<string>();

  function promise({ request, resolve }: Waiting, found: FoundSlug): void {
    const { stream } = found.reservation;
    claimed.add(stream);
    resolve({ ...offerOf(found, request), release: () => void claimed.delete(stream) });
  }

  /** Requests that could not be served wait for the next round. */
  async function serve(store: StreamReader, round: readonly Waiting[]): Promise<Waiting[]> {
    const [first] = round;
    if (!first) return [];
    const { kind, wanted, origin, metadata } = first.request;
    const owners = new Set(round.map(({ request }) => request.owner));
    const isClaimed = (stream: string): boolean => claimed.has(stream);
    const search = { kind, wanted, origin, owners, now: metadata.instant, isClaimed };
    // A search for the same slug as one that was given, or was derived, may have promised it meanwhile.
    const found = (await searchSlugs(store, search, round.length)).filter(
      ({ reservation }) => !isClaimed(reservation.stream),
    );
    return round.filter((one) => {
      const index = found.findIndex(({ only }) => only === null || only === one.request.owner);
      const [slug] = index < 0 ? [] : found.splice(index, 1);
      if (slug) promise(one, slug);
      return slug === undefined;
    });
  }

  async function serveAll(store: StreamReader, key: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const round = queue.splice(0);
      try {
        queue.unshift(...(await serve(store, round)));
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    waiting.delete(key);
  }

  return {
    /** Like `findFreeSlug`. */
    find(store: StreamReader, request: SlugRequest): Promise<PromisedSlug> {
      const key = `${request.kind} ${request.origin} ${request.wanted}`;
      return new Promise((resolve, reject) => {
        const one: Waiting = { request, resolve, reject };
        const queue = waiting.get(key);
        if (queue) {
          queue.push(one);
          return;
        }
        const own = [one];
        waiting.set(key, own);
        void serveAll(store, key, own);
      });
    },
  };
}
