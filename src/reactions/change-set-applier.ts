// Applies scheduled sets at their instant, and completes sets whose application was interrupted. Runs in every process
// that answers requests, without coordination: the log accepts each once. What cannot be applied is left as it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agenda } from '../domain/change-set.ts';
import { isOutage } from '../event-store/writing.ts';
import type { EpochSeconds } from '../time/zone.ts';

interface ChangeSetApplierOptions {
  readonly agenda: () => Promise<Agenda>;
  readonly complete: (now: EpochSeconds) => Promise<number | null>;
  readonly apply: (
    context: { readonly now: EpochSeconds; readonly correlationId: string },
    id: number,
  ) => Promise<'applied' | 'failed' | 'unchanged'>;
  readonly clock: { now(): EpochSeconds };
  readonly newId: () => string;
  readonly log: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

export interface ChangeSetApplier {
  /** Stops after the current set. */
  stop(): Promise<void>;
}

/** The clock is compared; no timer waits for an instant. */
const LOOK_AFTER_MS = 250;

export function startChangeSetApplier(options: ChangeSetApplierOptions): ChangeSetApplier {
  const { agenda, complete, apply, clock, newId, log } = options;
  const ending = new AbortController();
  let failure = '';

  async function look(): Promise<void> {
    const { scheduled, underWay } = await agenda();
    if (underWay) {
      const completed = await complete(clock.now());
      if (completed !== null) log.info({ set: completed }, 'completed a set whose application was interrupted');
      return;
    }
    for (const [set, at] of [...scheduled].sort(([, one], [, other]) => one - other)) {
      if (ending.signal.aborted || at > clock.now()) return;
      const outcome = await apply({ now: clock.now(), correlationId: newId() }, set);
      if (outcome === 'applied') log.info({ set }, 'applied a scheduled set');
      if (outcome === 'failed') log.error({ set }, 'scheduled set could not be applied; nothing was changed');
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await look();
        failure = '';
      } catch (error) {
        // An outage is reported where stores are watched; another failure once.
        if (!isOutage(error) && failure !== String(error)) log.error({ err: error }, 'sets could not be applied');
        failure = String(error);
      }
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
