// Read models in a thread of their own, seen from the thread that answers requests: what takes its time there keeps
// nobody waiting here.
import { Worker } from 'node:worker_threads';
import { ReadModelDamaged } from '../damage.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model.ts';
import type { Terms } from '../term-queries.ts';
import type { SqliteReadModelOptions } from './open.ts';

type Method = keyof ReadModel;

export interface ThreadCall {
  readonly id: number;
  /** Which of the thread's read models; it is opened when it is asked for the first time. */
  readonly model: number;
  readonly options: SqliteReadModelOptions;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** Errors lose their class on the way. */
export type ThreadReply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: Failure };

interface Failure {
  readonly name: string;
  readonly message: string;
  /** What was found damaged; null where it is something else that failed. */
  readonly damaged: string | null;
}

export interface ReadingThread {
  /**
   * Opens a read model in the thread. A file is opened again when the thread has ended; a read model in memory ends with
   * it, and is unavailable from then on.
   */
  open(options: SqliteReadModelOptions): ReadModel;
  /** Ends the thread. The next question starts another one. */
  end(): Promise<void>;
}

/** One question after the other is answered; beyond so many that wait, others are refused. */
const MAX_WAITING = 64;

const SCRIPT = new URL('./reading-worker.ts', import.meta.url);

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The thread starts with the first question, and does not keep the process alive while none is under way. */
export function openReadingThread(): ReadingThread {
  let worker: Worker | null = null;
  let asked = 0;
  let opened = 0;
  const waiting = new Map<number, Waiting>();

  function settle(id: number): Waiting | undefined {
    const one = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
    return one;
  }

  function start(): Worker {
    const started = new Worker(SCRIPT);
    started.on('message', (reply: ThreadReply) => {
      const one = settle(reply.id);
      if ('answer' in reply) one?.resolve(reply.answer);
      else one?.reject(errorOf(reply.failure));
    });
    let cause = new Error('the thread has ended');
    started.on('error', (error: Error) => {
      cause = error;
    });
    started.once('exit', () => {
      if (worker === started) worker = null;
      for (const id of [...waiting.keys()]) settle(id)?.reject(unavailable(cause.message));
    });
    return started;
  }

  /** Rejects with `ReadModelUnavailable` when too many wait already, or when the thread ends. */
  function ask(call: Omit<ThreadCall, 'id'>): Promise<unknown> {
    if (waiting.size >= MAX_WAITING) return Promise.reject(unavailable('too much is asked of it at once'));
    const id = asked++;
    worker ??= start();
    worker.ref();
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    worker.postMessage({ id, ...call } satisfies ThreadCall);
    return answer;
  }

  function open(options: SqliteReadModelOptions): ReadModel {
    const model = opened++;
    let home: Worker | null = null;
    let isClosed = false;
    let known: { readonly version: string; readonly terms: Terms } | null = null;

    /** They come as a copy, which is made anew only when something has changed. */
    async function terms(): Promise<Terms> {
      const version = await asking('version')();
      if (known?.version !== version) known = { version, terms: await asking('terms')() };
      return known.terms;
    }

    function ended(): ReadModelUnavailable | null {
      if (isClosed) return unavailable('it is closed: the service is shutting down');
      const isLost = options.file === ':memory:' && home !== null && home !== worker;
      return isLost ? unavailable('the thread that held it has ended') : null;
    }

    const asking =
      <Name extends Method>(method: Name) =>
      (...args: Parameters<ReadModel[Name]>): ReturnType<ReadModel[Name]> => {
        const refusal = ended();
        const answer = refusal ? Promise.reject(refusal) : ask({ model, options, method, args });
        home ??= worker;
        // The thread answers what the method of that name answers.
        return answer as ReturnType<ReadModel[Name]>;
      };

    return {
      checkpoint: asking('checkpoint'),
      progress: asking('progress'),
      version: asking('version'),
      apply: asking('apply'),
      fetch: asking('fetch'),
      // Its answer follows the kind that is asked for.
      findBySlug: asking('findBySlug') as ReadModel['findBySlug'],
      findEvents: asking('findEvents'),
      listEvents: asking('listEvents'),
      listLinkedPosts: asking('listLinkedPosts'),
      listTerms: asking('listTerms'),
      terms,
      userIds: asking('userIds'),
      nextEdge: asking('nextEdge'),
      newestEvents: asking('newestEvents'),
      nextScheduled: asking('nextScheduled'),
      scheduledUntil: asking('scheduledUntil'),
      clear: asking('clear'),
      distrust: asking('distrust'),
      async close() {
        isClosed = true;
        // A thread that has ended holds nothing open.
        if (home !== null && home === worker) await ask({ model, options, method: 'close', args: [] }).catch(() => {});
      },
    };
  }

  return {
    open,
    async end() {
      // Its end is waited for, and may be all that keeps the process alive.
      worker?.ref();
      await worker?.terminate();
    },
  };
}

const unavailable = (why: string): ReadModelUnavailable =>
  new ReadModelUnavailable(`The read model is unavailable: ${why}.`);

const errorOf = ({ name, message, damaged }: Failure): Error => {
  if (damaged !== null) return new ReadModelDamaged(damaged);
  return name === 'ReadModelUnavailable' ? new ReadModelUnavailable(message) : new Error(message);
};
