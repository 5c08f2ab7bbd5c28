// One deadline for a call, from its beginning to its answer.
import { NoAnswer, StoreClosed } from './errors.ts';

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
