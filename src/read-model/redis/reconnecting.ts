const FIRST_MS = 50;
const LONGEST_MS = 2_000;

/** Pause before another attempt to connect, in milliseconds: doubling, with jitter, so that processes do not come all at once. */
export const reconnectDelay = (attempt: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
