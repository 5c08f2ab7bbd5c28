// Text as `search` sees it: lower-cased, and without the few characters that cannot be told apart.

/** Stands between the fields of one row; no word contains it, so no match reaches from one field into the next. */
const FIELD_END = '\u0001';

/** NUL, the separator, two noncharacters and halves of surrogate pairs all count as U+FFFD, in texts and in words. */
const INDISTINCT = /[\0\u0001\ufffe\uffff]|\p{Surrogate}/gu;

const distinct = (text: string): string => text.replace(INDISTINCT, '\ufffd');

/** Fields of a document as one text to search in. */
export const searchText = (fields: readonly string[]): string =>
  fields.map((field) => distinct(field.toLowerCase())).join(FIELD_END);

/** A searched word (lower-cased already) as it stands in a `searchText`. */
export const searchWord = (word: string): string => distinct(word);

/** The fields of a `searchText`. */
export const searchFields = (text: string): string[] => text.split(FIELD_END);

/**
 * Texts are cut into tokens at these: what stands between words, and what commonly touches one (tags, punctuation).
 * Apostrophes and hyphens are left inside, so that most words that people look for lie within one token.
 */
const SEPARATORS = /[\s\u0001,+"<>.;:!?()[\]{}/|&=]+/u;

/** The tokens of a `searchText`, each once. A string without separators occurs in a text exactly if it does in one of them. */
export function tokensOf(text: string): Set<string> {
  const tokens = new Set(text.split(SEPARATORS));
  tokens.delete('');
  return tokens;
}

/** What a token must hold, and whether it must begin or end there. */
export interface TokenPattern {
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** What a text that contains a `searchWord` has among its tokens: of each pattern one. None for separators alone. */
export function tokenPatterns(word: string): TokenPattern[] {
  const parts = word.split(SEPARATORS);
  return parts
    .map((text, index) => ({ text, begins: index > 0, ends: index < parts.length - 1 }))
    .filter(({ text }) => text !== '');
}
