// What reactions have in common that look again and again, in every process that answers requests and without
// coordination: the log accepts each of their steps once.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ProposalDependencies } from '../editorial/proposals/commands/proposals.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import { isOutage } from '../log/writing.ts';
import type { SetWatch } from '../observability/set-watch.ts';
import { type ReadModel, ReadModelUnavailable } from '../read-model/read-model.ts';

export interface ReactionOptions {
  readonly clock: { now(): EpochSeconds };
  readonly log: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** Of reactions that carry the work of editors on. */
export interface EditorialOptions extends ReactionOptions {
  readonly commands: ProposalDependencies;
  readonly readModel: Pick<ReadModel, 'named' | 'namedPage' | 'fetch'>;
  readonly newId: () => string;
  readonly watch: Pick<SetWatch, 'look'>;
}

export type Reaction = ReturnType<typeof repeat>;

interface Repeated {
  /** Between two looks. The clock is compared in `look`; no timer waits for an instant. */
  readonly pauseMs: number;
  /** Ends early, between two steps, once `ending` is aborted. */
  readonly look: (ending: AbortSignal) => Promise<void>;
  /** Takes what `look` throws, but for outages: those are reported where stores are watched. */
  readonly failed: (error: unknown) => void;
}

/** A store is away: what is to be done is done later. It is reported where stores are watched. */
export const isBadMoment = (error: unknown): boolean => isOutage(error) || error instanceof ReadModelUnavailable;

export function repeat({ pauseMs, look, failed }: Repeated) {
  const ending = new AbortController();

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await look(ending.signal).catch((error: unknown) => {
        if (!isBadMoment(error)) failed(error);
      });
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    /** Stops after the current step. */
    async stop() {
      ending.abort();
      await running;
    },
  };
}
