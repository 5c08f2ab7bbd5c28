// The words of the texts, to search them for substrings: a dictionary that is scanned for what is searched, and for each of
// its words the texts that have it. What is searched without blanks occurs in a text if and only if it occurs in one of its
// words. Texts are numbered in the order in which they come and never change: a new one takes the place of an old one.
import { searchWord } from '../search-text.ts';
import { openPostings } from './postings.ts';
import { wordsOf } from './rows.ts';

/** Characters of words that are scanned together, in some 50 us; a longer word is alone. */
const BLOCK_CHARACTERS = 2 ** 15;
/** Words of which the texts are marked before others have their turn. */
const MARKED_AT_ONCE = 16;
/** Characters of texts that are kept as they came. */
const MAX_LATEST = 2 ** 19;
/** Around each word; in none of them. */
const EDGE = '\u0001';

interface Block {
  /** The number of its first word. */
  readonly first: number;
  /** Its words, each between two edges. */
  readonly text: string;
  /** Where each begins. */
  readonly starts: Int32Array;
}

export interface Words {
  /** Adds a text by its distinct words, with blanks between them; returns its number. */
  add(words: string): number;
  /**
   * Marks, step by step, the texts with a word that has this in it: those with the mark `before` get `after`, at most so many.
   * Returns how many these are.
   */
  mark(part: string, marks: Uint8Array, before: number, after: number, most: number): Generator<undefined, number>;
  /** How many texts there are. */
  texts(): number;
  /** How many of them are those of other words. */
  readonly shared: number;
  /** What has been added since there were so many: of each a test that is to be given what `mark` is. Null: too much. */
  since(texts: number): readonly ((part: string) => boolean)[] | null;
  /** Bytes of memory, roughly, without what is shared. */
  bytes(): number;
}

function blockOf(first: number, words: readonly string[]): Block {
  const starts = new Int32Array(words.length);
  let at = 0;
  for (let index = 0; index < words.length; index++) {
    starts[index] = at;
    at += EDGE.length + (words[index] ?? '').length;
  }
  return { first, text: EDGE + words.join(EDGE) + EDGE, starts };
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

/** `base`: words of which the texts are here as well, each with its number. */
export function openWords(base: Words | null = null): Words {
  const shared = base?.texts() ?? 0;
  const numbers = new Map<string, number>();
  const postings = openPostings();
  const blocks: Block[] = [];
  /** Words behind the blocks. */
  let recent: string[] = [];
  let recentCharacters = 0;
  let characters = 0;
  let texts = shared;
  /** The texts that came last. */
  let latest: string[] = [];
  let latestCharacters = 0;

  function numberOf(word: string): number {
    const existing = numbers.get(word);
    if (existing !== undefined) return existing;
    const number = numbers.size;
    // Cut out of a longer text it would keep that in memory.
    const own = Buffer.from(word).toString();
    numbers.set(own, number);
    recent.push(own);
    characters += own.length;
    recentCharacters += own.length + EDGE.length;
    if (recentCharacters >= BLOCK_CHARACTERS) {
      blocks.push(blockOf(numbers.size - recent.length, recent));
      recent = [];
      recentCharacters = 0;
    }
    return number;
  }

  function remember(text: string): void {
    latestCharacters += text.length;
    if (latestCharacters > MAX_LATEST) {
      latest = [];
      latestCharacters = 0;
    } else latest.push(text);
  }

  /** The words that have this in them; undefined between blocks. */
  function* scanned(part: string): Generator<number | undefined> {
    if (part.length > 2 && part.startsWith(EDGE) && part.endsWith(EDGE)) {
      yield numbers.get(part.slice(1, -1));
      return;
    }
    // What comes in between is in texts that are not marked.
    const [firstBehind, behind] = [numbers.size - recent.length, recent];
    for (const { first, text, starts } of [...blocks]) {
      let word = 0;
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[word])) {
        word = wordAt(starts, at, word);
        yield first + word;
        word += 1;
        if (word === starts.length) break;
      }
      yield;
    }
    for (const [index, word] of behind.entries()) if ((EDGE + word + EDGE).includes(part)) yield firstBehind + index;
  }

  return {
    add(words) {
      const text = texts++;
      remember(words);
      if (words !== '') for (const word of words.split(' ')) postings.add(numberOf(word), text - shared);
      return text;
    },
    *mark(part, marks, before, after, most) {
      // What was added to the others since has numbers that mean other texts here.
      let marked = base === null ? 0 : yield* base.mark(part, marks.subarray(0, shared), before, after, most);
      const own = marks.subarray(shared);
      let steps = 0;
      for (const word of scanned(part)) {
        // Most of what is in many words is in all texts after some of them.
        if (marked === most) return marked;
        if (word !== undefined) marked += postings.mark(word, own, before, after);
        if (word === undefined || ++steps % MARKED_AT_ONCE === 0) yield;
      }
      return marked;
    },
    texts: () => texts,
    shared,
    since(before) {
      const added = texts - before;
      if (added > latest.length) return null;
      return latest.slice(latest.length - added).map((words) => {
        const text = EDGE + words.replaceAll(' ', EDGE) + EDGE;
        return (part) => text.includes(part);
      });
    },
    // A word stands in a block and as a key.
    bytes: () => postings.bytes() + 2 * characters + 60 * numbers.size,
  };
}

/** Words of a phrase that are searched for: the longest are the rarest, and more of them exclude next to nothing. */
const MAX_PATTERNS = 6;

/**
 * The patterns that a text must have in one of its words, with edges where a word must begin or end. `isExact`: texts with all of them
 * have it; otherwise they have to be looked at.
 */
export function searched(word: string) {
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
