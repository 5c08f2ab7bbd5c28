// The writing thread of a fill, as seen from the thread that builds the documents.
import type { Batch, PackedBatch } from '../read-model.ts';
import { packer } from './fill-portion.ts';
import { startThread, ThreadEnded } from './threads.ts';

export interface FillTask {
  readonly file: string;
  readonly fingerprint: string;
}

type Outcome = 'applied' | 'stale';

export interface FillThread {
  /** One batch after the other. Once the thread has ended everything is `stale`: what it had collected is lost. */
  apply(batch: Batch | PackedBatch): Promise<Outcome>;
  end(): Promise<void>;
}

/** Milliseconds without a batch after which the fill counts as abandoned. */
const IDLE_MS = 60_000;

const SCRIPT = new URL('./fill-worker.ts', import.meta.url);

/** Starts the thread; `file` must exist. */
export function startFillThread(task: FillTask): FillThread {
  const thread = startThread(SCRIPT, { workerData: task });
  const idle = setTimeout(() => void thread.end(), IDLE_MS).unref();
  /** Null once it has ended: the buffer of the packer may have many megabytes. */
  let pack: ReturnType<typeof packer> | null = packer();
  return {
    async apply(batch) {
      if (pack === null) return 'stale';
      idle.refresh();
      // Packed and transferred at once, even behind others, so that its documents need not stay in memory.
      const portion = 'bytes' in batch ? batch : pack(batch);
      try {
        // The thread sends no other replies.
        return (await thread.ask(portion, [portion.bytes.buffer, portion.lengths.buffer])) as Outcome;
      } catch (error) {
        if (error instanceof ThreadEnded && error.cause === null) return 'stale';
        throw error;
      }
    },
    end() {
      clearTimeout(idle);
      pack = null;
      return thread.end();
    },
  };
}
