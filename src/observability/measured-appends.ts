// An event store whose appends are measured.
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts';

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
