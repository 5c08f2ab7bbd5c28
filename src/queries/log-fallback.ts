// Reads for the write side while the read model is unavailable or behind: from the log.

import { type AnyProjection, changesOf, keyOf } from '../../projections/projection.ts';
import type { TermKind } from '../domain/term.ts';
import type { Revision } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
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
import type { SlugSource } from './find-by-slug.ts';
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

export interface BeyondViews {
  /** The read model; the log while it is unavailable, or behind. */
  readonly either: Finder;
  /**
   * For single reads: `fromViews`, or `fromLog` while the read model is unavailable or behind, which shows the log of one
   * position. If the log fails as well, the read model answers with what it has.
   */
  newest<Answer>(fromViews: () => Promise<Answer>, fromLog: (log: SingleSource) => Promise<Answer>): Promise<Answer>;
  /** The read model as such a source. */
  readonly views: SingleSource;
  /** For writes: also what the read model does not have yet. */
  readonly writable: Finder & Pick<AnswerSource, 'term'>;
  /** For a write that the read model shows. Rejections: those of the read model. */
  readonly seen: AnswerSource;
  /**
   * For a write that the read model does not show. Never fails: the write is in the log, and a failure of what it
   * embeds must not suggest otherwise. What neither has is left out.
   */
  readonly unseen: AnswerSource;
  /** The same from the log as it is shown: sets of changes as a whole. */
  readonly shown: AnswerSource;
}

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

/** `ask`, or `otherwise` while the read model is unavailable. */
async function unlessDown<T>(ask: () => Promise<T>, otherwise: () => Promise<T> | T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    return otherwise();
  }
}

/** The log is unavailable, or contains what this version cannot fold. */
class LogCannotTell extends Error {}

const cannotTell = (cause: unknown): never => {
  throw new LogCannotTell('The log cannot tell.', { cause });
};

/** Builders of documents from streams. */
interface LogFinders {
  readonly log: Finder;
  /** Without what has been written so far of a set of changes. */
  readonly whole: Finder;
  /** The same, of the log as it is at the moment of the call. */
  readonly now: () => Promise<Finder>;
}

/**
 * `isBehind`: whether the read model lacks events that have been in the log for a while. No stream has the event count of
 * a term: it is the last one that the read model returned in this process; 0 if there is none.
 */
