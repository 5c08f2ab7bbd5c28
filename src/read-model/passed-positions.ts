// Positions of events that no projection reads: the checkpoint of the read model stays before them until something else is
// written, but the read model shows all that it ever will of them as soon as it has what comes before.
import type { Position } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import type { ReadModel } from './read-model.ts';

interface Views {
  reached(position: Position, deadlineMs: number): Promise<boolean>;
}

interface PassedPositionsOptions {
  /** Waits for the checkpoint. */
  readonly views: Views;
  readonly readModel: Pick<ReadModel, 'checkpoint'>;
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  /** Of the streams that projections read. */
  readonly prefixes: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

/** What the log has behind a checkpoint. */
interface Behind {
  readonly checkpoint: Position;
  /** The first event that is still to be applied; null: there is none up to `upTo`. */
  readonly next: Position | null;
  readonly upTo: Position;
}

/** How long the checkpoint alone is waited for, at first: most positions are those of events that are being applied. */
const FIRST_WAIT_MS = 25;

/** Also resolves with true for positions that the checkpoint will not reach by itself, once nothing before them is missing. */
export function withPassedPositions({ views, readModel, store, prefixes, elapsed }: PassedPositionsOptions): Views {
  let behind: Behind | null = null;

  async function look(checkpoint: Position, position: Position): Promise<Behind> {
    const known = behind?.checkpoint === checkpoint ? behind : { checkpoint, next: null, upTo: checkpoint };
    if (known.next !== null || position <= known.upTo) return known;
    // The head is read first: whatever is added meanwhile lies behind it.
    const upTo = await store.head();
    if (position > upTo) return known;
    const [event] = await store.readAll({ after: known.upTo, prefixes, limit: 1 });
    behind = { checkpoint, next: event?.position ?? null, upTo };
    return behind;
  }

  async function isPassed(position: Position): Promise<boolean> {
    try {
      const checkpoint = await readModel.checkpoint();
      if (position <= checkpoint) return true;
      const { next, upTo } = await look(checkpoint, position);
      return position <= upTo && (next === null || position < next);
    } catch {
      // The next read of either store reports why.
      return false;
    }
  }

  return {
    async reached(position, deadlineMs) {
      const begun = elapsed();
      for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
        const asked = elapsed();
        const patience = Math.min(wait, deadlineMs - (asked - begun));
        if (await views.reached(position, patience)) return true;
        if (await isPassed(position)) return true;
        // Refused early, it would be in vain to ask again.
        const isRefused = elapsed() - asked < patience / 2;
        if (isRefused || elapsed() - begun >= deadlineMs) return false;
      }
    },
  };
}
