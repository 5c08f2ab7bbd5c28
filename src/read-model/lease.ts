// Which of several projectors works. Two that both believe they lead do no harm, as every batch compares the checkpoint
// first; the lease only saves them from doing each other's work.

/** Rejections: `ReadModelUnavailable`. */
export interface Lease {
  /** Takes it, or prolongs it; answers whether this process has it now. Expires by itself when it is not prolonged. */
  hold(): Promise<boolean>;
  /** Gives it back, so that another process takes over at once. */
  release(): Promise<void>;
}
