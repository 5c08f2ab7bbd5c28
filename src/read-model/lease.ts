// Decides which of several projectors works. Two that both believe they lead do no harm, because every batch compares
// the checkpoint first; the lease only saves duplicate work.

/** Rejections: `ReadModelUnavailable`. */
export interface Lease {
  /** Takes or renews it; returns whether this process has it now. Expires unless it is renewed. */
  hold(): Promise<boolean>;
  /** Releases it, so that another process takes over at once. */
  release(): Promise<void>;
}
