// Completes approvals that were interrupted between their appends, where the store has no transactions: by a crash, or
// by an outage. Runs in every process that answers requests, without coordination: the log accepts each once.
//
// The read model says which proposals are approved and not applied; the decision is made again on the log.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompletionContext, completeApproval } from '../commands/proposals/complete.ts';
import { isOutage } from '../event-store/writing.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';
import type { EpochSeconds } from '../time/zone.ts';

interface ProposalCompleterOptions {
  readonly readModel: Pick<ReadModel, 'named'>;
  /** `completeApproval` over the log. */
  readonly complete: (context: CompletionContext, id: number) => ReturnType<typeof completeApproval>;
  readonly clock: { now(): EpochSeconds };
  readonly newId: () => string;
  readonly log: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

export interface ProposalCompleter {
  /** Stops after the current proposal. */
  stop(): Promise<void>;
}

const LOOK_AFTER_MS = 2_000;

export function startProposalCompleter(options: ProposalCompleterOptions): ProposalCompleter {
  const { readModel, complete, clock, newId, log } = options;
  const ending = new AbortController();
  /** Reported once. */
  const failing = new Set<number>();

  async function completeOne(id: number): Promise<void> {
    try {
      const state = await complete({ now: clock.now(), correlationId: newId() }, id);
      failing.delete(id);
      if (state !== null) log.info({ proposal: id, state }, 'completed an interrupted approval');
    } catch (error) {
      if (isOutage(error)) throw error;
      if (!failing.has(id)) log.error({ err: error, proposal: id }, 'interrupted approval could not be completed');
      failing.add(id);
    }
  }

  async function look(): Promise<void> {
    for (const id of await readModel.named('proposal', 'state:approved')) {
      if (ending.signal.aborted) return;
      await completeOne(id);
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      // An outage is reported where stores are watched.
      await look().catch((error: unknown) => {
        if (!isOutage(error) && !(error instanceof ReadModelUnavailable))
          log.error({ err: error }, 'search for interrupted approvals failed');
      });
      await sleep(LOOK_AFTER_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}
