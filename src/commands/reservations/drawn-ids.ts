// The ids of one command: an attempt that has lost its race without writing anything leaves its ids to the next one.
import type { EventMetadata } from '../../event-store/envelope.ts';
import type { IdSequence } from '../context.ts';

export interface DrawnIds {
  next(sequence: IdSequence, metadata: EventMetadata): Promise<number>;
  /** What was drawn so far is drawn again, in the same order: nothing with these ids has been written. */
  reuse(): void;
  /** Something may have been written: from here on ids are new. */
  forget(): void;
}

export function openDrawnIds(): DrawnIds {
  const drawn = new Map<IdSequence, number[]>();
  const used = new Map<IdSequence, number>();
  return {
    async next(sequence, metadata) {
      const ids = drawn.get(sequence) ?? [];
      const at = used.get(sequence) ?? 0;
      drawn.set(sequence, ids);
      used.set(sequence, at + 1);
      const known = ids[at];
      if (known !== undefined) return known;
      const id = await sequence.next(metadata);
      ids.push(id);
      return id;
    },
    reuse: () => used.clear(),
    forget() {
      drawn.clear();
      used.clear();
    },
  };
}
