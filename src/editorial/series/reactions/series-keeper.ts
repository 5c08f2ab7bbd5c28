// Keeps the dates of series two years ahead, and completes splits whose writer has died. Runs in every process that answers
// requests, without coordination: the log accepts each step at one revision only. The read model says which series there
// are; the decision is made again on the log.

import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { type EditorialOptions, type Reaction, repeat } from '../../../reactions/repeat.ts';
import { DIVIDED, GOES_ON } from '../../../read-model/documents.ts';
import { moveHorizon } from '../commands/horizon.ts';
import { completeSplits } from '../commands/split.ts';

/** The interval of checking the clock. */
const LOOK_AFTER_MS = 1_000;
/** Between two rounds, in seconds of the clock: an hour. Dates are needed a month before they are missing. */
const ROUND_SECONDS = 3_600;
const PAGE = 100;

/** Starts at once with a first round. */
export function startSeriesKeeper({ commands, readModel, clock, newId, log }: EditorialOptions): Reaction {
  let next: EpochSeconds | null = null;

  async function forEach(name: string, ending: AbortSignal, step: (id: number) => Promise<void>): Promise<void> {
    let below: number | undefined;
    while (!ending.aborted) {
      const part = { offset: 0, limit: PAGE, ...(below !== undefined && { below }) };
      const ids = await readModel.namedPage('series', name, part);
      for (const id of ids) if (!ending.aborted) await step(id);
      below = ids.at(-1);
      if (ids.length < PAGE) return;
    }
  }

  async function round(now: EpochSeconds, ending: AbortSignal): Promise<void> {
    const context = { now, correlationId: newId() };
    await forEach(DIVIDED, ending, async (id) => {
      if ((await completeSplits(commands, context, id)) > 0)
        log.info({ series: id }, 'completed an interrupted split of a series');
    });
    await forEach(GOES_ON, ending, async (id) => {
      if (await moveHorizon(commands, context, id)) log.info({ series: id }, 'added dates to a series');
    });
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
    failed: (error) => log.error({ err: error }, 'adding dates to series failed; retrying'),
  });
}
