// Text in the form that `search` compares: without case and accents, and without a few indistinguishable characters.
import { foldLetters } from '../text/ascii-folding.ts';

/** Between the fields of one row; no word contains it, so no match spans two fields. */
const FIELD_END = '\u0001';

/** NUL, the separator, two noncharacters and halves of surrogate pairs all count as U+FFFD, in texts and in words. */
const INDISTINCT = /[\0\u0001\ufffe\uffff]|\p{Surrogate}/gu;

/** Matches whenever `INDISTINCT` does, and additionally surrogate pairs; a much cheaper test. */
const MAYBE_INDISTINCT = /[\0\u0001\ud800-\udfff\ufffe\uffff]/;

const distinct = (text: string): string => (MAYBE_INDISTINCT.test(text) ? text.replace(INDISTINCT, '\ufffd') : text);

/** Fields of a document as one search text. */
export const searchText = (fields: readonly string[]): string =>
  fields.map((field) => distinct(foldLetters(field))).join(FIELD_END);

/** A search word (already folded) in the form that a `searchText` has. */
export const searchWord = (word: string): string => distinct(word);

/** The fields of a `searchText`. */
export const searchFields = (text: string): string[] => text.split(FIELD_END);

/**
 * Texts are split into tokens at these: what separates words, and what commonly touches one (tags, punctuation).
 * Apostrophes and hyphens stay inside, so that most words that people search for are within one token.
 */
const SEPARATORS = /[\s\u0001,+"<>.;:!?()[\]{}/|&=]+/u;

/** Whether a code unit is a separator: texts are long, and a table lookup is faster than splitting by a pattern. */
const SEPARATES = Uint8Array.from({ length: 2 ** 16 }, (_, code) => Number(SEPARATORS.test(String.fromCharCode(code))));

/** Odd, with bits all over, so that multiplication scatters. */
const HASH_FACTOR = 0x01000193;

/** Visits the tokens of a `searchText` in order, some of them more than once: begin, end and a hash. */
export function eachToken(text: string, visit: (from: number, to: number, hash: number) => void): void {
  let from = 0;
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (SEPARATES[code] === 0) {
      hash = Math.imul(hash ^ code, HASH_FACTOR);
      continue;
    }
    if (at > from) visit(from, at, hash ^ (hash >>> 15));
    from = at + 1;
    hash = 0;
  }
  if (text.length > from) visit(from, text.length, hash ^ (hash >>> 15));
}

/** A power of two. */
const REMEMBERED = 4_096;
/** Where tokens of a text were found last, by their hashes. */
const begins = new Int32Array(REMEMBERED);
const ends = new Int32Array(REMEMBERED);

/**
 * The tokens of a `searchText`, without duplicates. A string without separators occurs in a text exactly if it occurs
 * in one of them.
 */
export function tokensOf(text: string): Set<string> {
  const tokens = new Set<string>();
  ends.fill(0);
  eachToken(text, (from, to, hash) => {
    const place = hash & (REMEMBERED - 1);
    const begin = begins[place] ?? 0;
    // Most of a long text is repeated, and comparing takes less than cutting.
    if ((ends[place] ?? 0) - begin === to - from && isRepeated(text, begin, from, to)) return;
    begins[place] = from;
    ends[place] = to;
    tokens.add(text.slice(from, to));
  });
  return tokens;
}

function isRepeated(text: string, before: number, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) !== text.charCodeAt(before + at - from)) return false;
  return true;
}

/** What a token must contain, and whether it must begin or end there. */
export interface TokenPattern {
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** Tokens of a phrase that are searched for: the longest are the rarest, and more of them exclude next to nothing. */
const MAX_PATTERNS = 6;

/**
 * The tokens that a text with a `searchWord` must have: one for each pattern. For a long phrase not all of them: the
 * rest has to be searched in the texts anyway. None for separators alone.
 */
export function tokenPatterns(word: string): TokenPattern[] {
  const parts = word.split(SEPARATORS);
  const patterns = parts
    .map((text, index) => ({ text, begins: index > 0, ends: index < parts.length - 1 }))
    .filter(({ text }) => text !== '');
  if (patterns.length <= MAX_PATTERNS) return patterns;
  const distinct = new Map(patterns.map((pattern) => [pattern.text, pattern]));
  return [...distinct.values()].sort((one, other) => other.text.length - one.text.length).slice(0, MAX_PATTERNS);
}
