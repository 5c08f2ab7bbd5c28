// Lookups for validators. For writes in the log, because the read model may lag; for reads in the read model, like the
// rest of the answer.

import type { Link } from '../../calendar/event/domain/calendar-event.ts';
import { findImage } from '../../calendar/resource/commands/post-input.ts';
import {
  findTerm,
  kindOfId,
  loadOrganizer,
  loadTerm,
  loadVenue,
  survivorOf,
} from '../../calendar/resource/commands/references.ts';
import { postOfSlug } from '../../calendar/resource/queries/find-by-slug.ts';
import type { Term, TermKind } from '../../calendar/term/domain/term.ts';
import { slugFrom } from '../../kernel/text/slug.ts';
import { type EventStore, EventStoreUnavailable } from '../../log/event-store.ts';
import type { BeyondViews, Finder } from '../../queries/log-fallback.ts';
import { termMeant } from '../../queries/text-search.ts';
import { pictureOf } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { LookupKind } from '../schemas/keywords.ts';
import type { Lookups } from './lookups.ts';

/** Lookups in the log; slugs are found by `slugs`, pictures by their files in `views`. */
export function logLookups(store: EventStore, slugs: Finder, views: Pick<ReadModel, 'namedPage'>): Lookups {
  async function isOf(kind: LookupKind, id: number): Promise<boolean> {
    const own = await kindOfId(store, id);
    // To clients it is the parent of its dates.
    return (own === 'series' ? 'event' : own) === kind;
  }

  async function link(kind: 'venue' | 'organizer', id: number): Promise<Link | null> {
    const load = kind === 'venue' ? loadVenue : loadOrganizer;
    const post = await load(store, id);
    const state = post?.mergedInto === undefined ? post : await load(store, await survivorOf(store, kind, post));
    return state && state.status !== 'trash' ? { id: state.id, life: state.life } : null;
  }

  /** By slug, else by id, else by name, as `termMeant` of the views. */
  async function termOf(kind: TermKind, reference: string): Promise<Term | null> {
    const term = await findTerm(store, kind, reference);
    if (term?.slug === slugFrom(reference) || !/^\d{1,15}$/.test(reference)) return term;
    return (await loadTerm(store, kind, Number(reference))) ?? term;
  }

  return {
    exist: async (kind, ids) => (await Promise.all(ids.map((id) => isOf(kind, id)))).every(Boolean),
    bySlug: (kind, slug, caller) => postOfSlug(slugs, kind, slug, caller),
    links: (kind, ids) => Promise.all(ids.map((id) => link(kind, id))),
    terms: (kind, references) =>
      Promise.all(references.map(async (reference) => (await termOf(kind, reference))?.id ?? null)),
    termIdExists: async (kind, id) => (await loadTerm(store, kind, id)) !== null,
    userExists: async (id) => (await store.readStream(`user-${id}`, { limit: 1 })).length > 0,
    image: (id) => findImage(store, id),
    async picture(stem) {
      const [id] = await views.namedPage('picture', pictureOf(stem), { offset: 0, limit: 1 });
      return id === undefined ? null : findImage(store, id);
    },
  };
}

/**
 * Lookups in the log that use the read model while the log is unavailable: for reads that wait for a position, which
 * the log may have before the read model does. Then only a positive answer counts: where the read model finds nothing
 * the log might, so the log stays unavailable.
 */
export function lookupsDespiteOutage(log: Lookups, views: Lookups): Lookups {
  async function either<T>(ask: (lookups: Lookups) => Promise<T>, isYes: (answer: T) => boolean): Promise<T> {
    try {
      return await ask(log);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      const answer = await ask(views);
      if (isYes(answer)) return answer;
      throw error;
    }
  }

  const isTrue = (answer: boolean): boolean => answer;

  return {
    exist: (kind, ids) => either(({ exist }) => exist(kind, ids), isTrue),
    bySlug: (kind, slug, caller) =>
      either(
        ({ bySlug }) => bySlug(kind, slug, caller),
        (match) => match !== null && 'post' in match,
      ),
    links: log.links,
    terms: (kind, references) =>
      either(
        ({ terms }) => terms(kind, references),
        (ids) => ids.every((id) => id !== null),
      ),
    termIdExists: (kind, id) => either(({ termIdExists }) => termIdExists(kind, id), isTrue),
    userExists: log.userExists,
    image: log.image,
    picture: log.picture,
  };
}

/** To clients a series is the parent of its dates. */
const kindsFor = (kind: LookupKind) => (kind === 'event' ? (['event', 'series'] as const) : [kind]);

async function existIn(views: Pick<ReadModel, 'fetch'>, kind: LookupKind, ids: readonly number[]): Promise<boolean> {
  const kinds = kindsFor(kind);
  const documents = await views.fetch(ids.flatMap((id) => kinds.map((one) => ({ kind: one, id }))));
  const existing = new Set(documents.flatMap((document) => document?.id ?? []));
  return ids.every((id) => existing.has(id));
}

/**
 * Lookups in the read model, for requests that only read; in the log while it is unavailable or behind. Lookups that
 * only writes need (users, images) use `log`.
 */
export function viewLookups(
  readModel: Pick<ReadModel, 'terms'>,
  log: Lookups,
  { either }: Pick<BeyondViews, 'either'>,
): Lookups {
  return {
    ...log,
    exist: (kind, ids) => existIn(either, kind, ids),
    bySlug: (kind, slug, caller) => postOfSlug(either, kind, slug, caller),
    async terms(kind, references) {
      const terms = await readModel.terms();
      return references.map((reference) => termMeant(terms, kind, reference)?.id ?? null);
    },
    async termIdExists(kind, id) {
      const [term] = await either.fetch([{ kind, id }]);
      return term?.kind === kind && !term.deleted;
    },
  };
}
