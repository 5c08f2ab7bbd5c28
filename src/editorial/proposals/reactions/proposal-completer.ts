// Completes approvals that were interrupted between their appends, where the store has no transactions: by a crash, or
// by an outage. Once after the start it also writes into proposals which sets they are in, where an interrupted step of a
// set or an earlier release has left that out.
//
// The read model says which proposals are approved and not applied; the decision is made again on the log.

import { isOutage } from '../../../log/writing.ts';
import { type EditorialOptions, type Reaction, repeat } from '../../../reactions/repeat.ts';
import { repairAllMemberships } from '../../change-sets/commands/membership.ts';
import { completeApproval } from '../commands/complete.ts';

const LOOK_AFTER_MS = 2_000;

export function startProposalCompleter({ commands, readModel, clock, newId, log }: EditorialOptions): Reaction {
  let isRepaired = false;
  /** Reported once. */
  const failing = new Set<number>();

  async function completeOne(id: number): Promise<void> {
    try {
      const state = await completeApproval(commands, { now: clock.now(), correlationId: newId() }, id);
      failing.delete(id);
      if (state !== null) log.info({ proposal: id, state }, 'completed an interrupted approval');
    } catch (error) {
      if (isOutage(error)) throw error;
      if (!failing.has(id)) log.error({ err: error, proposal: id }, 'interrupted approval could not be completed');
      failing.add(id);
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      if (!isRepaired) {
        const approved = await readModel.named('proposal', 'state:approved_for_set');
        await repairAllMemberships(commands, { now: clock.now(), correlationId: newId() }, [...approved]);
        isRepaired = true;
      }
      for (const id of await readModel.named('proposal', 'state:approved')) {
        if (ending.aborted) return;
        await completeOne(id);
      }
    },
    failed: (error) => log.error({ err: error }, 'search for interrupted approvals failed'),
  });
}
