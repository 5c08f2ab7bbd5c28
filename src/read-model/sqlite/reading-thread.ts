// Read models in a thread of their own, as seen from the thread that answers requests: long queries there do not block
// this one.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { Document, EventDocument, LinkedPostDocument } from '../documents.ts';
import {
  type Batch,
  type FillableModel,
  type PackedBatch,
  type ReadModel,
  ReadModelUnavailable,
} from '../read-model.ts';
import type { Terms } from '../term-queries.ts';
import { arrivedDocument, TEXTS_IN_TRANSIT } from './document-rows.ts';
import type { SqliteReadModelOptions } from './open.ts';
import { packedBuffers, unpackedTexts } from './packed-texts.ts';
import type { Portion } from './portions.ts';
import { startThread, type Thread, ThreadEnded } from './threads.ts';

type Method = keyof ReadModel;
/** Answers of these may be long. */
export type PortionedMethod = 'fetch' | 'listEvents' | 'listLinkedPosts';

interface ModelQuestion {
  /** Which of the thread's read models; it is opened on first use. */
  readonly model: number;
  readonly options: SqliteReadModelOptions;
  readonly method: Method;
  readonly args: readonly unknown[];
}

export type ReadingQuestion = ModelQuestion | { readonly rest: number };

interface ReadingThread {
  /**
   * Opens a read model in the thread. A file is reopened after the thread has ended; a read model in memory ends with
   * it, and is unavailable from then on.
   */
  open(options: SqliteReadModelOptions): FillableModel;
  /** Ends the thread. The next query starts another one. */
  end(): Promise<void>;
}

/** Queries are answered one after the other; this many may wait, further ones are refused. */
const MAX_WAITING = 64;

const SCRIPT = new URL('./reading-worker.ts', import.meta.url);

/** The thread starts with the first query. */
export function openReadingThread(): ReadingThread {
  let current: Thread | null = null;
  let opened = 0;

  function start(): Thread {
    const started = startThread(SCRIPT, {
      onEnd() {
        if (current === started) current = null;
      },
    });
    return started;
  }

  /** Rejects with `ReadModelUnavailable` if too many are waiting, or if the thread ends. */
  async function ask(question: ModelQuestion, transfer: readonly Transferable[] = []): Promise<unknown> {
    current ??= start();
    if (current.waiting >= MAX_WAITING) throw unavailable('too much is asked of it at once');
    return askIn(current, question, transfer);
  }

  async function askIn(
    thread: Thread,
    question: ReadingQuestion,
    transfer: readonly Transferable[] = [],
  ): Promise<unknown> {
    try {
      return await thread.ask(question, transfer);
    } catch (error) {
      throw error instanceof ThreadEnded ? unavailable(error.message) : error;
    }
  }

  /** All documents of an answer that begins with `first`. */
  async function whole(thread: Thread | null, first: Portion): Promise<(Document | null)[]> {
    const items = arrived(first);
    for (let { rest } = first; rest !== null && thread !== null; ) {
      // Asked for at once, it would be there before Node has stopped reading messages, and all portions be one hold.
      await nextTurn();
      const portion = (await askIn(thread, { rest })) as Portion; // As the thread answers this question.
      items.push(...arrived(portion));
      rest = portion.rest;
    }
    return items;
  }

  function open(options: SqliteReadModelOptions): FillableModel {
    const model = opened++;
    let home: Thread | null = null;
    let isClosed = false;
    let cached: { readonly version: string; readonly terms: Terms } | null = null;

    /** They are transferred as a copy, which is renewed only after a change. */
    async function terms(): Promise<Terms> {
      const version = await asking('version')();
      if (cached?.version !== version) cached = { version, terms: await asking('terms')() };
      return cached.terms;
    }

    function ended(): ReadModelUnavailable | null {
      if (isClosed) return unavailable('it is closed: the service is shutting down');
      const isLost = options.file === ':memory:' && home !== null && home !== current;
      return isLost ? unavailable('the thread that held it has ended') : null;
    }

    function askModel(
      method: Method,
      args: readonly unknown[],
      transfer: readonly Transferable[] = [],
    ): Promise<unknown> {
      const refusal = ended();
      const answer = refusal ? Promise.reject(refusal) : ask({ model, options, method, args }, transfer);
      home ??= current;
      return answer;
    }

    const asking =
      <Name extends Method>(method: Name) =>
      (...args: Parameters<Required<ReadModel>[Name]>): ReturnType<Required<ReadModel>[Name]> =>
        // The thread returns what the method of that name returns.
        askModel(method, args) as ReturnType<Required<ReadModel>[Name]>;

    /** For methods whose answers come in portions. */
    async function askForAll<Found extends Document>(method: PortionedMethod, query: unknown) {
      const answer = askModel(method, [query]);
      const thread = current;
      const { total = 0, ...first } = (await answer) as Portion & { readonly total?: number }; // As reading-worker.ts answers these methods.
      return { items: (await whole(thread, first)) as Found[], total }; // What the method lists.
    }

    return {
      takesPacked: true,
      checkpoint: asking('checkpoint'),
      progress: asking('progress'),
      version: asking('version'),
      apply: async (batch) =>
        // What the thread's model returns.
        (await askModel('apply', [batch], packedIn(batch))) as 'applied' | 'stale',
      fetch: async (keys) => (await askForAll('fetch', keys)).items,
      // Its result depends on the kind in the query.
      findBySlug: asking('findBySlug') as ReadModel['findBySlug'],
      findEvents: asking('findEvents'),
      listEvents: (query) => askForAll<EventDocument>('listEvents', query),
      listLinkedPosts: (query) => askForAll<LinkedPostDocument>('listLinkedPosts', query),
      listTerms: asking('listTerms'),
      terms,
      named: asking('named'),
      countNamed: asking('countNamed'),
      namedPage: asking('namedPage'),
      userIds: asking('userIds'),
      nextEdge: asking('nextEdge'),
      newestEvents: asking('newestEvents'),
      nextScheduled: asking('nextScheduled'),
      scheduledUntil: asking('scheduledUntil'),
      clear: asking('clear'),
      distrust: asking('distrust'),
      async close() {
        isClosed = true;
        // A thread that has ended has nothing open.
        if (home !== null && home === current) await ask({ model, options, method: 'close', args: [] }).catch(() => {});
      },
    };
  }

  return {
    open,
    async end() {
      await current?.end();
    },
  };
}

const arrived = ({ packed }: Portion): (Document | null)[] =>
  [...unpackedTexts(packed, TEXTS_IN_TRANSIT)].map(arrivedDocument);

const packedIn = (batch: Batch | PackedBatch): Transferable[] => ('bytes' in batch ? packedBuffers(batch) : []);

const unavailable = (why: string): ReadModelUnavailable =>
  new ReadModelUnavailable(`The read model is unavailable: ${why}.`);
