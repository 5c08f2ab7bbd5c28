// Wakes waiting subscriptions of sqlite.ts when there may be something new to read.

export interface Wakeups {
  /** Resolves at the next change of the log, or when the signal aborts; possibly early, never late. */
  next(signal: AbortSignal): Promise<void>;
  /** The log has changed, or is about to be closed: all waiting subscriptions check again. */
  wake(): void;
}

/**
 * Appends of this process call `wake`. Those of other processes show in `dataVersion`, which is polled every
 * `pollInterval` milliseconds only while a subscriber waits. If polling fails all are woken: their next read meets the
 * failure and reports it to the subscriber.
 */
export function createWakeups(dataVersion: () => number, pollInterval: number): Wakeups {
  const sleepers = new Set<() => void>();
  let seen = dataVersion();
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    clearInterval(timer);
    timer = undefined;
    const woken = [...sleepers];
    sleepers.clear();
    for (const resume of woken) resume();
  }

  function poll(): void {
    try {
      const current = dataVersion();
      if (current === seen) return;
      seen = current;
    } catch {
      // Reported by the subscribers' own reads, see above.
    }
    wake();
  }

  return {
    wake,
    next(signal) {
      return new Promise((resolve) => {
        function resume(): void {
          sleepers.delete(resume);
          signal.removeEventListener('abort', resume);
          if (sleepers.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          resolve();
        }
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', resume, { once: true });
        sleepers.add(resume);
        timer ??= setInterval(poll, pollInterval);
      });
    },
  };
}
