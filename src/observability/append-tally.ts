// Appends by what came of them, counted at every append.
import type { AppendObserver } from '../log/event-store.ts';

/** Seconds: from an append to a file on a fast disk to one that a distant cluster has to acknowledge. */
export const APPEND_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

interface AppendDurations {
  readonly outcome: string;
  /** One per bound of `APPEND_BOUNDS`: appends that took at most that long, and longer than the bound before. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** Seconds. */
  readonly sum: number;
}

export interface AppendTally {
  readonly add: AppendObserver;
  durations(): readonly AppendDurations[];
  /** How many events have been appended. */
  events(): number;
}

export function createAppendTally(): AppendTally {
  const tallies = new Map<string, { buckets: number[]; count: number; sum: number }>();
  let written = 0;
  return {
    add({ outcome, seconds, events }) {
      const tally = tallies.get(outcome) ?? { buckets: APPEND_BOUNDS.map(() => 0), count: 0, sum: 0 };
      tallies.set(outcome, tally);
      const bucket = APPEND_BOUNDS.findIndex((bound) => seconds <= bound);
      if (bucket !== -1) tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
      tally.count += 1;
      tally.sum += seconds;
      written += events;
    },
    durations: () => [...tallies].map(([outcome, tally]) => ({ outcome, ...tally })),
    events: () => written,
  };
}
