// A time-out as a signal, so that it can be awaited together with others.

export interface Timer {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
  stop(): void;
}

export function startTimer(milliseconds: number): Timer {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}
