// Lets so many pieces of work be done at once. Others wait in turn, and not too many of them.

export interface Gate {
  /** Does the work when its turn has come. Rejects with what `refused` makes when too many wait already. */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface GateOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly refused: () => Error;
}

export function openGate({ atOnce, mostWaiting, refused }: GateOptions): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  /** Whoever leaves hands the place on, so that nobody slips in between. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw refused();
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
