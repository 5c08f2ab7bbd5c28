// Terms. They are few: all of them are kept in memory, as they follow from documents and counts, until one changes.
import type { TermDocument } from '../documents.ts';
import type { TermView } from '../queries.ts';
import type { Terms } from '../sqlite/term-queries.ts';
import type { Keys } from './keys.ts';
import { type Reader, readScript } from './reader.ts';
import { TERMS } from './scripts/terms.ts';

const ALL = readScript(TERMS);

const keyOf = ({ kind, id }: { readonly kind: string; readonly id: number }): string => `${kind} ${id}`;

/** The ancestors that are not deleted, innermost first. Circles end where they would close. */
function ancestors(term: TermDocument, terms: ReadonlyMap<string, TermDocument>): TermDocument[] {
  const found: TermDocument[] = [];
  const seen = new Set([term.id]);
  for (let id = term.parent; !seen.has(id); ) {
    seen.add(id);
    const parent = terms.get(keyOf({ kind: term.kind, id }));
    if (!parent) break;
    if (!parent.deleted) found.push(parent);
    id = parent.parent;
  }
  return found;
}

function viewOf(term: TermDocument, count: number, terms: ReadonlyMap<string, TermDocument>): TermView {
  const { kind, id, revision, name, slug, description } = term;
  const above = ancestors(term, terms);
  const ancestorSlugs = above.map((ancestor) => ancestor.slug).reverse();
  return { kind, id, revision, name, slug, description, parent: above[0]?.id ?? 0, ancestorSlugs, count };
}

/** Bodies and counts in turn, as the script answers them. */
function viewsOf(answer: readonly string[]): Terms {
  const stored = new Map<string, TermDocument>();
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < answer.length; at += 2) {
    // Only documents of terms are in the set that the script reads.
    const term = JSON.parse(answer[at] ?? '') as TermDocument;
    stored.set(keyOf(term), term);
    counts.set(keyOf(term), Number(answer[at + 1]));
  }
  const views = new Map<number, TermView>();
  for (const [key, term] of stored) if (!term.deleted) views.set(term.id, viewOf(term, counts.get(key) ?? 0, stored));
  return views;
}

/**
 * All terms that are not deleted; the same object until a term or a count changes. Costs a round trip only when their
 * version is not in memory.
 */
export function termCache(reader: Reader, keys: Keys): () => Promise<Terms> {
  let known: { readonly version: string; readonly terms: Terms } | null = null;

  async function read(): Promise<Terms> {
    const [version = '', ...answer] = (await reader.run(ALL, keys.base)) as string[];
    if (known?.version !== version) known = { version, terms: viewsOf(answer) };
    return known.terms;
  }

  return async () => {
    if (known && reader.cache.find(keys.termsVersion)?.text === known.version) return known.terms;
    // Without anything known, the terms are asked for in the same round trip as their version.
    const [[current], terms] = await Promise.all([reader.values([keys.termsVersion]), known ? null : read()]);
    if (terms) return terms;
    return known && current?.text === known.version ? known.terms : read();
  };
}
