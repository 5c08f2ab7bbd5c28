// Parses a search text.

import type { TermKind } from '../calendar/term/domain/term.ts';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';
import { foldLetters } from '../kernel/text/ascii-folding.ts';
import { decodeEntities } from '../kernel/text/plain-text.ts';
import { slugFrom } from '../kernel/text/slug.ts';
import { type IdFilter, idFilter, listOf } from '../kernel/text/wire-words.ts';
import type { TermView, TextSearch } from '../read-model/queries.ts';
import type { Terms } from '../read-model/term-queries.ts';

/** Words too common to search for. */
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);
const MAX_WORDS = 9;

/** Quoted phrases, or runs of anything but separators and quotes; a leading `-` excludes. */
const PART = /-?"[^"]*"?|[^\s,+"]+/gu;

/**
 * All words must occur. Quotes make a phrase, a leading `-` excludes a word; single Latin letters and stop words are
 * ignored. If nothing remains, or more than nine words, the whole text is one phrase. Case and accents are ignored.
 */
export function textSearch(text: string): TextSearch {
  const folded = searchedText(text);
  const words: string[] = [];
  const without: string[] = [];
  for (const part of folded.match(PART) ?? []) {
    const excluded = part.startsWith('-') && part.length > 1;
    const word = (excluded ? part.slice(1) : part).replaceAll('"', '').trim();
    if (word === '' || (!part.includes('"') && isIgnored(word))) continue;
    (excluded ? without : words).push(word);
  }
  if (words.length + without.length === 0 || words.length + without.length > MAX_WORDS)
    return { words: [folded], without: [] };
  return { words, without };
}

/**
 * A search text for names. If it consists of accents alone they are kept, which no folded name has: it finds nothing,
 * not everything.
 */
export const searchedText = (text: string): string => foldLetters(text) || text;

const isIgnored = (word: string): boolean => /^[a-z]$/.test(word) || STOP_WORDS.has(word);

/**
 * The fragments of a search among venues or organizers, without duplicates: everything but ASCII letters, digits and
 * `-` separates, once accents are folded.
 */
export const fieldSearch = (text: string): string[] => [...new Set(foldLetters(text).match(/[a-z0-9-]+/g) ?? [])];

// Resolves a reader's reference to a term.

/**
 * The term of a reference: tried as a slug, as the slug that its text would get (so `Food & Drink` finds `food-drink`),
 * as an id, and as a name ignoring case and accents. Of several, the one with the lowest id.
 */
export function termMeant(terms: Terms, kind: TermKind, reference: string): TermView | undefined {
  const { bySlug, byName, byMergedId } = indexOf(terms);
  const term = bySlug.get(keyOf(kind, reference.toLowerCase())) ?? bySlug.get(keyOf(kind, slugFrom(reference)));
  if (term) return term;
  const byId = terms.get(Number(reference));
  if (byId?.kind === kind) return byId;
  return byName.get(keyOf(kind, comparedName(reference))) ?? byMergedId.get(keyOf(kind, reference));
}

/** A filter by the terms that a value names; unknown ones are ignored. */
export const termFilter = (terms: Terms, kind: TermKind, value: unknown): IdFilter =>
  idFilter(
    listOf(value).flatMap((reference) => termMeant(terms, kind, reference)?.id ?? []),
    value,
  );

/** Per set of terms: the read model returns the same object until something changes. */
const indexOf = askedOnce((terms: Terms) => {
  const bySlug = new Map<string, TermView>();
  const byName = new Map<string, TermView>();
  /** The term that a merged one has become, by kind and the id of the merged one. */
  const byMergedId = new Map<string, TermView>();
  for (const term of terms.values()) {
    for (const { id, slug, name } of term.merged ?? []) {
      byMergedId.set(keyOf(term.kind, String(id)), term);
      bySlug.set(keyOf(term.kind, slug), term);
      byName.set(keyOf(term.kind, comparedName(name)), term);
    }
  }
  // From the highest id down, so that the lowest of equals remains; merged ones come after all that are there.
  for (const term of [...terms.values()].sort((one, other) => other.id - one.id)) {
    bySlug.set(keyOf(term.kind, term.slug), term);
    byName.set(keyOf(term.kind, comparedName(term.name)), term);
  }
  return { bySlug, byName, byMergedId };
}, new WeakMap());

const keyOf = (kind: TermKind, text: string): string => `${kind} ${text}`;

/** Names are stored with entities; people write characters. */
const comparedName = (name: string): string => foldLetters(decodeEntities(name));
