// Waits until the read model has applied a position, written by this process or another one.
import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../log/envelope.ts';
import type { ReadModel } from './read-model.ts';

interface CheckpointWatch {
  /**
   * Resolves with true once the read model has applied everything up to a position, with false after `deadlineMs` or as
   * soon as the read model is unavailable.
   */
  reached(position: Position, deadlineMs: number): Promise<boolean>;
}

interface CheckpointWatchOptions {
  readonly readModel: Pick<ReadModel, 'checkpoint'>;
  /** Polling interval, in milliseconds, while anything waits. */
  readonly pauseMs: number;
}

interface Waiter {
  readonly position: Position;
  readonly answer: (reached: boolean) => void;
}

/** One poll serves all waiters. Nothing is cached between polls: a read model may have been refilled. */
export function watchCheckpoint({ readModel, pauseMs }: CheckpointWatchOptions): CheckpointWatch {
  const waiters = new Set<Waiter>();
  let looking = false;

  function settle(isSettled: (waiter: Waiter) => boolean, reached: boolean): void {
    for (const waiter of waiters) if (isSettled(waiter)) waiter.answer(reached);
  }

  async function poll(): Promise<void> {
    looking = true;
    while (waiters.size > 0) {
      const asked = new Set(waiters);
      try {
        const checkpoint = await readModel.checkpoint();
        settle(({ position }) => position <= checkpoint, true);
      } catch {
        // The next read of the read model reports why.
        settle((waiter) => asked.has(waiter), false);
      }
      if (waiters.size > 0) await pause(pauseMs);
    }
    looking = false;
  }

  return {
    reached: (position, deadlineMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => waiter.answer(false), deadlineMs);
        const waiter: Waiter = {
          position,
          answer(reached) {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        waiters.add(waiter);
        if (!looking) void poll();
      }),
  };
}
