// Reads for the write side while the read model is unavailable or behind: from the log.

import { keptOf } from '../../projections/changes.ts';
import { type AnyProjection, keyOf } from '../../projections/projection.ts';
import type { SlugSource } from '../calendar/resource/queries/find-by-slug.ts';
import type { TermKind } from '../calendar/term/domain/term.ts';
import type { Revision } from '../log/envelope.ts';
import { lastEvent, type StreamReader } from '../log/event-store.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type DocumentOf,
  type EventDocument,
  formerly,
  type TermDocument,
} from '../read-model/documents.ts';
import type { TermView } from '../read-model/queries.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import { type Terms, termViews } from '../read-model/term-queries.ts';
import type { EmbeddedSource } from './reader.ts';

/** Documents by id and by slug: the part of a read model that can also be built from the log. */
export type Finder = SlugSource;

/** What answers to writes embed. */
export interface AnswerSource extends EmbeddedSource {
  /** A category or tag that exists. */
  term(kind: TermKind, id: number): Promise<TermView | null>;
}

/** The documents for a single read. */
export type SingleSource = Finder & AnswerSource;

export type BeyondViews = ReturnType<typeof openBeyondViews>;

const NO_TERMS: Terms = new Map();

/** A read model that keeps the last terms: the log does not have their counts. */
interface TermKeepingViews extends ReadModel {
  /** None before the first answer. */
  lastTerms(): Terms;
}

export function keepingTerms(readModel: ReadModel): TermKeepingViews {
  let last = NO_TERMS;
  return {
    ...readModel,
    async terms() {
      last = await readModel.terms();
      return last;
    },
    lastTerms: () => last,
  };
}

/** The log is unavailable. */
class LogCannotTell extends Error {}

const cannotTell = (cause: unknown): never => {
  throw new LogCannotTell('The log cannot tell.', { cause });
};

const ofKind = (terms: Terms, kind: TermKind, id: number): TermView | null => {
  const term = terms.get(id);
  return term?.kind === kind ? term : null;
};

/** A read model as such a source. */
export const sourceOf = (readModel: ReadModel): SingleSource => ({
  ...readModel,
  term: async (kind, id) => ofKind(await readModel.terms(), kind, id),
});

/**
 * `isBehind`: whether the read model lacks events that have been in the log for a while; `now` builds documents from the log as it
 * is at that moment. No stream has the event count of a term: it is the last one that the read model returned in this process; 0 if
 * there is none.
 */
export function openBeyondViews(
  readModel: TermKeepingViews,
  { log, now }: { readonly log: Finder; readonly now: () => Promise<Finder> },
  isBehind: () => boolean,
) {
  const views = sourceOf(readModel);

  /** Terms with all their ancestors, including deleted ones. */
  async function termsFrom(source: Finder, keys: readonly DocumentKey[]): Promise<Terms> {
    if (keys.length === 0) return NO_TERMS;
    const counted = await readModel.terms().catch(readModel.lastTerms);
    const termsById = new Map<number, TermDocument>();
    const visited = new Set<number>();
    for (let level = keys; level.length > 0; ) {
      for (const { id } of level) visited.add(id);
      const terms = (await source.fetch(level)).filter(isTerm);
      for (const term of terms) termsById.set(term.id, term);
      level = terms
        .filter(({ parent }) => parent !== 0 && !visited.has(parent))
        .map(({ kind, parent }) => ({ kind, id: parent }));
    }
    return termViews([...termsById.values()], ({ id }) => counted.get(id)?.count ?? 0);
  }

  const fromLog = (source: Finder): SingleSource => ({
    ...source,
    terms: (events) => termsFrom(source, events.flatMap(termKeys)),
    term: async (kind, id) => ofKind(await termsFrom(source, [{ kind, id }]), kind, id),
  });

  /** Several reads of it show one state. */
  async function toldByLog(): Promise<SingleSource> {
    const finder = await now().catch(cannotTell);
    const source = fromLog({
      fetch: (keys) => finder.fetch(keys).catch(cannotTell),
      findBySlug: (kind, slug) => finder.findBySlug(kind, slug).catch(cannotTell),
      namedPage: (kind, name, part) => finder.namedPage(kind, name, part).catch(cannotTell),
    });
    return {
      ...source,
      async term(kind, id) {
        // A term is not told with a count that was never known.
        if (readModel.lastTerms() === NO_TERMS) await readModel.terms();
        return source.term(kind, id);
      },
    };
  }

  async function newest<Answer>(
    ask: (source: SingleSource) => Promise<Answer>,
    ofViews = () => ask(views),
  ): Promise<Answer> {
    let failure: unknown = null;
    if (!isBehind()) {
      try {
        return await ofViews();
      } catch (error) {
        if (!(error instanceof ReadModelUnavailable)) throw error;
        failure = error;
      }
    }
    try {
      return await ask(await toldByLog());
    } catch (error) {
      if (!(error instanceof LogCannotTell)) throw error;
      if (failure !== null) throw failure;
      return ofViews();
    }
  }

  const either: Finder = {
    fetch: (keys) => newest((source) => source.fetch(keys)),
    findBySlug: (kind, slug) => newest((source) => source.findBySlug(kind, slug)),
    namedPage: (kind, name, part) => newest((source) => source.namedPage(kind, name, part)),
  };

  /** Where the log fails, whether unavailable or with an event that this version cannot fold, the read model may still know. */
  function unfailing(finder: Finder): AnswerSource {
    const source = fromLog(finder);
    const one = async (key: DocumentKey): Promise<Document | null> =>
      (await source.fetch([key]).catch(() => views.fetch([key]).catch(() => [])))[0] ?? null;
    return {
      fetch: (keys) => Promise.all(keys.map(one)),
      terms: (events) => source.terms(events).catch(() => readModel.terms().catch(readModel.lastTerms)),
      term: (kind, id) =>
        source.term(kind, id).catch(async () => ofKind(await readModel.terms().catch(readModel.lastTerms), kind, id)),
    };
  }

  const unseen = unfailing(log);
  return {
    /** The read model. */
    views,
    /**
     * Asks the read model; while it is unavailable or behind, the log of one position. If the log fails as well, the read model
     * answers with what it has. `ofViews`: the same question where answers of the read model are cached, or read in one state.
     */
    newest,
    /** What `newest` finds, question by question. */
    either,
    /**
     * The log, for a write that the read model does not show. Never fails: the write is in the log, and a failure of what it
     * embeds must not suggest otherwise. What neither has is left out.
     */
    unseen,
    /** What `unseen` is, over the documents of another log. */
    unfailing,
    /** For writes: also what the read model does not have yet. */
    writable: {
      ...either,
      findBySlug: async <Kind extends DocumentKind>(kind: Kind, slug: string) =>
        (await either.findBySlug(kind, slug)) ?? log.findBySlug(kind, slug),
      term: async (kind: TermKind, id: number) =>
        (await views.term(kind, id).catch((error: unknown) => {
          if (error instanceof ReadModelUnavailable) return null;
          throw error;
        })) ?? unseen.term(kind, id),
    },
  };
}

