// Categories and tags as clients see them. They are few and small: rendered on request, cached until something changes.
import { LRUCache } from 'lru-cache';
import type { TermView } from '../read-model/queries.ts';
import { byName } from '../read-model/term-queries.ts';
import type { LinkTargets } from './reader.ts';

const TAXONOMIES = { category: 'tribe_events_cat', tag: 'post_tag' } as const;
const COLLECTIONS = { category: 'categories', tag: 'tags' } as const;

function urls(term: TermView, { root }: LinkTargets): { [name: string]: string } {
  const collection = `${root}/${COLLECTIONS[term.kind]}`;
  return {
    self: `${collection}/${term.id}`,
    collection,
    ...(term.parent === 0 ? {} : { up: `${collection}/${term.parent}` }),
  };
}

function publicUrl(term: TermView, { site }: LinkTargets): string {
  if (term.kind === 'tag') return `${site}/tag/${term.slug}/`;
  return `${site}/events/category/${[...term.ancestorSlugs, term.slug].join('/')}/`;
}

/** A term on its own: in lists, single reads and answers to writes (to a deletion: the former term). */
export function termObject(term: TermView, links: LinkTargets): { readonly [key: string]: unknown } {
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: TAXONOMIES[term.kind],
    ...(term.kind === 'category' ? { parent: term.parent } : {}),
    meta: [],
    url: publicUrl(term, links),
    urls: urls(term, links),
  };
}

/** The members of a term with `context=embed`. */
export function embeddedTermObject(term: TermView, links: LinkTargets): { readonly [key: string]: unknown } {
  const { id, name, slug, taxonomy, url, urls: all } = termObject(term, links);
  return { id, name, slug, taxonomy, url, urls: all };
}

/** A term inside an event, as JSON text. */
function nestedTerm(term: TermView, links: LinkTargets): string {
  return JSON.stringify({
    name: term.name,
    slug: term.slug,
    term_taxonomy_id: term.id,
    taxonomy: TAXONOMIES[term.kind],
    description: term.description,
    parent: term.parent,
    count: term.count,
    id: term.id,
    urls: urls(term, links),
  });
}

/**
 * Rendered nested terms, per set of terms (the read model returns the same object until something changes) and root.
 */
const rendered = new WeakMap<ReadonlyMap<number, TermView>, LRUCache<string, Map<number, string>>>();
/** A client that makes up host names must not fill the memory. */
const MAX_ROOTS = 20;

function renderedFor(terms: ReadonlyMap<number, TermView>, root: string): Map<number, string> {
  const perRoot = rendered.get(terms) ?? new LRUCache<string, Map<number, string>>({ max: MAX_ROOTS });
  rendered.set(terms, perRoot);
  const cached = perRoot.get(root);
  if (cached) return cached;
  const fresh = new Map<number, string>();
  perRoot.set(root, fresh);
  return fresh;
}

/** The terms of an event as a JSON array, by name; missing ids are left out. */
export function nestedTerms(ids: readonly number[], terms: ReadonlyMap<number, TermView>, links: LinkTargets): string {
  if (ids.length === 0) return '[]';
  const texts = renderedFor(terms, links.root);
  const present = ids.map((id) => terms.get(id)).filter((term) => term !== undefined);
  if (present.length > 1) present.sort(byName);
  const objects = present.map((term) => {
    const text = texts.get(term.id) ?? nestedTerm(term, links);
    texts.set(term.id, text);
    return text;
  });
  return `[${objects.join(',')}]`;
}
