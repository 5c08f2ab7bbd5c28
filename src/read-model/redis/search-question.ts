// What a text search asks the index for; lua/include/event-search.lua answers it.
import type { TextSearch } from '../queries.ts';
import { searchWord, type TokenPattern, tokenPatterns } from '../search-text.ts';

interface Word {
  readonly text: string;
  /** What tokens must hold, of each one; U+0001 stands where a token begins or ends. */
  readonly patterns: readonly string[];
  /** Whether an event with such tokens surely has the word. */
  readonly exact: boolean;
}

/** Stands around each token of the index, and is in none. */
const AROUND = '\u0001';

const withEnds = ({ text, begins, ends }: TokenPattern): string =>
  `${begins ? AROUND : ''}${text}${ends ? AROUND : ''}`;

function wordOf(word: string): Word {
  const text = searchWord(word);
  const patterns = tokenPatterns(text);
  // A single pattern that may lie anywhere is the word itself.
  const exact = patterns.length > 0 && patterns.every(({ begins, ends }) => !begins && !ends);
  return { text, patterns: patterns.map(withEnds), exact };
}

export const searchQuestion = ({ words, without }: TextSearch) => ({
  words: words.map(wordOf),
  without: without.map(wordOf),
});
