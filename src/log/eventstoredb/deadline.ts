// One deadline for a call, from its beginning to its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailed } from './errors.ts';

/** How often a call that failed in passing is made. */
export const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;

/** Before the next attempt: longer each time, and not for all at once. */
export const pauseAfter = (attempt: number): Promise<void> =>
  sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));

export interface CallTerms {
  /** Longest silence within one call, in milliseconds. */
  readonly deadlineMs: number;
  /** Aborted when the store is closed. */
  readonly closing: AbortSignal;
}

interface DeadlineOptions extends CallTerms {
  /** Asked at each deadline without an answer, for a while; the call is given up if it rejects. Absent: it is given up. */
  readonly onSilence?: () => Promise<unknown>;
}

/** For so many times the deadline a server may search among events of others without a word. */
const MAX_SILENCES = 40;

/**
 * The result of a call. Rejects as it does, when nothing was `heard` for the deadline, and when
 * the store is closed; `givenUp` tells the call then. What becomes of it afterwards does not matter.
 */
export function withDeadline<Result>(
  call: (givenUp: AbortSignal, heard: () => void) => Promise<Result>,
  { deadlineMs, closing, onSilence }: DeadlineOptions,
): Promise<Result> {
  if (closing.aborted) return Promise.reject(new CallFailed('closed', 'the store is closed'));
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    let silences = 0;
    let isOver = false;
    const timer = setTimeout(() => {
      silences += 1;
      const isHopeless = onSilence === undefined || silences > MAX_SILENCES;
      if (isHopeless) giveUp(new CallFailed('deadline-exceeded', `no answer within ${deadlineMs * silences} ms`));
      else onSilence().then(listen, giveUp);
    }, deadlineMs);
    const close = (): void => giveUp(new CallFailed('closed', 'the store was closed during a call'));
    /** A timer that was cleared would run again. */
    const listen = (): unknown => isOver || timer.refresh();
    const release = (): void => {
      isOver = true;
      clearTimeout(timer);
      closing.removeEventListener('abort', close);
    };
    function giveUp(error: Error): void {
      release();
      reject(error);
      controller.abort();
    }
    function heard(): void {
      silences = 0;
      listen();
    }
    closing.addEventListener('abort', close, { once: true });
    call(controller.signal, heard).finally(release).then(resolve, reject);
  });
}
