// Long answers between threads: a message is unpacked in one go, so their documents come in several, each asked for.
import type { Document } from '../documents.ts';

export interface Portion {
  readonly items: readonly (Document | null)[];
  /** Asks for what is left; null: nothing. */
  readonly rest: number | null;
}

export interface Portions {
  first(documents: readonly (Document | null)[]): Portion;
  /** What is left of an answer; it can be asked for once. */
  next(rest: number): Portion;
}

/** Of the longest text of each document: as much as is unpacked within some milliseconds. */
const MAX_CHARACTERS = 500_000;

const lengthOf = (document: Document | null): number =>
  document && 'fragments' in document ? document.fragments.full.length : 0;

export function openPortions(): Portions {
  const rests = new Map<number, readonly (Document | null)[]>();
  let numbered = 0;

  /** As many as are short enough together; one at least. */
  function first(documents: readonly (Document | null)[]): Portion {
    let characters = 0;
    const end = documents.findIndex((document, at) => {
      characters += lengthOf(document);
      return at > 0 && characters > MAX_CHARACTERS;
    });
    if (end < 0) return { items: documents, rest: null };
    const rest = numbered++;
    rests.set(rest, documents.slice(end));
    return { items: documents.slice(0, end), rest };
  }

  function next(rest: number): Portion {
    const documents = rests.get(rest) ?? [];
    rests.delete(rest);
    return first(documents);
  }

  return { first, next };
}
