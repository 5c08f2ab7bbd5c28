// Bounds how many pieces of work are under way at once. Others wait in turn, and no more than so many.

export interface Gate {
  /** Does the work when its turn has come. Rejects with what `refused` makes when too many wait already. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface GateOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly refused: () => Error;
}

export function openGate({ concurrency, maxWaiting, refused }: GateOptions): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  /** A place that is left is handed on, so that no one slips in between. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  async function enter(): Promise<void> {
    if (inside < concurrency) {
      inside += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw refused();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  return {
    async pass(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
