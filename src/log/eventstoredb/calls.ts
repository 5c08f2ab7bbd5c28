// Limits concurrent calls to EventStoreDB. A server that has just started answers fifteen hundred of them, but not
// within the deadline of each if all come at the same time.
// decision 7
import type { CallTerms } from './deadline.ts';
import { CallFailed } from './errors.ts';

/** Below the hundred streams that servers allow on one connection; subscriptions need some. */
export const MAX_CALLS = 64;

export type CallGate = ReturnType<typeof openCallGate>;

interface Waiting {
  begin(): void;
  fail(error: Error): void;
}

export function openCallGate({ deadlineMs, closing }: CallTerms) {
  const waiting: Waiting[] = [];
  let running = 0;
  let standstill: NodeJS.Timeout | undefined;

  function failAll(error: Error): void {
    clearTimeout(standstill);
    for (const { fail } of waiting.splice(0)) fail(error);
  }

  /** While calls end, waiting ones are only late; the deadline detects a server that ends none. */
  function watch(): void {
    clearTimeout(standstill);
    if (waiting.length === 0) return;
    standstill = setTimeout(
      () => failAll(new CallFailed('no-turn', `no call has ended for ${deadlineMs} ms`)),
      deadlineMs,
    );
  }

  function place(): Promise<void> {
    if (running < MAX_CALLS) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      waiting.push({ begin: resolve, fail: reject });
      if (waiting.length === 1) watch();
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next.begin();
    else running -= 1;
    watch();
  }

  closing.addEventListener('abort', () => failAll(new CallFailed('closed', 'the store was closed before a call')), {
    once: true,
  });

  return {
    /** Makes the call once it is allowed. Rejects if no call has ended for as long as the deadline. */
    async run<Result>(call: () => Promise<Result>): Promise<Result> {
      await place();
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}
