// Tests whether writes would be accepted, before a client's write has to fail.
import { type EventStore, EventStoreUnavailable, type TryWriting } from '../event-store/event-store.ts';

export interface WritingWatchOptions {
  /** Absent if the engine cannot tell: then the last append counts. */
  readonly tryWriting?: TryWriting | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

export interface WritingWatch {
  /** Call it for every append. */
  readonly observeAppend: AppendObserver;
  /** Rejects with `EventStoreUnavailable` while appends would be refused, as far as can be told. */
  look(): Promise<void>;
}

/** How long an answer of the engine is valid, however many ask. */
export const TRIED_AGAIN_AFTER_MS = 1_000;

/** How long a failed append counts. Without further writes it expires. */
export const FAILURE_TELLS_FOR_MS = 30_000;

export function watchWriting({ tryWriting, elapsed }: WritingWatchOptions): WritingWatch {
  let failedAt: number | null = null;
  let tried: { readonly at: number; readonly answer: ReturnType<TryWriting> } | null = null;

  async function isPossible(): Promise<boolean> {
    if (tryWriting === undefined) return false;
    if (tried === null || elapsed() - tried.at >= TRIED_AGAIN_AFTER_MS) tried = { at: elapsed(), answer: tryWriting() };
    return (await tried.answer) === 'possible';
  }

  return {
    observeAppend({ outcome }) {
      if (outcome === 'conflict') return; // Nothing was to be written.
      failedAt = outcome === 'appended' ? null : elapsed();
      if (failedAt !== null) tried = null;
    },
    async look() {
      if (await isPossible()) return;
      if (failedAt === null || elapsed() - failedAt >= FAILURE_TELLS_FOR_MS) return;
      throw new EventStoreUnavailable('The last append to the event store failed.');
    },
  };
}

// An event store whose appends are measured.

/** `unknown`: it is unknown whether it was written: no answer came, or an unexpected error. */
export type MeasuredOutcome = 'appended' | 'conflict' | 'unavailable' | 'unknown';

/** Called after every append with its duration, in seconds, and its number of events. */
export type AppendObserver = (append: {
  readonly outcome: MeasuredOutcome;
  readonly seconds: number;
  readonly events: number;
}) => void;

/** `store`, reporting its appends to `observe`. `elapsed`: milliseconds of a monotonic clock. */
export function measureAppends(store: EventStore, observe: AppendObserver, elapsed: () => number): EventStore {
  return {
    ...store,
    async append(appends) {
      const begun = elapsed();
      const tell = (outcome: MeasuredOutcome, events: number): void =>
        observe({ outcome, seconds: (elapsed() - begun) / 1000, events });
      const outcome = await store.append(appends).catch((error: unknown) => {
        tell(error instanceof EventStoreUnavailable ? 'unavailable' : 'unknown', 0);
        throw error;
      });
      tell(outcome.kind, outcome.kind === 'appended' ? appends.reduce((sum, { events }) => sum + events.length, 0) : 0);
      return outcome;
    },
  };
}
