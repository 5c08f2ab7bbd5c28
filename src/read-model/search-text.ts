// Text in the form that `search` compares: without case and accents, and without a few indistinguishable characters.
import { foldLetters } from '../kernel/text/ascii-folding.ts';

/** Between the fields of one row; no word contains it, so no match spans two fields. */
const FIELD_END = '\u0001';

/** NUL, the separator, two noncharacters and halves of surrogate pairs all count as U+FFFD, in texts and in words. */
const INDISTINCT = /[\0\u0001\ufffe\uffff]|\p{Surrogate}/gu;

/** Matches whenever `INDISTINCT` does, and additionally surrogate pairs; a much cheaper test. */
const MAYBE_INDISTINCT = /[\0\u0001\ud800-\udfff\ufffe\uffff]/;

/** A folded text in the form that a `searchText` has. */
export const searchWord = (text: string): string =>
  MAYBE_INDISTINCT.test(text) ? text.replace(INDISTINCT, '\ufffd') : text;

/** Fields of a document as one search text. */
export const searchText = (fields: readonly string[]): string =>
  fields.map((field) => searchWord(foldLetters(field))).join(FIELD_END);

/** The fields of a `searchText`. */
export const searchFields = (text: string): string[] => text.split(FIELD_END);
