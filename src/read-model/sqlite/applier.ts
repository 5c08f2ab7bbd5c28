// Applies batches of both kinds: those that continue from a checkpoint at once, those of a fill in a thread of its own,
// so that folding and rendering the next one need not wait.
import type { Batch, PackedBatch } from '../read-model.ts';
import { applyBatch } from './apply.ts';
import type { Connection } from './connection.ts';
import { filler } from './fill.ts';
import { portionOf, unpacked } from './fill-portion.ts';
import { type FillThread, startFillThread } from './fill-thread.ts';

type Outcome = 'applied' | 'stale';

export interface Applier {
  /** Throws, or rejects, with what SQLite throws and with `ReadModelUnavailable`. */
  apply(batch: Batch | PackedBatch): Outcome | Promise<Outcome>;
  /** Ends a fill that was given up: nothing writes to the file any more. */
  close(): Promise<void>;
}

export function openApplier(connection: Connection, file: string, fingerprint: string): Applier {
  // A database in memory is visible to one connection only.
  const fill =
    file === ':memory:'
      ? directFiller(connection, fingerprint)
      : threadedFiller(() => startFillThread({ file: connection.db.name, fingerprint }));
  const isOvertaken = overtaking();
  return {
    apply(batch) {
      if (!isOfFill(batch)) return applyBatch(connection, fingerprint, batch);
      return isOvertaken(batch.fill) ? 'stale' : fill.take(batch, batch.fill);
    },
    close: fill.close,
  };
}

/** Packed or not. */
type FillBatch = (Batch & { readonly fill: string }) | PackedBatch;

const isOfFill = (batch: Batch | PackedBatch): batch is FillBatch => batch.fill !== undefined;

interface Filler {
  take(batch: FillBatch, id: string): Outcome | Promise<Outcome>;
  close(): Promise<void>;
}

function directFiller(connection: Connection, fingerprint: string): Filler {
  const fill = filler(connection, fingerprint);
  return {
    take: (batch) => fill('bytes' in batch ? unpacked(batch) : portionOf(batch)),
    close: async () => {},
  };
}

/** Tells of each fill whether another one has begun since. */
function overtaking(): (fill: string) => boolean {
  const earlier = new Set<string>();
  let newest: string | null = null;
  return (fill) => {
    if (earlier.has(fill)) return true;
    if (newest !== null && newest !== fill) earlier.add(newest);
    newest = fill;
    return false;
  };
}

/** Portions that the thread may lag behind: it collects and writes in turns, so its speed varies. */
const MAX_UNDER_WAY = 24;

interface FillUnderWay {
  readonly id: string;
  readonly thread: FillThread;
  readonly outcomes: Promise<Outcome>[];
}

/**
 * A thread per fill; it ends with the last batch and with the first that fails. Batches before the last are accepted
 * without waiting for them to be written, because nothing counts before the last one: their outcome is reported later.
 */
function threadedFiller(start: () => FillThread): Filler {
  let current: FillUnderWay | null = null;

  async function handOver({ thread, outcomes }: FillUnderWay, batch: FillBatch): Promise<Outcome> {
    const written = thread.apply(batch);
    // Its failure is reported with the outcome that is awaited.
    written.catch(() => {});
    outcomes.push(written);
    const allowed = batch.upTo === batch.after ? MAX_UNDER_WAY : 0;
    while (outcomes.length > allowed) if ((await outcomes.shift()) === 'stale') return 'stale';
    return 'applied';
  }

  return {
    async take(batch, id) {
      if (current?.id !== id) {
        void current?.thread.end();
        current = { id, thread: start(), outcomes: [] };
      }
      const fill = current;
      let outcome: Outcome | null = null;
      try {
        outcome = await handOver(fill, batch);
        return outcome;
      } finally {
        if (outcome !== 'applied' || batch.upTo !== batch.after) await fill.thread.end();
      }
    },
    close: async () => current?.thread.end(),
  };
}
