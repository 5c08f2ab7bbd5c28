// Tests whether writes would be accepted, before a client's write has to fail.
// decision 2
import { type AppendObserver, EventStoreUnavailable, type TryWriting } from '../log/event-store.ts';

interface WritingWatchOptions {
  /** Absent if the engine cannot tell: then the last append counts. */
  readonly tryWriting?: TryWriting | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

export type WritingWatch = ReturnType<typeof watchWriting>;

/** How long an answer of the engine is valid, however many ask. */
export const TRIED_AGAIN_AFTER_MS = 1_000;

/** How long a failed append counts. Without further writes it expires. */
export const FAILURE_TELLS_FOR_MS = 30_000;

export function watchWriting({ tryWriting, elapsed }: WritingWatchOptions) {
  let failedAt: number | null = null;
  let tried: { readonly at: number; readonly answer: ReturnType<TryWriting> } | null = null;

  async function isPossible(): Promise<boolean> {
    if (tryWriting === undefined) return false;
    if (tried === null || elapsed() - tried.at >= TRIED_AGAIN_AFTER_MS) tried = { at: elapsed(), answer: tryWriting() };
    return (await tried.answer) === 'possible';
  }

  const observeAppend: AppendObserver = ({ outcome }) => {
    if (outcome === 'conflict') return; // Nothing was to be written.
    failedAt = outcome === 'appended' ? null : elapsed();
    if (failedAt !== null) tried = null;
  };

  return {
    /** Call it for every append. */
    observeAppend,
    /** Rejects with `EventStoreUnavailable` while appends would be refused, as far as can be told. */
    async look() {
      if (await isPossible()) return;
      if (failedAt === null || elapsed() - failedAt >= FAILURE_TELLS_FOR_MS) return;
      throw new EventStoreUnavailable('The last append to the event store failed.');
    },
  };
}
