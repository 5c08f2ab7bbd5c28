// What an index has followed of late, so that answers made before may be used on where none of it can have touched them.
import { LOG_START, type Position } from '../log/envelope.ts';
import { type DocumentKey, keyText } from './documents.ts';
import type { StoredVersion } from './storage.ts';

export interface RecentChanges {
  /** Whether one of some documents (`keyText`) was changed since a version of the read model, or that is not known any more. */
  haveChanged(documents: readonly string[], since: string): Promise<boolean>;
}

/** With more, what was made before is made again. */
const MAX_DOCUMENTS = 10_000;

export function openFollowedChanges() {
  /** The number of batches when each document was found changed last. */
  const changedAt = new Map<string, number>();
  let begun: StoredVersion | null = null;

  return {
    /** Everything before this state is not known. */
    begin(at: StoredVersion) {
      changedAt.clear();
      begun = at;
    },
    /** What was changed from the state of the last step to this one. */
    add(at: StoredVersion, keys: readonly DocumentKey[]) {
      if (at.life !== begun?.life || changedAt.size + keys.length > MAX_DOCUMENTS) return this.begin(at);
      for (const key of keys) changedAt.set(keyText(key), at.batch);
    },
    /** Whether one of them was changed since a state; true: or that is not known. */
    haveChanged(documents: readonly string[], { life, batch }: StoredVersion): boolean {
      if (begun === null || begun.life !== life || begun.batch > batch) return true;
      return documents.some((name) => (changedAt.get(name) ?? 0) > batch);
    },
  };
}

/** A state as the text that readers compare; it ends with the position. */
export const versionText = ({ life, batch, checkpoint }: StoredVersion): string => `${life} ${batch} ${checkpoint}`;

/** The state of such a text. */
export function versionOf(text: string): StoredVersion {
  const [checkpoint = LOG_START, batch, ...life]: (Position | undefined)[] = text.split(' ').reverse();
  return { life: life.reverse().join(' '), batch: Number(batch), checkpoint };
}
