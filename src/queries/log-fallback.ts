// What the write side shows and looks for although the views cannot be asked or have not got there: then the log tells.
import type { TermKind } from '../domain/term.ts';
import type { Document, DocumentKey, EventDocument, TermDocument } from '../read-model/documents.ts';
import type { TermView } from '../read-model/queries.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import { type Terms, termViews } from '../read-model/term-queries.ts';
import type { EmbeddedSource } from './reader.ts';

/** Documents by id and by slug: the part of a read model that can be made from the log, too. */
export type Finder = Pick<ReadModel, 'fetch' | 'findBySlug'>;

/** What answers to writes are made from beside what was written. */
export interface AnswerSource extends EmbeddedSource {
  /** A category or tag that is there. */
  term(kind: TermKind, id: number): Promise<TermView | null>;
}

/** What a single read is made from. */
export type SingleSource = Finder & AnswerSource;

export interface BeyondViews {
  /** The views; the log while they cannot be asked, or are behind it. */
  readonly either: Finder;
  /**
   * For single reads: `fromViews`, or `fromLog` while the views cannot be asked or are behind the log. Where the log cannot
   * tell either, the views answer with what they have.
   */
  newest<Answer>(fromViews: () => Promise<Answer>, fromLog: (log: SingleSource) => Promise<Answer>): Promise<Answer>;
  /** The views as such a source. */
  readonly views: SingleSource;
  /** For writes: also what the views have not heard of yet. */
  readonly writable: Pick<Finder, 'findBySlug'> & Pick<AnswerSource, 'term'>;
  /** For a write that the views show. Rejections: those of the read model. */
  readonly seen: AnswerSource;
  /**
   * For a write that they do not show. Never fails: it is in the log, and no trouble with what it embeds may say
   * otherwise. What neither log nor views tell is left out.
   */
  readonly unseen: AnswerSource;
}

const NO_TERMS: Terms = new Map();

/** A read model that keeps the terms it has handed out last: the counts in them are not known otherwise. */
export interface TermKeepingViews extends ReadModel {
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

/** `ask`, or `otherwise` when the read model cannot be reached. */
async function unlessDown<T>(ask: () => Promise<T>, otherwise: () => Promise<T> | T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable)) throw error;
    return otherwise();
  }
}

/** The log is away, or holds what this version cannot fold. */
class LogCannotTell extends Error {}

const cannotTell = (cause: unknown): never => {
  throw new LogCannotTell('The log cannot tell.', { cause });
};

/**
 * `isBehind`: whether the views lack what the log has had for a while. `log` makes documents from streams. How many events carry a term is not told by any stream: that is what the views
 * said last, in this process; 0 where they never did.
 */
export function openBeyondViews(views: TermKeepingViews, log: Finder, isBehind: () => boolean): BeyondViews {
  const toldByLog: Finder = {
    fetch: (keys) => log.fetch(keys).catch(cannotTell),
    findBySlug: (kind, slug) => log.findBySlug(kind, slug).catch(cannotTell),
  };

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
      return await fromLog(single);
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
  };

  const fromViews = async (key: DocumentKey): Promise<Document | null> => (await views.fetch([key]))[0] ?? null;

  /** Whatever keeps the log from telling, be it away or beyond what this version can fold, the views may still know. */
  async function newestDocument(key: DocumentKey): Promise<Document | null> {
    try {
      return (await log.fetch([key]))[0] ?? null;
    } catch {
      return fromViews(key).catch(() => null);
    }
  }

  /** Terms with all that stand above them, deleted ones too. */
  async function withAncestors(keys: readonly DocumentKey[]): Promise<TermDocument[]> {
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
    return [...found.values()];
  }

  async function newestTerms(keys: readonly DocumentKey[]): Promise<Terms> {
    if (keys.length === 0) return NO_TERMS;
    const known = await views.terms().catch(views.lastTerms);
    try {
      return termViews(await withAncestors(keys), ({ id }) => known.get(id)?.count ?? 0);
    } catch {
      return known;
    }
  }

  const ofKind = (terms: Terms, kind: TermKind, id: number): TermView | null => {
    const term = terms.get(id);
    return term?.kind === kind ? term : null;
  };

  const seen: AnswerSource = {
    fetch: (keys) => views.fetch(keys),
    terms: () => views.terms(),
    term: async (kind, id) => ofKind(await views.terms(), kind, id),
  };

  const unseen: AnswerSource = {
    fetch: (keys) => Promise.all(keys.map(newestDocument)),
    terms: (events) => newestTerms(events.flatMap(termKeys)),
    term: async (kind, id) => ofKind(await newestTerms([{ kind, id }]), kind, id),
  };

  /** How many events carry a term stands in no stream: before the views have told it once, nothing is said of a term. */
  const single: SingleSource = {
    ...toldByLog,
    terms: (events) => unseen.terms(events),
    async term(kind, id) {
      if (views.lastTerms() === NO_TERMS) await views.terms();
      return unseen.term(kind, id);
    },
  };

  const noTerm = (): null => null;

  return {
    either,
    newest,
    views: { ...seen, fetch: views.fetch, findBySlug: views.findBySlug },
    writable: {
      findBySlug: async (kind, slug) => (await either.findBySlug(kind, slug)) ?? log.findBySlug(kind, slug),
      term: async (kind, id) => (await unlessDown(() => seen.term(kind, id), noTerm)) ?? unseen.term(kind, id),
    },
    seen,
    unseen,
  };
}

const termKeys = ({ categories, tags }: EventDocument): DocumentKey[] => [
  ...categories.map((id) => ({ kind: 'category', id }) as const),
  ...tags.map((id) => ({ kind: 'tag', id }) as const),
];

const isTerm = (document: Document | null): document is TermDocument =>
  document?.kind === 'category' || document?.kind === 'tag';
