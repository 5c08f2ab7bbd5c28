// Parses a search text.

import type { TextSearch } from '../read-model/queries.ts';
import { foldLetters } from '../text/letters.ts';

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