const termKeys = ({ categories, tags }: EventDocument): DocumentKey[] => [
  ...categories.map((id) => ({ kind: 'category', id }) as const),
  ...tags.map((id) => ({ kind: 'tag', id }) as const),
];

const isTerm = (document: Document | null): document is TermDocument =>
  document?.kind === 'category' || document?.kind === 'tag';

// Documents built from the log, for when the read model is unavailable or behind.

/**
 * Rejections: those of the event store. A resource with an event that cannot be folded is parked here as well. Each
 * document costs a read of its whole stream. Of names there are those of posts by the slugs that they had.
 */
export interface LogDocuments extends Finder {
  /** The revision of the resource's last event, also after a deletion; null if it was never written. */
  revisionOf(key: DocumentKey): Promise<Revision | null>;
}

/** The streams of the resources that have reserved a slug of a kind. */
export interface SlugOwners {
  /** Null: it is free. */
  present(kind: string, slug: string): Promise<string | null>;
  /** The streams of all that have had the slug, the latest first. */
  ever(kind: string, slug: string): Promise<readonly string[]>;
}

/** The same documents that an up-to-date read model has: folded and rendered by the same projections. */
export function documentsFromLog(
  store: StreamReader,
  projections: readonly AnyProjection[],
  owners: SlugOwners,
): LogDocuments {
  function projectionOf(kind: DocumentKind): AnyProjection {
    const projection = projections.find((one) => one.kind === kind);
    if (!projection) throw new Error(`There is no projection of the kind ${kind}.`);
    return projection;
  }

  const streamOf = ({ kind, id }: DocumentKey): string => `${projectionOf(kind).prefix}${id}`;

  async function documentOf(key: DocumentKey): Promise<Document | null> {
    const events = await store.readStream(streamOf(key), { unknown: 'in place' });
    return keptOf({ key, projection: projectionOf(key.kind), events }, null).document;
  }

  async function findBySlug<Kind extends DocumentKind>(kind: Kind, slug: string): Promise<DocumentOf<Kind> | null> {
    const owner = await owners.present(kind, slug);
    const key = owner === null ? null : keyOf(projectionOf(kind), owner);
    const document = key && (await documentOf(key));
    // A reservation may outlive its resource.
    if (!document || !bears(document, slug)) return null;
    return document as DocumentOf<Kind>; // The projection of a kind makes documents of that kind.
  }

  return {
    fetch: (keys) => Promise.all(keys.map(documentOf)),
    findBySlug,
    async namedPage(kind, name, { limit }) {
      if (!name.startsWith(formerly(''))) return [];
      const streams = await owners.ever(kind, name.slice(formerly('').length));
      return streams.flatMap((stream) => keyOf(projectionOf(kind), stream)?.id ?? []).slice(0, limit);
    },
    async revisionOf(key) {
      const last = await lastEvent(store, streamOf(key));
      return last?.revision ?? null;
    },
  };
}

function bears(document: Document, slug: string): boolean {
  if (document.kind === 'user') return [document.login, document.email].some((name) => name.toLowerCase() === slug);
  if (!('slug' in document)) return false;
  return document.slug === slug && !('deleted' in document && document.deleted);
}
