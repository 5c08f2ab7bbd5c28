// Slugs for resources about to be created. Many may want the same one at once: they search one after the other, each behind
// what was found before, and a slug promised to one of them is not offered to the next.
import type { StreamReader } from '../../log/event-store.ts';
import { type FreeSlug, findFreeSlug, isWritten, type SlugRequest } from './slugs.ts';

/** A slug that is not offered again in this process before `release`. */
export interface PromisedSlug extends FreeSlug {
  /** Call it once the slug is written, or will not be. */
  release(): void;
}

export type SlugSearches = ReturnType<typeof openSlugSearches>;

/** The searches of one process. */
export function openSlugSearches() {
  /** By the streams of their reservations. */
  const promised = new Set<string>();
  /** By what is wanted: the last search that has not ended. */
  const last = new Map<string, Promise<PromisedSlug>>();

  async function search(store: StreamReader, request: SlugRequest, from?: number): Promise<PromisedSlug> {
    for (;;) {
      const offer = await findFreeSlug(store, request, promised, from);
      const stream = offer.append?.stream ?? '';
      // A search for another slug may have promised it meanwhile.
      if (promised.has(stream)) continue;
      if (offer.append) promised.add(stream);
      return { ...offer, release: () => void promised.delete(stream) };
    }
  }

  return {
    /** Like `findFreeSlug`. */
    async find(store: StreamReader, request: SlugRequest): Promise<PromisedSlug> {
      const key = `${request.kind} ${request.origin} ${request.base}`;
      const begin = () => search(store, request);
      // One that is there already may have a suffix before that.
      const behind = async ({ n }: FreeSlug) =>
        (await isWritten(store, request.owner)) ? begin() : search(store, request, n + 1);
      const own = last.get(key)?.then(behind, begin) ?? begin();
      last.set(key, own);
      try {
        return await own;
      } finally {
        if (last.get(key) === own) last.delete(key);
      }
    },
  };
}
