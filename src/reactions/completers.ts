// What every process that answers requests carries on by itself: interrupted approvals, merges and sets to their end, sets
// that are due, the dates of series, and deliveries of webhooks.
// decision 24

import type { CommandContext } from '../commands/context.ts';
import { applyDueChangeSet, completeChangeSet } from '../editorial/change-sets/commands/apply.ts';
import { loadAgenda } from '../editorial/change-sets/commands/load.ts';
import { repairAllMemberships } from '../editorial/change-sets/commands/membership.ts';
import { startChangeSetApplier } from '../editorial/change-sets/reactions/change-set-applier.ts';
import { completeMerge } from '../editorial/merges/commands/complete.ts';
import { startMergeCompleter } from '../editorial/merges/reactions/merge-completer.ts';
import { completeApproval } from '../editorial/proposals/commands/complete.ts';
import type { ProposalDependencies } from '../editorial/proposals/commands/proposals.ts';
import { startProposalCompleter } from '../editorial/proposals/reactions/proposal-completer.ts';
import { moveHorizon } from '../editorial/series/commands/horizon.ts';
import { completeSplits } from '../editorial/series/commands/split.ts';
import { startSeriesKeeper } from '../editorial/series/reactions/series-keeper.ts';
import { pauseWebhookOf } from '../exchange/webhooks/commands/webhooks.ts';
import { BACKOFF } from '../exchange/webhooks/domain/deliveries.ts';
import {
  type Dispatcher,
  type DispatcherOptions,
  startWebhookDispatcher,
} from '../exchange/webhooks/reactions/webhook-dispatcher.ts';
import { elapsed } from '../kernel/time/system.ts';
import { systemActor } from '../log/writing.ts';
import type { SetWatch } from '../observability/set-watch.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { ReactionOptions } from './repeat.ts';

interface CompleterOptions extends ReactionOptions {
  /** Of webhooks. */
  readonly sending: Pick<DispatcherOptions, 'feed' | 'send' | 'lease' | 'watch'>;
  readonly commands: ProposalDependencies;
  readonly readModel: Pick<ReadModel, 'named' | 'namedPage' | 'fetch'>;
  readonly newId: () => string;
  readonly watch: Pick<SetWatch, 'look'>;
}

/** Some of them ask the application. */
export function startCompleters({ commands, watch, sending, ...shared }: CompleterOptions): Dispatcher {
  const all = [
    startProposalCompleter({
      ...shared,
      complete: (context, id) => completeApproval(commands, context, id),
      repair: (context, ids) => repairAllMemberships(commands, context, ids),
    }),
    startMergeCompleter({ ...shared, complete: (now, merged) => completeMerge(commands, now, merged) }),
    startChangeSetApplier({
      ...shared,
      watch,
      agenda: () => loadAgenda(commands.store),
      complete: (now) => completeChangeSet(commands, now),
      apply: (context, id) => applyDueChangeSet(commands, context, id),
    }),
    startSeriesKeeper({
      ...shared,
      move: (context, id) => moveHorizon(commands, context, id),
      complete: (context, id) => completeSplits(commands, context, id),
    }),
  ];
  const dispatcher = startWebhookDispatcher({
    ...shared,
    ...sending,
    ...{ store: commands.store, backoff: BACKOFF, random: Math.random, elapsed },
    pause: async (id, why) => void (await pauseWebhookOf(commands, systemContext(shared), id, why)),
  });
  return {
    stop() {
      const { asked, ended } = dispatcher.stop();
      const others = Promise.all(all.map((one) => one.stop())).then(() => {});
      return { asked: Promise.all([asked, others]).then(() => {}), ended };
    },
  };
}

/** Of what the service does by itself. */
const systemContext = ({ clock, newId }: Pick<CompleterOptions, 'clock' | 'newId'>): CommandContext => ({
  caller: null,
  actor: systemActor('webhooks'),
  now: clock.now(),
  correlationId: newId(),
});
