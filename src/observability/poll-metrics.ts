// Metrics of the polls of sources.
import { Counter, type Registry } from 'prom-client';
import { sourcedGauge } from './sourced-gauge.ts';

/** A source that has failed its last poll, and is not paused. */
export interface FailingSource {
  readonly source: number;
  readonly problem: string;
  /** In a row. */
  readonly failures: number;
  /** Since the first of them. */
  readonly seconds: number;
}

export interface PollsWatched {
  failing(): readonly FailingSource[];
  /** Polls that this process has carried out, by what became of them. */
  outcomes(): ReadonlyMap<string, number>;
}

/** Their ids are no labels, because they come and go. */
export function pollMetrics(registers: Registry[]): (polls: PollsWatched) => void {
  let watched: PollsWatched | null = null;
  new Counter({
    name: 'daybook_source_polls_total',
    help: 'Polls of sources that this process has carried out, by what became of them.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of watched?.outcomes() ?? []) this.inc({ outcome }, count);
    },
  });
  const failing = sourcedGauge(registers, {
    name: 'daybook_sources_failing',
    help: 'Sources that have failed their last poll and are not paused, as seen by this process.',
  });
  const seconds = sourcedGauge(registers, {
    name: 'daybook_source_failing_seconds',
    help: 'For how long the source that has failed for longest has done so; 0 for none.',
  });
  return (polls) => {
    watched = polls;
    failing(() => polls.failing().length);
    seconds(() => Math.max(0, ...polls.failing().map((one) => one.seconds)));
  };
}
