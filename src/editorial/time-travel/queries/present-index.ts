// The index of the present, from which those of other instants begin.
import type { Position } from '../../../log/envelope.ts';
import { ALL, type DocumentKey, parkedResource } from '../../../read-model/documents.ts';
import type { IndexedModel } from '../../../read-model/indexed-model.ts';
import type { ListIndex } from '../../../read-model/list-index/list-index.ts';
import { ReadModelUnavailable } from '../../../read-model/read-model.ts';

export interface PresentIndex {
  readonly index: ListIndex;
  /** It has at least what was recorded up to here. */
  readonly checkpoint: Position;
  /** Resources with events that could not be folded: what was recorded of them when is not in the index. */
  readonly parked: readonly DocumentKey[];
}

/** It follows what is written while it is asked for. */
const MAX_ATTEMPTS = 16;

/** Null: there is none that can be read, and the log has all that it would have. */
export async function presentIndex(
  model: Pick<IndexedModel, 'index' | 'indexAt' | 'storage' | 'named'>,
): Promise<PresentIndex | null> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const index = await model.index();
      const at = await model.storage.version();
      if (model.indexAt(at) !== index) continue;
      const parked = (await model.named('parked', ALL)).map((id) => parkedResource({ kind: 'parked', id }));
      return { index, checkpoint: at.checkpoint, parked };
    }
    return null;
  } catch (error) {
    if (error instanceof ReadModelUnavailable) return null;
    throw error;
  }
}
