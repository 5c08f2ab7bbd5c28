const FIRST_MS = 50;
/** What was lost is filled again within a second of the server being back. */
const LONGEST_MS = 500;

/** Pause before another attempt to connect, in milliseconds: doubling, with jitter, so that processes do not come all at once. */
export const reconnectDelay = (attempt: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
