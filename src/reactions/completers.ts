// What every process that answers requests carries on by itself: interrupted approvals, merges and sets to their end, sets
// that are due, the dates of series, and deliveries of webhooks.
// decision 24

import type { CommandContext } from '../commands/context.ts';
import { startChangeSetApplier } from '../editorial/change-sets/reactions/change-set-applier.ts';
import { startMergeCompleter } from '../editorial/merges/reactions/merge-completer.ts';
import { startProposalCompleter } from '../editorial/proposals/reactions/proposal-completer.ts';
import { startSeriesKeeper } from '../editorial/series/reactions/series-keeper.ts';
import { stepOfWebhook } from '../exchange/webhooks/commands/webhooks.ts';
import { BACKOFF } from '../exchange/webhooks/domain/deliveries.ts';
import { pauseWebhook } from '../exchange/webhooks/domain/webhook.ts';
import {
  type Dispatcher,
  type DispatcherOptions,
  startWebhookDispatcher,
} from '../exchange/webhooks/reactions/webhook-dispatcher.ts';
import { elapsed } from '../kernel/time/system.ts';
import { systemActor } from '../log/writing.ts';
import type { EditorialOptions } from './repeat.ts';

interface CompleterOptions extends EditorialOptions {
  /** Of webhooks. */
  readonly sending: Pick<DispatcherOptions, 'feed' | 'send' | 'lease' | 'watch'>;
}

const EDITORIAL = [startProposalCompleter, startMergeCompleter, startChangeSetApplier, startSeriesKeeper];

/** Some of them ask the application. */
export function startCompleters({ sending, ...shared }: CompleterOptions): Dispatcher {
  const { commands } = shared;
  const all = EDITORIAL.map((start) => start(shared));
  const dispatcher = startWebhookDispatcher({
    ...shared,
    ...sending,
    store: commands.store,
    backoff: BACKOFF,
    random: Math.random,
    elapsed,
    pause: async (id, why) => void (await stepOfWebhook(commands, systemContext(shared), id, pauseWebhook(why))),
  });
  return {
    stop() {
      const { quiet, ended } = dispatcher.stop();
      const others = Promise.all(all.map((one) => one.stop())).then(() => {});
      return { quiet: Promise.all([quiet, others]).then(() => {}), ended };
    },
  };
}

/** Of what the service does by itself. */
const systemContext = ({ clock, newId }: Pick<EditorialOptions, 'clock' | 'newId'>): CommandContext => ({
  caller: null,
  actor: systemActor('webhooks'),
  now: clock.now(),
  correlationId: newId(),
});
