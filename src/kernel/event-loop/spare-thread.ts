// Threads for work that would hold up the event loop. One that is done waits a while for the next work: to start another one
// takes 100 to 300 ms of processor time, most of which loads its modules.
import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface Threads {
  /** The thread that waits, or another one. It gets its work as a message, and is kept or terminated afterwards. */
  take(): Worker;
  /** Lets a thread that has nothing to do wait for more, unless another one does. */
  keep(worker: Worker): void;
}

/** How long a thread waits: it has some megabytes. */
const WAITS_MS = 10_000;

/** Threads of one script. Those that wait do not keep the process alive. */
export function openThreads(script: URL, options: WorkerOptions = {}, waitsMs = WAITS_MS): Threads {
  let spare: Worker | null = null;
  let end: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(script, options);
    const forget = (): void => {
      if (spare === worker) spare = null;
    };
    // What fails in a thread that waits is for its end alone.
    return worker.on('error', forget).on('exit', forget);
  }

  return {
    take() {
      const worker = spare ?? start();
      spare = null;
      clearTimeout(end);
      worker.ref();
      return worker;
    },
    keep(worker) {
      // One that has ended by itself has no number any more.
      if (spare || worker.threadId < 0) return void worker.terminate();
      worker.unref();
      spare = worker;
      end = setTimeout(() => {
        spare = null;
        void worker.terminate();
      }, waitsMs).unref();
    },
  };
}
