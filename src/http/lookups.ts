// What validators want to know, answered by the write side: views may lag, the log does not.

import { findImage } from '../commands/images.ts';
import { findTerm, kindOfId, loadEvent, loadOrganizer, loadTerm, loadVenue } from '../commands/references.ts';
import { normaliseForLookup } from '../domain/slug.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { Lookups } from './parameters/validators.ts';

type Known = Awaited<ReturnType<Lookups['posts']>>[number];

/** Lookups over the log; slugs are found where readers find them. */
export function logLookups(store: EventStore, readModel: Pick<ReadModel, 'findBySlug'>): Lookups {
  async function post(id: number): Promise<Known> {
    const kind = await kindOfId(store, id);
    if (kind === null || kind === 'image') return null;
    const load = { event: loadEvent, venue: loadVenue, organizer: loadOrganizer }[kind];
    const state = await load(store, id);
    return state && { kind, status: state.status };
  }

  return {
    posts: (ids) => Promise.all(ids.map(post)),
    slugExists: async (kind, slug) => (await readModel.findBySlug(kind, normaliseForLookup(slug))) !== null,
    async termsExist(kind, references) {
      const found = await Promise.all(
        references.map(async (reference) => {
          const term = await findTerm(store, kind, reference);
          return term ?? (/^\d{1,15}$/.test(reference) ? loadTerm(store, kind, Number(reference)) : null);
        }),
      );
      return found.every((term) => term !== null);
    },
    termIdExists: async (kind, id) => (await loadTerm(store, kind, id)) !== null,
    userExists: async (id) => (await store.readStream(`user-${id}`, { limit: 1 })).length > 0,
    imageExists: async (id) => (await findImage(store, id)) !== null,
  };
}
