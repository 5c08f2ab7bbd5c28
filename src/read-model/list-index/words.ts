// The words of the texts, to search them for substrings: a dictionary that is scanned for what is searched, and for each of
// its words the texts that have it. What is searched without blanks occurs in a text if and only if it occurs in one of its
// words. Texts are numbered in the order in which they come and never change: a new one takes the place of an old one.
import { searchWord } from '../search-text.ts';
import { openPostings } from './postings.ts';
import { wordsOf } from './rows.ts';

/** Words that are scanned together. */
const BLOCK = 4_096;
/** Around each word; in none of them. */
const EDGE = '\u0001';

interface Block {
  /** Its words, each between two edges. */
  readonly text: string;
  /** Where each begins. */
  readonly starts: Int32Array;
}

export interface Words {
  /** Adds a text by its distinct words; returns its number. */
  add(words: readonly string[]): number;
  /**
   * Marks the places of all texts with a word that has this in it (see `Postings.mark`), at most so many; returns how many
   * these are.
   */
  mark(part: string, places: Int32Array, marks: Uint8Array, before: number, after: number, most: number): number;
  /** How many texts were added. */
  texts(): number;
  /** Of memory, roughly. */
  bytes(): number;
}

function blockOf(words: readonly string[]): Block {
  const starts = new Int32Array(words.length);
  let at = 0;
  for (let index = 0; index < words.length; index++) {
    starts[index] = at;
    at += EDGE.length + (words[index] ?? '').length;
  }
  return { text: EDGE + words.join(EDGE) + EDGE, starts };
}

/** The last of the ascending starts that is not behind a place, from one of them on. */
function wordAt(starts: Int32Array, place: number, from: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function openWords(): Words {
  const numbers = new Map<string, number>();
  const postings = openPostings();
  const blocks: Block[] = [];
  /** Words behind the blocks. */
  let recent: string[] = [];
  let characters = 0;
  let texts = 0;

  function numberOf(word: string): number {
    const existing = numbers.get(word);
    if (existing !== undefined) return existing;
    const number = numbers.size;
    // Cut out of a longer text it would keep that in memory.
    const own = Buffer.from(word).toString();
    numbers.set(own, number);
    recent.push(own);
    characters += own.length;
    if (recent.length === BLOCK) {
      blocks.push(blockOf(recent));
      recent = [];
    }
    return number;
  }

  /** The words that have this in them. */
  function* scanned(part: string): Generator<number> {
    if (part.length > 2 && part.startsWith(EDGE) && part.endsWith(EDGE)) {
      const number = numbers.get(part.slice(1, -1));
      if (number !== undefined) yield number;
      return;
    }
    for (const [index, { text, starts }] of blocks.entries()) {
      let word = 0;
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[word])) {
        word = wordAt(starts, at, word);
        yield index * BLOCK + word;
        word += 1;
        if (word === starts.length) break;
      }
    }
    const first = blocks.length * BLOCK;
    for (const [index, word] of recent.entries()) if ((EDGE + word + EDGE).includes(part)) yield first + index;
  }

  return {
    add(words) {
      const text = texts++;
      for (const word of words) postings.add(numberOf(word), text);
      return text;
    },
    mark(part, places, marks, before, after, most) {
      let marked = 0;
      for (const word of scanned(part)) {
        // Most of what is in many words is in all texts after some of them.
        if (marked === most) return marked;
        marked += postings.mark(word, places, marks, before, after);
      }
      return marked;
    },
    texts: () => texts,
    // A word stands in a block and as a key.
    bytes: () => postings.bytes() + 2 * characters + 60 * numbers.size,
  };
}

/** What a text must have in one of its words, with edges where a word must begin or end. */
interface Searched {
  readonly patterns: readonly string[];
  /** Texts with all patterns have it; otherwise they have to be looked at. */
  readonly isExact: boolean;
}

/** Words of a phrase that are searched for: the longest are the rarest, and more of them exclude next to nothing. */
const MAX_PATTERNS = 6;

/** What a folded word or phrase means in words. */
export function searched(word: string): Searched {
  const sought = searchWord(word);
  const parts = wordsOf(sought);
  const isExact = parts.length === 1 && parts[0] === sought;
  if (isExact) return { patterns: parts, isExact };
  const [first = ''] = parts;
  const begins = parts.length > 0 && !sought.startsWith(first);
  const ends = !sought.endsWith(parts.at(-1) ?? '');
  const patterns = parts.map((part, index) => {
    const before = index > 0 || begins ? EDGE : '';
    const after = index < parts.length - 1 || ends ? EDGE : '';
    return before + part + after;
  });
  const longest = [...new Set(patterns)].sort((one, other) => other.length - one.length);
  return { patterns: longest.slice(0, MAX_PATTERNS), isExact };
}
