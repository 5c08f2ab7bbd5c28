// Folds a log in several threads. Each folds its share of the streams; this thread hands their packed documents on, block
// by block in the order in which streams began: a file that is filled in order stays small.
import type { Position } from '../../src/event-store/envelope.ts';
import type { PackedDocuments } from '../../src/read-model/read-model.ts';
import { type LogSource, type LogThread, startLogThread } from '../log-threads.ts';
import { ProjectionError } from '../projection.ts';
import type { Skip } from './control.ts';
import type { FoldedPlace, FoldedStreams, Folding, FoldOptions } from './folding.ts';

export interface FoldThreadsOptions extends LogSource {
  /** How many. */
  readonly threads: number;
  /** The number of the last stream of the log. */
  readonly lastStream: () => number;
  /** Streams that one thread takes at a time; tests lower it. */
  readonly block?: number;
}

/** What a thread is to fold, besides its source. */
export interface FoldTask extends FoldOptions {
  readonly skips: readonly Skip[];
  /** The number of this thread, from 0, and how many there are. */
  readonly thread: number;
  readonly threads: number;
  /** The number of the last stream. */
  readonly lastStream: number;
  /**
   * Streams are dealt out to the threads in blocks of this many, in turns. A block has what lies side by side in the log, so
   * that two threads seldom read the same pages of it.
   */
  readonly block: number;
}

/** Some streams of a block, in their order. */
export interface FoldedPart extends PackedDocuments {
  readonly events: number;
  readonly last: FoldedPlace;
  readonly failure: Pick<ProjectionError, 'position' | 'message'> | null;
  readonly isEndOfBlock: boolean;
}

const BLOCK = 256;

export const blocksIn = ({ lastStream, block }: Pick<FoldTask, 'lastStream' | 'block'>): number =>
  Math.ceil(lastStream / block);

/** The folding of a log of which some events are skipped. */
export type FoldingInThreads = (skips: ReadonlyMap<Position, Skip>) => Folding;

const SCRIPT = new URL('./fold-worker.ts', import.meta.url);

/** The threads end with the last document, or when no more are asked for. Rejections: those of the log. */
export const foldingInThreads =
  (options: FoldThreadsOptions): FoldingInThreads =>
  (skips) =>
  (what) =>
    foldedInThreads(options, [...skips.values()], what);

async function* foldedInThreads(
  { threads, lastStream, block = BLOCK, ...source }: FoldThreadsOptions,
  skips: readonly Skip[],
  what: FoldOptions,
): AsyncGenerator<FoldedStreams> {
  // Streams that are begun from now on have nothing up to where the log is folded.
  const share = { lastStream: lastStream(), block };
  const count = Math.min(threads, blocksIn(share));
  const started = Array.from({ length: count }, (_, thread) =>
    startLogThread<FoldTask, FoldedPart>(SCRIPT, source, { ...what, ...share, skips, thread, threads: count }),
  );
  try {
    for (let at = 0; at < blocksIn(share); at += 1) {
      const thread = started[at % count];
      if (thread) yield* blockOf(thread);
    }
  } finally {
    await Promise.all(started.map(({ end }) => end()));
  }
}

async function* blockOf(thread: LogThread<FoldedPart>): AsyncGenerator<FoldedStreams> {
  for (;;) {
    const { bytes, lengths, events, last, failure, isEndOfBlock } = await thread.next();
    yield { documents: { bytes, lengths }, events, last, failure: failure && projectionError(failure) };
    if (isEndOfBlock) return;
  }
}

const projectionError = ({ position, message }: NonNullable<FoldedPart['failure']>): ProjectionError =>
  new ProjectionError(position, new Error(message));
