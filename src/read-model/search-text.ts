// Text as `search` sees it: without case and accents, and without the few characters that cannot be told apart.
import { foldLetters } from '../text/letters.ts';

/** Between the fields of one row; no word contains it, so no match reaches from one field into the next. */
const FIELD_END = '\u0001';

/** NUL, the separator, two noncharacters and halves of surrogate pairs all count as U+FFFD, in texts and in words. */
const INDISTINCT = /[\0\u0001\ufffe\uffff]|\p{Surrogate}/gu;

/** Matches whenever `INDISTINCT` does, and pairs of surrogates besides; much the cheaper question. */
const MAYBE_INDISTINCT = /[\0\u0001\ud800-\udfff\ufffe\uffff]/;

const distinct = (text: string): string => (MAYBE_INDISTINCT.test(text) ? text.replace(INDISTINCT, '\ufffd') : text);

/** Fields of a document as one text to search in. */
export const searchText = (fields: readonly string[]): string =>
  fields.map((field) => distinct(foldLetters(field))).join(FIELD_END);

/** A searched word (folded already) as it is in a `searchText`. */
export const searchWord = (word: string): string => distinct(word);

/** The fields of a `searchText`. */
export const searchFields = (text: string): string[] => text.split(FIELD_END);

/**
 * Texts are cut into tokens at these: what is between words, and what commonly touches one (tags, punctuation).
 * Apostrophes and hyphens are left inside, so that most words that people look for lie within one token.
 */
const SEPARATORS = /[\s\u0001,+"<>.;:!?()[\]{}/|&=]+/u;

/** Whether a code unit is a separator: texts are long, and asking a table is faster than splitting by a pattern. */
const SEPARATES = Uint8Array.from({ length: 2 ** 16 }, (_, code) => Number(SEPARATORS.test(String.fromCharCode(code))));

/** Odd, and with bits all over: what it multiplies is scattered. */
const HASH_FACTOR = 0x01000193;

/** Visits the tokens of a `searchText` as they come, some of them more than once: where they begin and end, and a hash. */
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

function tokensIn(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (from, to) => tokens.push(text.slice(from, to)));
  return tokens;
}

/** The tokens of a `searchText`, each once. A string without separators occurs in a text exactly if it does in one of them. */
export const tokensOf = (text: string): Set<string> => new Set(tokensIn(text));

/** What a token must hold, and whether it must begin or end there. */
export interface TokenPattern {
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** Tokens of a phrase that are asked for: the longest are the rarest, and more of them rule out next to nothing. */
const MAX_PATTERNS = 6;

/**
 * What a text that contains a `searchWord` has among its tokens: of each pattern one. Of a long phrase not all: what it
 * leaves has to be looked for in the texts all the same. None for separators alone.
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
