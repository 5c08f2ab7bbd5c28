// Long answers between threads: a message is unpacked in one go, so their documents come in several, each asked for.
import type { Document } from '../documents.ts';
import { textsInTransit } from './document-rows.ts';
import { type PackedTexts, textPacker } from './packed-texts.ts';

/** Some documents of an answer, or null where there is none; packed. */
export interface Portion {
  readonly packed: PackedTexts;
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
  const pack = textPacker();
  let numbered = 0;

  /** As many as are short enough together; one at least. */
  function first(documents: readonly (Document | null)[]): Portion {
    let characters = 0;
    const end = documents.findIndex((document, at) => {
      characters += lengthOf(document);
      return at > 0 && characters > MAX_CHARACTERS;
    });
    if (end < 0) return { packed: pack(documents.flatMap(textsInTransit)), rest: null };
    const rest = numbered++;
    rests.set(rest, documents.slice(end));
    return { packed: pack(documents.slice(0, end).flatMap(textsInTransit)), rest };
  }

  function next(rest: number): Portion {
    const documents = rests.get(rest) ?? [];
    rests.delete(rest);
    return first(documents);
  }

  return { first, next };
}
