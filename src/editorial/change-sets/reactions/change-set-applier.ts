// Applies scheduled sets at their instant, and completes sets whose application was interrupted. What cannot be applied
// is left as it is.

import { type EditorialOptions, type Reaction, repeat } from '../../../reactions/repeat.ts';
import { applyDueChangeSet, completeChangeSet } from '../commands/apply.ts';
import { loadAgenda } from '../commands/load.ts';
import type { Agenda } from '../domain/change-set.ts';

const LOOK_AFTER_MS = 250;
/** After failures attempts are this many looks apart at most: half a minute. */
const MAX_LOOKS_APART = 128;

export function startChangeSetApplier({ commands, clock, newId, watch, log }: EditorialOptions): Reaction {
  /** The last failure, which is reported once. */
  let failure = '';
  let failures = 0;
  /** How many looks remain until the next attempt. */
  let looks = 0;

  async function completeUnderWay(): Promise<void> {
    const completed = await completeChangeSet(commands, clock.now());
    if (completed === null) return;
    const { set, problems } = completed;
    if (problems.length === 0) log.info({ set }, 'completed an interrupted set of changes');
    else log.error({ set, problems }, 'completed an interrupted set of changes; some of them failed');
  }

  async function applyDue(scheduled: Agenda['scheduled'], ending: AbortSignal): Promise<void> {
    for (const [set, at] of [...scheduled].sort(([, one], [, other]) => one - other)) {
      if (ending.aborted || at > clock.now()) return;
      const outcome = await applyDueChangeSet(commands, { now: clock.now(), correlationId: newId() }, set);
      if (outcome === 'applied') log.info({ set }, 'applied a scheduled set of changes');
      if (outcome === 'failed') log.error({ set }, 'applying a scheduled set of changes failed; nothing was changed');
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      if (looks > 0) {
        looks--;
        return;
      }
      const { scheduled, underWay } = await loadAgenda(commands.store);
      watch.look(underWay);
      await (underWay ? completeUnderWay() : applyDue(scheduled, ending));
      failure = '';
      failures = 0;
    },
    failed(error) {
      looks = Math.min(2 ** failures++, MAX_LOOKS_APART);
      if (failure !== String(error)) log.error({ err: error }, 'applying sets of changes failed; retrying');
      failure = String(error);
    },
  });
}
