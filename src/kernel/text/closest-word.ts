// The word that was probably meant by a mistyped one.
import { closestMatch } from 'leven';

/** Undefined if none of them is close enough. */
export const closestWord = (word: string, words: readonly string[]): string | undefined =>
  closestMatch(word, words, { maxDistance: Math.max(2, Math.ceil(word.length / 3)) });
