// What every process that answers requests carries on by itself: interrupted approvals, merges and sets to their end, sets
// that are due, the dates of series, and deliveries of webhooks.
// decision 24
import { applyDueChangeSet, completeChangeSet } from '../commands/change-sets/apply.ts';
import { loadAgenda } from '../commands/change-sets/load.ts';
import { repairAllMemberships } from '../commands/change-sets/membership.ts';
import type { CommandContext } from '../commands/context.ts';
import { completeMerge } from '../commands/merges/complete.ts';
import { completeApproval } from '../commands/proposals/complete.ts';
import type { ProposalDependencies } from '../commands/proposals/proposals.ts';
import { moveHorizon } from '../commands/series/horizon.ts';
import { completeSplits } from '../commands/series/split.ts';
import { pauseWebhookOf } from '../commands/webhooks/webhooks.ts';
import { BACKOFF } from '../domain/webhooks/deliveries.ts';
import { systemActor } from '../event-store/writing.ts';
import type { SetWatch } from '../observability/set-watch.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { elapsed } from '../time/system.ts';
import { startChangeSetApplier } from './change-set-applier.ts';
import { startMergeCompleter } from './merge-completer.ts';
import { startProposalCompleter } from './proposal-completer.ts';
import type { ReactionOptions } from './repeat.ts';
import { startSeriesKeeper } from './series-keeper.ts';
import { type Dispatcher, type DispatcherOptions, startWebhookDispatcher } from './webhook-dispatcher.ts';

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
  ...{ reason: undefined, ifRevision: undefined, idempotencyKey: undefined },
});
