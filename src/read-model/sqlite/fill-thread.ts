// The thread that writes a fill, seen from the thread that makes the documents.
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { type Batch, ReadModelUnavailable } from '../read-model.ts';
import { packer } from './fill-portion.ts';

export interface FillTask {
  readonly file: string;
  readonly fingerprint: string;
}

/** What the thread answers to a batch. Errors lose their class on the way. */
export type FillReply =
  | { readonly outcome: 'applied' | 'stale' }
  | { readonly failure: { readonly name: string; readonly message: string; readonly code: string | null } };

const STALE: FillReply = { outcome: 'stale' };

export interface FillThread {
  /** One batch after the other. Once the thread has ended everything is `stale`: what it had gathered is lost. */
  apply(batch: Batch): Promise<'applied' | 'stale'>;
  end(): Promise<void>;
}

/** After so long without a batch nobody is believed to fill any more, in milliseconds. */
const IDLE_MS = 60_000;

const SCRIPT = new URL('./fill-worker.ts', import.meta.url);

interface Waiting {
  readonly resolve: (reply: FillReply) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the thread; `file` must be there. It does not keep the process alive but while a batch is under way. */
export function startFillThread(task: FillTask): FillThread {
  const worker = new Worker(SCRIPT, { workerData: task });
  const idle = setTimeout(() => void end(), IDLE_MS).unref();
  /** For each batch that is under way, in their order, who is to be told. */
  const waiting: Waiting[] = [];
  const packed = packer();
  let ended = false;

  function next(): Waiting | undefined {
    const first = waiting.shift();
    if (waiting.length === 0 && !ended) worker.unref();
    return first;
  }

  worker.unref();
  worker.on('message', (reply: FillReply) => next()?.resolve(reply));
  worker.on('error', (error: Error) => next()?.reject(error));
  worker.once('exit', () => {
    ended = true;
    while (waiting.length > 0) next()?.resolve(STALE);
  });

  async function end(): Promise<void> {
    clearTimeout(idle);
    if (ended) return;
    ended = true;
    // Its end is waited for: without this the process could end first, as nothing else need keep it alive.
    worker.ref();
    await worker.terminate();
  }

  function reply(batch: Batch): Promise<FillReply> {
    // Packed and handed over at once, even if others are before it: so its documents need not be kept.
    const portion = packed(batch);
    return new Promise((resolve, reject) => {
      worker.ref();
      waiting.push({ resolve, reject });
      worker.postMessage(portion, [portion.bytes.buffer, portion.lengths.buffer]);
    });
  }

  return {
    end,
    async apply(batch) {
      idle.refresh();
      const answer = ended ? STALE : await reply(batch);
      if ('outcome' in answer) return answer.outcome;
      throw errorOf(answer.failure);
    },
  };
}

function errorOf({ name, message, code }: Extract<FillReply, { failure: object }>['failure']): Error {
  if (code !== null) return new Database.SqliteError(message, code);
  return name === 'ReadModelUnavailable' ? new ReadModelUnavailable(message) : new Error(message);
}