export function openBeyondViews(
  views: TermKeepingViews,
  { log, whole, now }: LogFinders,
  isBehind: () => boolean,
): BeyondViews {
  /** Several reads of it show one state. */
  async function toldByLog(): Promise<Finder> {
    const finder = await now().catch(cannotTell);
    return {
      fetch: (keys) => finder.fetch(keys).catch(cannotTell),
      findBySlug: (kind, slug) => finder.findBySlug(kind, slug).catch(cannotTell),
      namedPage: (kind, name, part) => finder.namedPage(kind, name, part).catch(cannotTell),
    };
  }

  async function newest<Answer>(
    fromViews: () => Promise<Answer>,
    fromLog: (source: SingleSource) => Promise<Answer>,
  ): Promise<Answer> {
    let failure: unknown = null;
    if (!isBehind()) {
      try {
        return await fromViews();
      } catch (error) {
        if (!(error instanceof ReadModelUnavailable)) throw error;
        failure = error;
      }
    }
    try {
      return await fromLog(singleFrom(await toldByLog()));
    } catch (error) {
      if (!(error instanceof LogCannotTell)) throw error;
      if (failure !== null) throw failure;
      return fromViews();
    }
  }

  const either: Finder = {
    fetch: (keys) =>
      newest(
        () => views.fetch(keys),
        (source) => source.fetch(keys),
      ),
    findBySlug: (kind, slug) =>
      newest(
        () => views.findBySlug(kind, slug),
        (source) => source.findBySlug(kind, slug),
      ),
    namedPage: (kind, name, part) =>
      newest(
        () => views.namedPage(kind, name, part),
        (source) => source.namedPage(kind, name, part),
      ),
  };

  const fromViews = async (key: DocumentKey): Promise<Document | null> => (await views.fetch([key]))[0] ?? null;

  const ofKind = (terms: Terms, kind: TermKind, id: number): TermView | null => {
    const term = terms.get(id);
    return term?.kind === kind ? term : null;
  };

  const seen: AnswerSource = {
    fetch: (keys) => views.fetch(keys),
    terms: () => views.terms(),
    term: async (kind, id) => ofKind(await views.terms(), kind, id),
  };

  /** Terms with all their ancestors, including deleted ones. */
  async function termsFrom(log: Finder, keys: readonly DocumentKey[]): Promise<Terms> {
    if (keys.length === 0) return NO_TERMS;
    const counted = await views.terms().catch(views.lastTerms);
    const found = new Map<number, TermDocument>();
    const asked = new Set<number>();
    for (let wanted = keys; wanted.length > 0; ) {
      for (const { id } of wanted) asked.add(id);
      const terms = (await log.fetch(wanted)).filter(isTerm);
      for (const term of terms) found.set(term.id, term);
      wanted = terms
        .filter(({ parent }) => parent !== 0 && !asked.has(parent))
        .map(({ kind, parent }) => ({ kind, id: parent }));
    }
    return termViews([...found.values()], ({ id }) => counted.get(id)?.count ?? 0);
  }

  /** What answers embed, from the log; from the read model where the log fails. */
  function answersFrom(log: Finder): AnswerSource {
    /**
     * Whatever makes the log fail, unavailability or an event that this version cannot fold, the read model may still
     * know.
     */
    async function newestDocument(key: DocumentKey): Promise<Document | null> {
      try {
        return (await log.fetch([key]))[0] ?? null;
      } catch {
        return fromViews(key).catch(() => null);
      }
    }

    async function newestTerms(keys: readonly DocumentKey[]): Promise<Terms> {
      try {
        return await termsFrom(log, keys);
      } catch {
        return views.terms().catch(views.lastTerms);
      }
    }

    return {
      fetch: (keys) => Promise.all(keys.map(newestDocument)),
      terms: (events) => newestTerms(events.flatMap(termKeys)),
      term: async (kind, id) => ofKind(await newestTerms([{ kind, id }]), kind, id),
    };
  }

  const unseen = answersFrom(log);
  const shown = answersFrom(whole);

  /** No stream has the event counts of terms: before the read model has returned them once, terms are left out. */
  function singleFrom(log: Finder): SingleSource {
    return {
      ...log,
      terms: (events) => termsFrom(log, events.flatMap(termKeys)),
      async term(kind, id) {
        if (views.lastTerms() === NO_TERMS) await views.terms();
        return ofKind(await termsFrom(log, [{ kind, id }]), kind, id);
      },
    };
  }

  const noTerm = (): null => null;

  return {
    either,
    newest,
    views: { ...seen, fetch: views.fetch, findBySlug: views.findBySlug, namedPage: views.namedPage },
    writable: {
      ...either,
      findBySlug: async (kind, slug) => (await either.findBySlug(kind, slug)) ?? log.findBySlug(kind, slug),
      term: async (kind, id) => (await unlessDown(() => seen.term(kind, id), noTerm)) ?? unseen.term(kind, id),
    },
    seen,
    unseen,
    shown,
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
 * Rejections: those of the event store, and of a fold that fails: nothing is guessed. Each document costs a read of its
 * whole stream. Of names there are those of posts by the slugs that they had.
 */
export interface LogDocuments extends Finder {
  /** Of the resource's last event, also after a deletion; null if it was never written. */
  revisionOf(key: DocumentKey): Promise<Revision | null>;
}

/** The streams of the resources that have reserved a slug of a kind. */
export interface SlugOwners {
  /** Null: it is free. */
  present(kind: string, slug: string): Promise<string | null>;
  /** Of all that have had it, the latest first. */
  ever(kind: string, slug: string): Promise<readonly string[]>;
}

/** No document is older than the first event of its stream. */
const NOTHING_YET = { fetch: async () => [] };

/** The same documents that an up-to-date read model has: folded and rendered by the same projections. */
export function documentsFromLog(
  store: Pick<EventStore, 'readStream'>,
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
    const events = await store.readStream(streamOf(key));
    const [change] = await changesOf(events, projections, NOTHING_YET);
    return change?.document ?? null;
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
      const [last] = await store.readStream(streamOf(key), { direction: 'backwards', limit: 1 });
      return last?.revision ?? null;
    },
  };
}

function bears(document: Document, slug: string): boolean {
  if (document.kind === 'user') return [document.login, document.email].some((name) => name.toLowerCase() === slug);
  if (document.kind === 'proposal' || document.kind === 'picture' || document.kind === 'series') return false;
  return document.slug === slug && !('deleted' in document && document.deleted);
}
