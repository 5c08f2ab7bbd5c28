// What stood beside a thing at a moment of the past: what events embed, and where a term stood among the others.
import type { Caller } from '../../auth/caller.ts';
import { mayManageTerms, mayReadHistory, maySeePost, standingOf } from '../../auth/policy.ts';
import type { Document, DocumentKey, LinkedPostDocument, TermDocument } from '../../read-model/documents.ts';
import { type Terms, termViews } from '../../read-model/term-queries.ts';
import { happenedBy, type Moment } from '../history/moment.ts';
import { documentOf, type LogDependencies, readThing, THING_KINDS, type ThingKey } from '../history/resource.ts';
import type { TermCounts } from '../history/term-counts.ts';
import type { EmbeddedSource } from '../reader.ts';

export interface PastDependencies extends LogDependencies {
  readonly termCounts: TermCounts;
}

export interface PastSource extends EmbeddedSource {
  /** These terms and all above them. */
  termsOf(keys: readonly DocumentKey[]): Promise<Terms>;
}

const NO_TERMS: Terms = new Map();

/**
 * Documents and terms of a moment, from the log alone. What was public then and is no longer is left out, unless the
 * caller may read its history: travelling in time opens nothing that has been closed since.
 */
export function pastSource(dependencies: PastDependencies, moment: Moment, caller: Caller): PastSource {
  async function documentAt(key: DocumentKey): Promise<Document | null> {
    if (!isThing(key)) return null;
    const events = await readThing(dependencies, key);
    const then = await documentOf(dependencies, key.kind, happenedBy(moment, events));
    const today = await documentOf(dependencies, key.kind, events);
    if (!then || !today) return null;
    if (isTerm(then) && isTerm(today)) return isClosedTerm(caller, today) ? { ...then, deleted: true } : then;
    // Of an event nothing shows but what it belongs to.
    if (today.kind === 'event') return then;
    return isLinkedPost(today) && isOpenPost(caller, today) ? then : null;
  }

  async function withAncestors(keys: readonly DocumentKey[]): Promise<TermDocument[]> {
    const found: TermDocument[] = [];
    const asked = new Set<string>();
    for (let wanted = keys; wanted.length > 0; ) {
      for (const key of wanted) asked.add(nameOf(key));
      const terms = (await Promise.all(wanted.map(documentAt))).filter(isTerm);
      found.push(...terms);
      const parents = terms.filter(({ parent }) => parent > 0).map(({ kind, parent }) => ({ kind, id: parent }));
      wanted = parents.filter((key) => !asked.has(nameOf(key)));
    }
    return found;
  }

  async function termsOf(keys: readonly DocumentKey[]): Promise<Terms> {
    if (keys.length === 0) return NO_TERMS;
    const [documents, countOf] = await Promise.all([withAncestors(keys), dependencies.termCounts.at(moment)]);
    return termViews(documents, ({ kind, id }) => countOf(kind, id));
  }

  return {
    fetch: (keys) => Promise.all(keys.map(documentAt)),
    terms: (events) =>
      termsOf(
        events.flatMap(({ categories, tags }) => [
          ...categories.map((id) => ({ kind: 'category', id }) as const),
          ...tags.map((id) => ({ kind: 'tag', id }) as const),
        ]),
      ),
    termsOf,
  };
}

/** Whether a post as it is today keeps nothing from this caller. */
export const isOpenPost = (caller: Caller, today: LinkedPostDocument): boolean =>
  mayReadHistory(caller, today.kind, today) ||
  (!today.protected && maySeePost(caller, { kind: today.kind, ...standingOf(today) }));

const isClosedTerm = (caller: Caller, today: TermDocument): boolean =>
  today.deleted && !mayManageTerms(caller, today.kind);

const nameOf = ({ kind, id }: DocumentKey): string => `${kind} ${id}`;

const isThing = (key: DocumentKey): key is ThingKey => THING_KINDS.some((kind) => kind === key.kind);

const isTerm = (document: Document | null): document is TermDocument =>
  document?.kind === 'category' || document?.kind === 'tag';

const isLinkedPost = (document: Document): document is LinkedPostDocument =>
  document.kind === 'venue' || document.kind === 'organizer';
