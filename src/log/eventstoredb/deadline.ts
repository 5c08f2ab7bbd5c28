// One deadline for a call, from its beginning to its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer, StoreClosed } from './errors.ts';

/** How often a call that failed in passing is made. */
export const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;

/** Before the next attempt: longer each time, and not for all at once. */
export const pauseAfter = (attempt: number): Promise<void> =>
  sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));

interface DeadlineOptions {
  /** In milliseconds. */
  readonly deadlineMs: number;
  /** Aborted when the store is closed. */
  readonly closing: AbortSignal;
}

/**
 * The result of a call. Rejects as it does, with `NoAnswer` after the deadline, and with `StoreClosed` when the store is closed;
 * `givenUp` tells the call then. What becomes of it afterwards does not matter.
 */
export function withDeadline<Result>(
  call: (givenUp: AbortSignal) => Promise<Result>,
  { deadlineMs, closing }: DeadlineOptions,
): Promise<Result> {
  if (closing.aborted) return Promise.reject(new StoreClosed('the store is closed'));
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => giveUp(new NoAnswer(`no answer within ${deadlineMs} ms`)), deadlineMs);
    const close = (): void => giveUp(new StoreClosed('the store was closed during a call'));
    const release = (): void => {
      clearTimeout(timer);
      closing.removeEventListener('abort', close);
    };
    function giveUp(error: Error): void {
      release();
      reject(error);
      controller.abort();
    }
    closing.addEventListener('abort', close, { once: true });
    call(controller.signal).finally(release).then(resolve, reject);
  });
}
