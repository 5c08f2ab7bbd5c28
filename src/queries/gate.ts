// Limits concurrent work. Others wait in turn, up to a limit.

interface Gate {
  /** Runs the work in its turn. Rejects with the result of `refused` if too many are waiting. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface GateOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly refused: () => Error;
}

export function openGate({ concurrency, maxWaiting, refused }: GateOptions): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  /** A free place is handed on, so that no newcomer overtakes the queue. */
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
