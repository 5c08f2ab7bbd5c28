// How far ahead the dates of a series exist: a fact, so that projections need no clock.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, type StepDependencies } from '../../../commands/handle-command.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { systemActor } from '../../../log/writing.ts';
import { HORIZON_SECONDS, type Series, type SeriesFact } from '../domain/facts.ts';
import { evolveSeries } from '../domain/occurrences.ts';
import { SERIES_PREFIX } from '../facts/occurrences.ts';
import { redated } from './record.ts';

const HORIZON = systemActor('horizon');

/** Dates are added once this many seconds are missing: a month, so that each series takes one step a month. */
const STEP_SECONDS = 30 * 86_400;

/** Whether a series needs more dates. */
const isShort = ({ horizon, goesOn, inTrash }: Series, now: EpochSeconds): boolean =>
  goesOn && !inTrash && horizon < now + HORIZON_SECONDS - STEP_SECONDS;

/**
 * Gives a series the dates of the next two years. True if there was something to do. A series whose rules cannot be
 * followed so far, because there would be too many dates, stays as it is. Rejects like the store.
 */
export async function moveHorizon(
  dependencies: StepDependencies & Pick<CommandDependencies, 'postIds'>,
  { now, correlationId }: Pick<CommandContext, 'now' | 'correlationId'>,
  id: number,
): Promise<boolean> {
  const stream = `${SERIES_PREFIX}${id}`;
  const context = { caller: null, actor: HORIZON, now, correlationId };
  let isMoved = false;
  const result = await handleCommand<Series, SeriesFact>(dependencies, context, [stream], async (unit) => {
    const { state: series } = await unit.load(stream, evolveSeries);
    isMoved = false;
    if (series && isShort(series, now)) {
      const after = await redated(unit, dependencies, series, { kind: 'horizon', horizon: now + HORIZON_SECONDS });
      isMoved = !('rejection' in after);
    }
    return { kind: 'planned', id, stream, evolve: evolveSeries, created: false };
  });
  return isMoved && result.kind === 'written';
}
