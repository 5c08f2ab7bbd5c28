// The port of generations. A generation is one complete build of the views; one of them is in use, another one may be
// built beside it and put in its place while reads go on. Adapters: sqlite/generations.ts and
// redis/generations.ts; both pass the same contract suite (test/contract).
import type { DocumentKey } from './documents.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model.ts';

export interface Generation {
  readonly name: string;
  /** This very generation, also when another one has meanwhile come into use. */
  readonly model: ReadModel;
  /** The keys of all its documents, in portions and in any order; while it is written to, one may come twice. */
  keys(): AsyncIterable<readonly DocumentKey[]>;
  close(): Promise<void>;
}

/** A generation that is not read yet. */
export interface Build extends Generation {
  /**
   * Puts it in the place of the generation in use, if it has applied everything that that one has: from this moment
   * nothing is applied to the other one any more, and every process that works with it goes on with this
   * one. `behind`: the other one is further on; nothing has happened. Rejects when the right to rebuild is lost.
   */
  promote(): Promise<'live' | 'behind'>;
  /** Leaves nothing of it. */
  discard(): Promise<void>;
}

/** The right to rebuild, which one process has at a time. It ends with the process, however that ends. */
export interface Claim {
  /** Begins an empty generation. */
  begin(): Promise<Build>;
  /** Finishes a switch that was cut short, and drops what is not needed: builds that were given up, and what was replaced. Answers how many. */
  cleanUp(): Promise<number>;
  release(): Promise<void>;
}

/** Rejections: `ReadModelUnavailable`. */
export interface Generations {
  /** The generation that this code with these settings uses; null when it has none yet. */
  live(): Promise<Generation | null>;
  /** Rejects with `RebuildUnderWay` while another process has the right. */
  claim(): Promise<Claim>;
  close(): Promise<void>;
}

/** Another process is rebuilding these views. */
export class RebuildUnderWay extends ReadModelUnavailable {
  constructor(address: string) {
    super(`The read model ${address} is being rebuilt by another process: wait for it to end, then try again.`);
  }
}
