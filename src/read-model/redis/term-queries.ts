// Terms are few, so all of them are cached, derived from documents and counts, until one changes.
import type { TermDocument } from '../documents.ts';
import { type Terms, termViews } from '../term-queries.ts';
import { parsedBody } from './documents.ts';
import type { Keys } from './keys.ts';
import type { Reader } from './reader.ts';

/** Bodies and counts in turn, as the script returns them. Throws `ReadModelDamaged`. */
function viewsOf(answer: readonly string[], place: string): Terms {
  const counts = new Map<TermDocument, number>();
  for (let at = 0; at + 1 < answer.length; at += 2)
    // Only documents of terms are in the set that the script reads.
    counts.set(parsedBody<TermDocument>(answer[at] ?? '', place), Number(answer[at + 1]));
  return termViews(counts.keys(), (term) => counts.get(term) ?? 0);
}

/**
 * All terms that are not deleted; the same object until a term or a count changes. Costs a round trip only if their
 * version is not cached.
 */
export function termCache(reader: Reader, keys: Keys): () => Promise<Terms> {
  let known: { readonly version: string; readonly terms: Terms } | null = null;

  async function read(): Promise<Terms> {
    const [version = '', ...answer] = await reader.run('terms', keys.base);
    if (known?.version !== version) known = { version, terms: viewsOf(answer, `a term of ${keys.base}`) };
    return known.terms;
  }

  return async () => {
    if (known && reader.cache.find(keys.termsVersion)?.text === known.version) return known.terms;
    // With an empty cache the terms are read in the same round trip as their version.
    const [[current], terms] = await Promise.all([reader.values([keys.termsVersion]), known ? null : read()]);
    if (terms) return terms;
    return known && current?.text === known.version ? known.terms : read();
  };
}
