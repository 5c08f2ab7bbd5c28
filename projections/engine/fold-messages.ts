// What threads that fold a log are told, and what they say. Plain data: it is copied, or moved, from thread to thread.
import type { Position } from '../../src/event-store/envelope.ts';
import type { PackedDocuments } from '../../src/read-model/read-model.ts';
import type { RenderingSettings } from '../../src/rendering/post-fragment.ts';
import type { Skip } from '../control.ts';
import type { FoldedPlace, FoldOptions } from './folding.ts';

/** How a thread opens the log; `Log` is made and read by those who know the adapters. */
export interface FoldTask<Log = object> extends FoldOptions {
  readonly log: Log;
  readonly rendering: Omit<RenderingSettings, 'siteZone'> & { readonly siteZone: string };
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

export const blocksIn = ({ lastStream, block }: Pick<FoldTask, 'lastStream' | 'block'>): number =>
  Math.ceil(lastStream / block);

/** Portions that a thread may be ahead of the one that writes: some megabytes. */
export const MAX_AHEAD = 6;

export interface FoldFailure {
  readonly name: string;
  readonly message: string;
  /** Of an event that cannot be folded. */
  readonly position: Position | null;
}

/** Some streams of a block, in their order; errors lose their class on the way. */
export interface FoldedPart extends PackedDocuments {
  readonly events: number;
  readonly last: FoldedPlace;
  readonly failure: FoldFailure | null;
  readonly isEndOfBlock: boolean;
}

/** The next part, or why there is none. */
export type FoldMessage = { readonly part: FoldedPart } | { readonly failure: FoldFailure };
