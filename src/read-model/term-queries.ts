// Pages of terms. Terms are few: adapters cache all of them, and every query is answered from that.

import { type Parents, withoutCircles } from '../calendar/resource/domain/tree.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { compareFolded, compareLetters, foldLetters } from '../kernel/text/ascii-folding.ts';
import type { EventDocument, TermDocument } from './documents.ts';
import { isAccessible, type PageOf, type TermOrder, type TermQuery, type TermView } from './queries.ts';

export type Terms = ReadonlyMap<number, TermView>;

/** What its view is made from. */
type Term = Pick<
  TermDocument,
  'kind' | 'id' | 'revision' | 'name' | 'slug' | 'description' | 'parent' | 'deleted' | 'mergedInto' | 'parkedAt'
>;

/** The ancestors that are not deleted, innermost first. */
function ancestors(term: Term, terms: ReadonlyMap<number, Term>, parents: Parents): Term[] {
  const path: Term[] = [];
  for (let id = parents.get(term.id); id !== undefined; id = parents.get(id)) {
    const parent = terms.get(id);
    if (!parent || parent.kind !== term.kind) break;
    if (!parent.deleted) path.push(parent);
  }
  return path;
}

/** The merged terms, by the id of the one that stays of each. */
function absorbedTerms(terms: ReadonlyMap<number, Term>): ReadonlyMap<number, Term[]> {
  const merged = [...terms.values()].filter(({ mergedInto }) => mergedInto !== undefined);
  const intoOf = new Map(merged.map(({ id, mergedInto = 0 }) => [id, mergedInto]));
  const stayingOf = (id: number): number => {
    const passed = new Set<number>();
    let at = id;
    for (let next = intoOf.get(at); next !== undefined && !passed.has(at); next = intoOf.get(at)) {
      passed.add(at);
      at = next;
    }
    return at;
  };
  return Map.groupBy(merged, ({ id }) => stayingOf(id));
}

/** All terms that are not deleted, from their documents and counts. */
export function termViews<Stored extends Term>(documents: Iterable<Stored>, countOf: (term: Stored) => number): Terms {
  const stored = new Map([...documents].map((term) => [term.id, term]));
  const links = [...stored.values()].filter(({ parent }) => parent !== 0);
  const parents = withoutCircles(new Map(links.map(({ id, parent }) => [id, parent])));
  const views = new Map<number, TermView>();
  const absorbed = absorbedTerms(stored);
  for (const term of stored.values()) {
    if (term.deleted) continue;
    const { kind, id, revision, name, slug, description, parkedAt } = term;
    const above = ancestors(term, stored, parents);
    const ancestorSlugs = above.map((ancestor) => ancestor.slug).reverse();
    const parent = above[0]?.id ?? 0;
    const merged = absorbed.get(id);
    const count = countOf(term);
    views.set(id, {
      kind,
      id,
      revision,
      name,
      slug,
      description,
      parent,
      ancestorSlugs,
      count,
      ...(merged && { merged }),
      ...(parkedAt !== undefined && { parkedAt }),
    });
  }
  return views;
}

type Compare = (one: TermView, other: TermView) => number;

/** How terms compare before their ids do. */
function comparison(orderBy: TermOrder, include: readonly number[]): Compare {
  switch (orderBy) {
    case 'name':
    case 'slug':
    case 'description': {
      // Folded once per term, not once per comparison.
      const key = askedOnce((term: TermView) => foldLetters(term[orderBy]));
      return (one, other) => compareFolded(key(one), key(other));
    }
    case 'count':
    case 'parent':
      return (one, other) => one[orderBy] - other[orderBy];
    case 'include': {
      const places = new Map(include.map((id, place) => [id, place]).reverse() as [number, number][]);
      return (one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0);
    }
    default:
      return () => 0;
  }
}

/** The order of terms within an event: by the letters of their names, then by id. */
export const byName: Compare = (one, other) => compareLetters(one.name, other.name) || one.id - other.id;

/** What of an event its terms depend on. */
export type EventOfTerms = Pick<EventDocument, 'status' | 'author' | 'protected' | 'categories' | 'tags'>;

/** An event by its id; null if there is none. */
type EventById = (id: number) => EventOfTerms | null;

const MEMBERS = { category: 'categories', tag: 'tags' } as const;

/** The terms of an event: none if the reader may not know them. */
const termsOf = (event: EventOfTerms | null, { kind, events }: TermQuery): readonly number[] =>
  event && isAccessible(event, events) ? event[MEMBERS[kind]] : [];

/** A page of categories or tags. `eventById` is called only if the query names an event. */
export function listTerms(terms: Terms, query: TermQuery, eventById: EventById): PageOf<TermView> {
  const { kind, search, include, exclude, slug, parent, event, hideEmpty, page } = query;
  const included = include && new Set(include);
  const excluded = new Set(exclude);
  const assigned = event === undefined ? undefined : new Set(termsOf(eventById(event), query));
  const matches = (term: TermView): boolean =>
    term.kind === kind &&
    (!included || included.has(term.id)) &&
    !excluded.has(term.id) &&
    (slug === undefined || term.slug === slug) &&
    (parent === undefined || term.parent === parent) &&
    (!assigned || assigned.has(term.id)) &&
    (!hideEmpty || term.count > 0) &&
    (search === undefined || foldLetters(term.name).includes(search) || foldLetters(term.slug).includes(search));
  const compare = comparison(query.orderBy, include ?? []);
  const sign = query.direction === 'ascending' ? 1 : -1;
  const sorted = [...terms.values()]
    .filter(matches)
    .sort((one, other) => sign * (compare(one, other) || one.id - other.id));
  return { items: sorted.slice(page.offset, page.offset + page.limit), total: sorted.length };
}
