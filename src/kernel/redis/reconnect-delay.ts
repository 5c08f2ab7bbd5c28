const FIRST_MS = 50;
/** Lost data is refilled within a second of the server being back. */
const MAX_MS = 500;

/** Delay before reconnecting, in milliseconds: doubling, with jitter, so that processes do not all come at once. */
export const reconnectDelay = (attempt: number): number =>
  Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
