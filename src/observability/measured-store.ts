// An event store whose appends are measured.
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts';

/** `unknown`: nobody can say whether it was written, be it that no answer came or that the failure is none we know. */
export type MeasuredOutcome = 'appended' | 'conflict' | 'unavailable' | 'unknown';

/** Told of every append once it has ended: how long it took, in seconds, and how many events it wrote. */
export type AppendObserver = (append: {
  readonly outcome: MeasuredOutcome;
  readonly seconds: number;
  readonly events: number;
}) => void;

/** `store`, of whose appends `observe` is told. `elapsed`: milliseconds since some moment, never going back. */
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
