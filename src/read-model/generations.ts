// The port of generations. A generation is one complete build of the read model; one of them is in use, another may be
// built beside it and replace it while reads continue. Adapters: sqlite/generations.ts and redis/generations.ts; both
// pass the same contract suite (test/contract).
import type { Document, DocumentKey } from './documents.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model.ts';
import type { ReadModelStorage } from './storage.ts';

export interface Beside {
  /** As packed. */
  readonly row: Uint8Array | null;
  /** Whether it can be looked up by each of its names. */
  readonly hasNames: boolean;
}

export interface Generation {
  readonly name: string;
  /** This generation, even if another one has come into use meanwhile. */
  readonly model: ReadModel;
  /** The storage of the read model. */
  readonly storage: ReadModelStorage;
  /** The keys of all its documents, in portions and in any order; during writes one may be returned twice. */
  keys(): AsyncIterable<readonly DocumentKey[]>;
  /** The rows and names that are stored beside documents, in the same order. */
  beside(documents: readonly Document[]): Promise<readonly Beside[]>;
  close(): Promise<void>;
}

/** A generation that is not read yet. */
export interface Build extends Generation {
  /**
   * Replaces the generation in use, if this one has applied everything that that one has: from this moment nothing is
   * applied to the old one, and every process continues with this one. `behind`: the other one is further on; nothing
   * has changed. Rejects if the right to rebuild is lost.
   */
  promote(): Promise<'live' | 'behind'>;
  /** Deletes all of it. */
  discard(): Promise<void>;
}

/** The right to rebuild, which one process has at a time. It ends with the process, however that ends. */
export interface Claim {
  /** Begins an empty generation. */
  begin(): Promise<Build>;
  /**
   * Completes an interrupted switch, and drops what is not needed: abandoned builds and replaced generations. Returns
   * how many.
   */
  cleanUp(): Promise<number>;
  release(): Promise<void>;
}

/** Rejections: `ReadModelUnavailable`. */
export interface Generations {
  /** The generation in use by this code with these settings; null if there is none yet. */
  live(): Promise<Generation | null>;
  /** Rejects with `RebuildUnderWay` while another process has the right. */
  claim(): Promise<Claim>;
  close(): Promise<void>;
}

/** Another process is rebuilding the read model. */
export class RebuildUnderWay extends ReadModelUnavailable {
  constructor(address: string) {
    super(`The read model ${address} is being rebuilt by another process: wait for it to end, then try again.`);
  }
}

// Decides which of several projectors works. Two that both believe they lead do no harm, because every batch compares
// the checkpoint first; the lease only saves duplicate work.

/** Rejections: `ReadModelUnavailable`. */
export interface Lease {
  /** Takes or renews it; returns whether this process has it now. Expires unless it is renewed. */
  hold(): Promise<boolean>;
  /** Releases it, so that another process takes over at once. */
  release(): Promise<void>;
}
