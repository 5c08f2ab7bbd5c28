// One projector of several: waits until it leads, catches up, then follows the log for as long as it leads. Without a
// lease it always leads.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../log/envelope.ts';
import type { Lease } from '../generations.ts';
import { originOf } from '../trust.ts';
import { catchUp } from './catch-up.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner.ts';

export interface ProjectorOptions extends RunnerOptions {
  readonly lease: Lease | null;
  /** Called with the number of events of each batch of the first catch-up. */
  readonly onBatch?: (events: number) => void;
  /** Called after a catch-up that applied this many events or more, before the read model is read. */
  readonly onFilled?: () => void;
}

/** Events whose catch-up leaves so much garbage that it is worth collecting at once. */
const MANY_EVENTS = 3_000;

/** `filling`: catches up with the log as it was before it led. `leading`: follows the log. */
interface ProjectorStatus {
  readonly kind: 'leading' | 'filling' | 'standing by' | 'waiting to try again';
}

export interface Projector {
  /**
   * Resolves once the read model has everything that was in the log at the start, or another process leads.
   */
  readonly ready: Promise<void>;
  status(): ProjectorStatus;
  /** Like `Runner`: what this process itself has applied. */
  reached(position: Position, deadlineMs: number): Promise<boolean>;
  /** Stops after the current batch and releases the lease. */
  stop(): Promise<void>;
}

/**
 * Between checks of the lease and of the read model: data that was lost is refilled within a second. Well below the expiry
 * of the lease.
 */
export const LOOK_AFTER_MS = 300;

/** Thrown into a catch-up that is no longer needed. */
class Interrupted extends Error {}

/** From taking the lease to losing it. */
type Leadership = ReturnType<typeof beginLeadership>;

export function startProjector(options: ProjectorOptions): Projector {
  const { store, lease, readModel, log } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  let leadership: Leadership | null = null;
  let announceReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    announceReady = resolve;
  });

  /** Without an answer nothing changes: batches compare the checkpoint, so two leaders do no harm. */
  async function isLeader(): Promise<boolean> {
    if (lease === null) return true;
    try {
      return await lease.hold();
    } catch (error) {
      log.warn({ err: error }, 'projector lease unavailable');
      return leadership !== null;
    }
  }

  async function lookOnce(): Promise<void> {
    const leads = await isLeader();
    if (leads && (await isLost())) await endLeadership();
    if (leads && leadership === null) {
      leadership = beginLeadership(options);
      void leadership.filled.then(announceReady);
    }
    if (leads) return;
    announceReady();
    await endLeadership();
  }

  async function endLeadership(): Promise<void> {
    const ended = leadership;
    leadership = null;
    await ended?.end();
  }

  /**
   * Whether the read model has lost what the runner applied, or belongs to another log by now. Without writes no batch
   * would notice.
   */
  async function isLost(): Promise<boolean> {
    const runner = leadership?.runner();
    if (!runner) return false;
    const position = runner.position();
    try {
      const progress = await readModel.progress();
      const isOfAnotherLog = (await originOf(store, progress)) === 'another log';
      if (progress.checkpoint >= position && !isOfAnotherLog) return false;
    } catch {
      // The next batch reports why.
      return false;
    }
    log.warn({ position }, 'read model lost data; refilling');
    return true;
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await lookOnce();
      await pause(LOOK_AFTER_MS);
    }
    announceReady();
    await leadership?.end();
    await lease?.release().catch((error: unknown) => {
      log.warn({ err: error }, 'projector lease not released; it will expire');
    });
  }

  const running = run();
  return {
    ready,
    status() {
      const status = leadership?.runner()?.status();
      if (!status) return { kind: leadership ? 'filling' : 'standing by' };
      return { kind: status === 'running' ? 'leading' : status };
    },
    async reached(position, deadlineMs) {
      return (await leadership?.runner()?.reached(position, deadlineMs)) ?? false;
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}

function beginLeadership(options: ProjectorOptions) {
  const { store, readModel, projections, onBatch = () => {}, onFilled = () => {}, log } = options;
  let over = false;
  let applied = 0;
  let runner: Runner | null = null;

  async function fill(): Promise<void> {
    try {
      await clearOtherLogs();
      await catchUp(store, readModel, projections, (events) => {
        if (over) throw new Interrupted();
        applied += events;
        onBatch(events);
      });
      if (applied >= MANY_EVENTS) onFilled();
    } catch (error) {
      // The runner meets the same error, logs it, and retries.
      if (!(error instanceof Interrupted)) log.warn({ err: error }, 'read model could not be filled; retrying');
    }
    if (!over) runner = startRunner(options);
  }

  /** A read model built from another log, or from a later copy of this one, shows data that this log does not have. */
  async function clearOtherLogs(): Promise<void> {
    const progress = await readModel.progress();
    if ((await originOf(store, progress)) === 'this log') return;
    const { checkpoint } = progress;
    log.warn({ checkpoint }, 'read model belongs to another log; clearing and refilling');
    await readModel.clear();
  }

  const filled = fill();
  return {
    filled,
    runner: () => runner,
    async end() {
      over = true;
      await filled;
      await runner?.stop();
    },
  };
}
