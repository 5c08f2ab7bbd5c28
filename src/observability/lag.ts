// How far the read model is behind the log, in events and in seconds.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import { LOG_START, type Position, type RecordedEvent } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';

export interface Lag {
  /** Events of the projections that the read model has not applied. */
  readonly events: number;
  /** `at least`: counting ended at its limit. */
  readonly counted: 'exactly' | 'at least';
  /** Age of the oldest of them, in whole seconds; 0 if there is none. */
  readonly seconds: number;
}

export interface LagMeterOptions {
  readonly store: Pick<EventStore, 'readAll'>;
  /** Prefixes of the streams that projections read. */
  readonly prefixes: readonly string[];
  readonly now: () => EpochSeconds;
  /** Limit of counting: beyond it the number matters less than the cost of finding it. */
  readonly limit?: number;
  /** Events per read; others get their turn between two reads. */
  readonly pageSize?: number;
}

/** Default limit of counting. */
export const LAG_LIMIT = 10_000;
const DEFAULT_PAGE_SIZE = 500;

interface Outstanding {
  readonly position: Position;
  readonly instant: string;
}

/** The events after a position, as far as they have been read. */
interface Stretch {
  readonly after: Position;
  readonly outstanding: readonly Outstanding[];
}

/**
 * Counted events are cached, so that a measurement reads only those added since the last one, even if a projector has
 * been stopped for days.
 */
export function createLagMeter(options: LagMeterOptions) {
  const { store, prefixes, now, limit = LAG_LIMIT, pageSize = DEFAULT_PAGE_SIZE } = options;
  let measured: Stretch = { after: LOG_START, outstanding: [] };

  /** The cached events that are still after `checkpoint`; none if the checkpoint went back. */
  const remainder = (checkpoint: Position): Outstanding[] =>
    checkpoint < measured.after ? [] : measured.outstanding.filter(({ position }) => position > checkpoint);

  async function readOn(outstanding: Outstanding[], after: Position): Promise<void> {
    let from = after;
    while (outstanding.length < limit) {
      const size = Math.min(pageSize, limit - outstanding.length);
      const page = await store.readAll({ after: from, prefixes, limit: size });
      outstanding.push(...page.map(placeAndTime));
      const last = page.at(-1);
      if (!last || page.length < size) return;
      from = last.position;
      await nextTurn();
    }
  }

  return {
    /** Measures the lag of a read model at `checkpoint` behind a log that ends at `head`. Rejects like the store. */
    async measure(checkpoint: Position, head: Position): Promise<Lag> {
      const outstanding = remainder(checkpoint);
      const from = outstanding.at(-1)?.position ?? checkpoint;
      // The head may be in a stream that no projection reads; then the read finds nothing.
      if (head > from) await readOn(outstanding, from);
      measured = { after: checkpoint, outstanding };
      return {
        events: outstanding.length,
        counted: outstanding.length < limit ? 'exactly' : 'at least',
        seconds: ageOf(outstanding[0], now()),
      };
    },
  };
}

const placeAndTime = ({ position, metadata }: RecordedEvent): Outstanding => ({ position, instant: metadata.instant });

/** Writers' clocks may be ahead of ours: no event is younger than now. */
function ageOf(oldest: Outstanding | undefined, now: EpochSeconds): number {
  if (oldest === undefined) return 0;
  const seconds = Math.floor(now - Date.parse(oldest.instant) / 1000);
  return Math.max(0, seconds);
}
