// Folds a log in several threads. Each opens the log and folds its share of the streams; this thread hands their packed
// documents on, block by block in the order in which streams began: a file that is filled in order stays small. See
// docs/decisions/0142-threads-that-fold.md.
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Position } from '../../src/event-store/envelope.ts';
import { EventStoreUnavailable } from '../../src/event-store/event-store.ts';
import type { RenderingSettings } from '../../src/rendering/post-fragment.ts';
import type { Skip } from '../control.ts';
import { ProjectionError } from '../projection.ts';
import { blocksIn, type FoldedPart, type FoldFailure, type FoldMessage, type FoldTask } from './fold-messages.ts';
import type { FoldedStreams, Folding, FoldOptions } from './folding.ts';

export type { LogAddress } from './fold-worker.ts';

export interface FoldThreadsOptions {
  /** How a thread opens the log: a `LogAddress`. */
  readonly log: object;
  readonly rendering: RenderingSettings;
  /** How many. */
  readonly threads: number;
  /** The number of the last stream of the log. */
  readonly lastStream: () => number;
  /** Streams that one thread takes at a time; tests lower it. */
  readonly block?: number;
}

const BLOCK = 256;

/** The folding of a log of which some events are skipped. */
export type FoldingInThreads = (skips: ReadonlyMap<Position, Skip>) => Folding;

/** Most allocations are short-lived: a large young generation collects them cheaply. In MiB. */
const NURSERY = 32;

const SCRIPT = new URL('./fold-worker.ts', import.meta.url);

/** The threads end with the last document, or when no more are asked for. Rejections: those of the log. */
export const foldingInThreads =
  (options: FoldThreadsOptions): FoldingInThreads =>
  (skips) =>
  (what) =>
    foldedInThreads(options, [...skips.values()], what);

async function* foldedInThreads(
  { log, rendering, threads, lastStream, block = BLOCK }: FoldThreadsOptions,
  skips: readonly Skip[],
  what: FoldOptions,
): AsyncGenerator<FoldedStreams> {
  // Streams that are begun from now on have nothing up to where the log is folded.
  const share = { lastStream: lastStream(), block };
  const count = Math.min(threads, blocksIn(share));
  const settings = { ...rendering, siteZone: rendering.siteZone.name };
  const started = Array.from({ length: count }, (_, thread) =>
    start({ ...what, ...share, log, skips, thread, threads: count, rendering: settings }),
  );
  try {
    for (let at = 0; at < blocksIn(share); at += 1) yield* blockOf(started[at % count]);
  } finally {
    await Promise.all(started.map(({ end }) => end()));
  }
}

async function* blockOf(thread: FoldThread | undefined): AsyncGenerator<FoldedStreams> {
  for (let isEnd = thread === undefined; !isEnd; ) {
    const part = await thread?.next();
    if (!part) return;
    const { bytes, lengths, events, last, failure, isEndOfBlock } = part;
    yield { documents: { bytes, lengths }, events, last, failure: failure && projectionError(failure) };
    isEnd = isEndOfBlock;
  }
}

interface FoldThread {
  /** The next part of its share. */
  next(): Promise<FoldedPart>;
  end(): Promise<unknown>;
}

function start(workerData: FoldTask): FoldThread {
  const worker = new Worker(SCRIPT, { workerData, resourceLimits: { maxYoungGenerationSizeMb: NURSERY } });
  const exit = new AbortController();
  const ended = new EventStoreUnavailable('A thread that folds the log has ended.');
  worker.once('exit', () => exit.abort(ended));
  const messages = on(worker, 'message', { signal: exit.signal });
  return {
    async next() {
      const { value } = await messages.next().catch((error: unknown) => {
        throw exit.signal.aborted ? ended : error;
      });
      const [message] = value as [FoldMessage]; // As fold-worker.ts sends them.
      if ('failure' in message) throw errorOf(message.failure);
      worker.postMessage('taken');
      return message.part;
    },
    end: () => worker.terminate(),
  };
}

const projectionError = ({ position, message }: FoldFailure): ProjectionError =>
  new ProjectionError(position ?? '', new Error(message));

const errorOf = ({ name, message }: FoldFailure): Error =>
  name === 'EventStoreUnavailable' ? new EventStoreUnavailable(message) : new Error(message);
