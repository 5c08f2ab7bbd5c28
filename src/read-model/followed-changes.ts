// What an index has followed of late, so that answers made before may be used on where none of it can have touched them.
import { LOG_START, type Position } from '../log/envelope.ts';
import type { DocumentKey } from './documents.ts';
import type { StoredVersion } from './storage.ts';

export interface RecentChanges {
  /** What was changed between two versions of the read model, or more than that; null if that is not known. */
  since(from: string, to: string): Promise<readonly DocumentKey[] | null>;
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly DocumentKey[];
}

/** More are seldom followed while an answer is worth keeping. */
const MAX_STEPS = 1_000;
/** Comparing an answer with more changes takes longer than making it. */
const MAX_CHANGES = 500;

export function openFollowedChanges() {
  const steps: Step[] = [];
  let life: string | null = null;
  let [first, last] = [0, 0];

  return {
    /** Everything before this state is not known. */
    begin(at: StoredVersion) {
      steps.length = 0;
      life = at.life;
      [first, last] = [at.batch, at.batch];
    },
    /** What was changed from the state of the last step to this one. */
    add(at: StoredVersion, changes: readonly DocumentKey[]) {
      if (at.life !== life || changes.length > MAX_CHANGES) return this.begin(at);
      if (at.batch > last) steps.push({ from: last, to: at.batch, changes });
      last = at.batch;
      if (steps.length > MAX_STEPS) first = steps.shift()?.to ?? first;
    },
    /** What was changed between two states, or more than that; null if it is not known. */
    between(from: StoredVersion, to: StoredVersion): readonly DocumentKey[] | null {
      const isKnown = from.life === life && to.life === life && from.batch >= first && to.batch <= last;
      if (!isKnown || to.batch < from.batch) return null;
      const keys: DocumentKey[] = [];
      for (let at = steps.length - 1; at >= 0; at--) {
        const step = steps[at];
        if (step === undefined || step.to <= from.batch) break;
        if (step.from < to.batch) keys.push(...step.changes);
        if (keys.length > MAX_CHANGES) return null;
      }
      return keys;
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
