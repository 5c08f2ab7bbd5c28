// The texts that phrases were looked for in, packed, so that the next phrase does not read its documents again. Of 100,000
// events a phrase that half of them may have took 3 s of processor time without, and 7 s as of an instant, where each was
// folded again.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { shareOf } from '../kernel/memory/limit.ts';
import type { Listed } from './list-index/list-index.ts';

/** A text as `searchText` makes it, and of which revision of an event. */
export interface SearchedText extends Listed {
  readonly text: string;
}

export type SearchedTexts = ReturnType<typeof openSearchedTexts>;

interface Block {
  readonly bytes: Buffer;
  readonly revisions: readonly number[];
}

/** Texts come in much the same order again: most of some are of few blocks. */
export type Unpacked = Map<Block, readonly string[]>;

interface Place {
  readonly block: Block;
  readonly at: number;
}

const MAX_BYTES = shareOf(32 * 1_048_576, 1 / 32);
/** What a text takes beside its bytes, roughly. */
const TEXT_BYTES = 150;
/** No `searchText` has it. */
const TEXT_END = '\0';
/** Much faster than better ones, and still a third of the texts. */
const PACKING = { level: 1 };

export function openSearchedTexts(maxBytes = MAX_BYTES) {
  const places = new Map<number, Place>();
  let bytes = 0;

  function clear(): void {
    places.clear();
    bytes = 0;
  }

  return {
    clear,
    /** That of this revision, if it is kept. `unpacked`: what others of the same search have been in. */
    recall({ id, revision }: Listed, unpacked: Unpacked) {
      const place = places.get(id);
      if (place?.block.revisions[place.at] !== revision) return undefined;
      const texts = unpacked.get(place.block) ?? inflateRawSync(place.block.bytes).toString().split(TEXT_END);
      unpacked.set(place.block, texts);
      return texts[place.at];
    },
    /** Texts that are looked at together again: a few short ones, or a long one, since they are packed at once. */
    keep(texts: readonly SearchedText[]) {
      const packed = deflateRawSync(texts.map(({ text }) => text).join(TEXT_END), PACKING);
      // A copy, because the result may be a piece of something far bigger.
      const block = { bytes: Buffer.from(packed), revisions: texts.map(({ revision }) => revision) };
      bytes += block.bytes.length + TEXT_BYTES * texts.length;
      if (bytes > maxBytes) clear();
      for (const [at, { id }] of texts.entries()) places.set(id, { block, at });
    },
    /** Forgets texts that have changed, by id. */
    forget(ids: Iterable<number>) {
      for (const id of ids) places.delete(id);
    },
  };
}
