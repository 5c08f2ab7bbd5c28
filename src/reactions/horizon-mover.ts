// Keeps the dates of series two years ahead. Runs in every process that answers requests, without coordination: the log
// accepts each step at one revision only. The read model says which series there are; the decision is made again on the
// log.

import { GOES_ON } from '../read-model/documents.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { type Reaction, type ReactionOptions, repeat } from './repeat.ts';

interface HorizonMoverOptions extends ReactionOptions {
  readonly readModel: Pick<ReadModel, 'namedPage'>;
  /** `moveHorizon` over the log. */
  readonly move: (
    context: { readonly now: EpochSeconds; readonly correlationId: string },
    id: number,
  ) => Promise<boolean>;
  readonly newId: () => string;
}

/** The interval of checking the clock. */
const LOOK_AFTER_MS = 1_000;
/** Between two rounds, in seconds of the clock: a day, as dates are needed a month before they are missing. */
const ROUND_SECONDS = 86_400;
const PAGE = 100;

/** Starts at once with a first round. */
export function startHorizonMover({ readModel, move, clock, newId, log }: HorizonMoverOptions): Reaction {
  let next: EpochSeconds | null = null;

  async function round(now: EpochSeconds, ending: AbortSignal): Promise<void> {
    const correlationId = newId();
    for (let offset = 0; !ending.aborted; offset += PAGE) {
      const ids = await readModel.namedPage('series', GOES_ON, { offset, limit: PAGE });
      for (const id of ids)
        if (!ending.aborted && (await move({ now, correlationId }, id)))
          log.info({ series: id }, 'dates were added to a series');
      if (ids.length < PAGE) return;
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      const now = clock.now();
      // A clock that was put back must not stop it.
      if (next !== null && now < next && now >= next - ROUND_SECONDS) return;
      await round(now, ending);
      next = now + ROUND_SECONDS;
    },
    failed: (error) => log.error({ err: error }, 'could not add dates to series'),
  });
}
