// What this process has applied to the read model of late, so that answers made before may be used on where none of it can
// have touched them. Nothing is known of what other processes apply.
import { LOG_START, type Position } from '../event-store/envelope.ts';
import type { DocumentKey } from './documents.ts';
import type { EventOutline } from './may-match.ts';
import type { Batch, DocumentChange, ReadModel } from './read-model.ts';

export interface RecentChange {
  readonly key: DocumentKey;
  /** Of an event: as it was, and as it is, if there was one. */
  readonly outlines: readonly EventOutline[];
}

export interface RecentChanges {
  /** What was applied between two versions of the read model, in order; null if that is not known. */
  since(from: string, to: string): Promise<readonly RecentChange[] | null>;
}

interface Step {
  readonly upTo: Position;
  readonly changes: readonly RecentChange[];
}

/** More are seldom applied while an answer is worth keeping. */
const MAX_STEPS = 1_000;
const MAX_CHANGES_OF_A_STEP = 100;

function outlinesOf({ before = null, document }: DocumentChange): EventOutline[] {
  return [before, document].flatMap((one) => {
    if (one?.kind !== 'event') return [];
    const { fragments: _f, state: _s, title: _t, excerpt: _e, description: _d, ...outline } = one;
    return [outline];
  });
}

/** Null for a batch of which it is not known what it replaces. */
function stepOf({ upTo, changes, fill }: Batch): Step | null {
  // A fill may be packed, and then has no changes.
  if (fill !== undefined) return null;
  const isKnown = changes.every(({ before }) => before !== undefined);
  if (!isKnown || changes.length > MAX_CHANGES_OF_A_STEP) return null;
  return { upTo, changes: changes.map((change) => ({ key: change.key, outlines: outlinesOf(change) })) };
}

/** Of `ReadModel.version`: which data, how many batches were applied to it, and up to where. */
function partsOf(version: string): { readonly data: string; readonly batches: number; readonly position: Position } {
  const [position = LOG_START, batches, ...data] = version.split(' ').reverse();
  return { data: data.join(' '), batches: Number(batches), position };
}

/** Notes what is applied through the read model that it returns. */
export function recordingChanges(model: ReadModel): { readonly model: ReadModel; readonly recent: RecentChanges } {
  /** By the position that they follow, the oldest first. */
  const steps = new Map<Position, Step>();

  function add(after: Position, step: Step): void {
    steps.delete(after);
    steps.set(after, step);
    const [oldest] = steps.keys();
    if (steps.size > MAX_STEPS && oldest !== undefined) steps.delete(oldest);
  }

  return {
    model: {
      ...model,
      async apply(batch) {
        const step = stepOf(batch);
        // Before it is applied: answers of the new version are asked for in the same instant.
        if (step) add(batch.after, step);
        const outcome = await model.apply(batch).catch((error: unknown) => {
          steps.delete(batch.after);
          throw error;
        });
        if (outcome === 'stale') steps.delete(batch.after);
        return outcome;
      },
    },
    recent: {
      async since(from, to) {
        const [first, last] = [partsOf(from), partsOf(to)];
        if (first.data !== last.data) return null;
        const changes: RecentChange[] = [];
        let { position } = first;
        for (let left = last.batches - first.batches; left > 0; left -= 1) {
          const step = steps.get(position);
          if (step === undefined) return null;
          changes.push(...step.changes);
          position = step.upTo;
        }
        return position === last.position && last.batches >= first.batches ? changes : null;
      },
    },
  };
}
