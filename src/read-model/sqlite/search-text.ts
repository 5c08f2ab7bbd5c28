// Text as `search` sees it: lower-cased, and without the few characters that the index cannot tell apart.

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

/** The index holds runs of three characters; shorter words are not in it. */
const INDEXED_LENGTH = 3;

export const isIndexed = (word: string): boolean => [...word].length >= INDEXED_LENGTH;

/** The FTS5 expression for texts that contain all of these words. */
export const matchExpression = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
