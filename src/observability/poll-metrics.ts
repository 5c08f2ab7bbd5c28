// What is told of the polls of sources.

/** A source that has failed its last poll, and is not paused. */
export interface FailingSource {
  readonly source: number;
  readonly problem: string;
  /** In a row. */
  readonly failures: number;
  /** Since the first of them. */
  readonly seconds: number;
}

export interface PollsWatched {
  failing(): readonly FailingSource[];
  /** Polls that this process has carried out, by what became of them. */
  outcomes(): ReadonlyMap<string, number>;
}
