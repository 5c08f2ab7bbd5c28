// Requests to a worker thread and its replies: one protocol for all threads of the read model.
import { parentPort, type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { ReadModelDamaged } from '../damage.ts';
import { ReadModelUnavailable } from '../read-model.ts';

interface Call {
  readonly id: number;
  readonly question: unknown;
}

type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: Failure };

/** Errors lose their class on the way. */
interface Failure {
  readonly name: string;
  readonly message: string;
  /** Where damage was found. */
  readonly damaged?: string;
  /** Of an SQLite error. */
  readonly code?: string;
}

/** The thread ended before it replied. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export interface Thread {
  /** Pending requests. */
  readonly waiting: number;
  /** Rejects with what the thread has thrown, or with `ThreadEnded`. What is in `transfer` is moved, not copied. */
  ask(question: unknown, transfer?: readonly Transferable[]): Promise<unknown>;
  /** Ends it; pending requests are rejected. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Most allocations are short-lived; by default Node lets the young generation grow to 128, which stay resident. In MiB.
 */
const YOUNG_GENERATION_MB = 32;

/** Starts a thread that does not keep the process alive while no request is pending. */
export function startThread(script: URL, options: WorkerOptions & { readonly onEnd?: () => void } = {}): Thread {
  const worker = new Worker(script, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB }, ...options });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let cause: Error | null = null;
  /** Or is about to end. */
  let hasEnded = false;
  const ended = () => new ThreadEnded(cause?.message ?? 'the thread has ended', { cause });

  function settle(id: number): Waiting | undefined {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0 && !hasEnded) worker.unref();
    return one;
  }

  worker.unref();
  worker.on('message', (reply: Reply) => {
    const one = settle(reply.id);
    if ('answer' in reply) one?.resolve(reply.answer);
    else one?.reject(errorOf(reply.failure));
  });
  worker.on('error', (error: Error) => {
    cause = error;
  });
  worker.once('exit', () => {
    hasEnded = true;
    options.onEnd?.();
    for (const id of [...waiting.keys()]) settle(id)?.reject(ended());
  });

  return {
    get waiting() {
      return waiting.size;
    },
    async ask(question, transfer = []) {
      if (hasEnded) throw ended();
      const id = asked++;
      worker.ref();
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, question } satisfies Call, transfer);
      return answer;
    },
    async end() {
      if (hasEnded) return;
      hasEnded = true;
      // Its end is awaited, and may be all that keeps the process alive.
      worker.ref();
      await worker.terminate();
    },
  };
}

/** In a thread: answers requests, in order as long as `answer` does not await. What `movedWith` an answer is not copied. */
export function answerQuestions<Answer>(
  answer: (question: unknown) => Answer | Promise<Answer>,
  movedWith: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  parentPort?.on('message', async ({ id, question }: Call) => {
    let reply: Reply;
    let moved: readonly Transferable[] = [];
    try {
      const given = await answer(question);
      moved = movedWith(given);
      reply = { id, answer: given };
    } catch (error) {
      reply = { id, failure: failureOf(error) };
    }
    parentPort?.postMessage(reply, moved);
  });
}

function failureOf(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    name,
    message,
    ...(error instanceof ReadModelDamaged && { damaged: error.place }),
    ...(error instanceof Database.SqliteError && { code: error.code }),
  };
}

function errorOf({ name, message, damaged, code }: Failure): Error {
  if (damaged !== undefined) return new ReadModelDamaged(damaged);
  if (code !== undefined) return new Database.SqliteError(message, code);
  return name === 'ReadModelUnavailable' ? new ReadModelUnavailable(message) : new Error(message);
}
