// Resolves a reader's reference to a term.

import type { TermKind } from '../domain/term.ts';
import type { TermView } from '../read-model/queries.ts';
import type { Terms } from '../read-model/term-queries.ts';
import { foldLetters } from '../text/letters.ts';
import { decodeEntities } from '../text/plain-text.ts';
import { slugFrom } from '../text/slug.ts';

interface Index {
  readonly bySlug: ReadonlyMap<string, TermView>;
  readonly byName: ReadonlyMap<string, TermView>;
}

/** Per set of terms: the read model returns the same object until something changes. */
const indexes = new WeakMap<Terms, Index>();

/**
 * The term of a reference: tried as a slug, as the slug that its text would get (so `Food & Drink` finds `food-drink`),
 * as an id, and as a name ignoring case and accents. Of several, the one with the lowest id.
 */
export function termMeant(terms: Terms, kind: TermKind, reference: string): TermView | undefined {
  const { bySlug, byName } = indexOf(terms);
  const found = bySlug.get(keyOf(kind, reference.toLowerCase())) ?? bySlug.get(keyOf(kind, slugFrom(reference)));
  if (found) return found;
  const byId = terms.get(Number(reference));
  return byId?.kind === kind ? byId : byName.get(keyOf(kind, comparedName(reference)));
}

function indexOf(terms: Terms): Index {
  const known = indexes.get(terms);
  if (known) return known;
  const bySlug = new Map<string, TermView>();
  const byName = new Map<string, TermView>();
  // From the highest id down, so that the lowest of equals remains.
  for (const term of [...terms.values()].sort((one, other) => other.id - one.id)) {
    bySlug.set(keyOf(term.kind, term.slug), term);
    byName.set(keyOf(term.kind, comparedName(term.name)), term);
  }
  const index = { bySlug, byName };
  indexes.set(terms, index);
  return index;
}

const keyOf = (kind: TermKind, text: string): string => `${kind} ${text}`;

/** Names are stored with entities; people write characters. */
const comparedName = (name: string): string => foldLetters(decodeEntities(name));
