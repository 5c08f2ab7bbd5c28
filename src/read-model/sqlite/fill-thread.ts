// The thread that writes a fill, seen from the thread that makes the documents.
import type { Batch } from '../read-model.ts';
import { packer } from './fill-portion.ts';
import { startThread, ThreadEnded } from './threads.ts';

export interface FillTask {
  readonly file: string;
  readonly fingerprint: string;
}

type Outcome = 'applied' | 'stale';

export interface FillThread {
  /** One batch after the other. Once the thread has ended everything is `stale`: what it had gathered is lost. */
  apply(batch: Batch): Promise<Outcome>;
  end(): Promise<void>;
}

/** After so long without a batch the fill is taken for given up, in milliseconds. */
const IDLE_MS = 60_000;

const SCRIPT = new URL('./fill-worker.ts', import.meta.url);

/** Starts the thread; `file` must be there. */
export function startFillThread(task: FillTask): FillThread {
  const thread = startThread(SCRIPT, { workerData: task });
  const idle = setTimeout(() => void thread.end(), IDLE_MS).unref();
  const packed = packer();
  return {
    async apply(batch) {
      idle.refresh();
      // Packed and handed over at once, even if others are before it: so its documents need not be held.
      const portion = packed(batch);
      try {
        // The thread answers nothing else.
        return (await thread.ask(portion, [portion.bytes.buffer, portion.lengths.buffer])) as Outcome;
      } catch (error) {
        if (error instanceof ThreadEnded && error.cause === null) return 'stale';
        throw error;
      }
    },
    end() {
      clearTimeout(idle);
      return thread.end();
    },
  };
}
