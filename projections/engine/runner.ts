// Brings the log into the read model: reads from the checkpoint, folds a batch, and applies it with the new checkpoint
// in one step. A crash at any instant loses nothing and applies nothing twice; two runners on one read model do no
// harm.
// decision 11: the comparison of checkpoints keeps two runners harmless, not the lease.

import { setImmediate as endOfRound, setTimeout as sleep } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../../src/event-store/envelope.ts';
import { type EventStore, markOf } from '../../src/event-store/event-store.ts';
import { cutAtOpenSet } from '../../src/facts/whole-sets.ts';
import type { DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';
import { type AnyProjection, changesOf, ProjectionError, prefixesRead, withSkips } from '../projection.ts';
import { type Control, hasNewInstructions, NO_INSTRUCTIONS, readControl } from './control.ts';

/** Characters that take some milliseconds to fold, and some to index. */
const LONG = 100_000;

const areLong = (changes: readonly DocumentChange[]): boolean =>
  changes.some(({ document }) => document && 'fragments' in document && document.fragments.full.length > LONG);

/** Others have their turn: only the end of the next round is behind all that is waiting now. */
async function nextTurn(): Promise<void> {
  await endOfRound();
  await endOfRound();
}

export interface RunnerOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Without skips: the runner reads those from the log. */
  readonly projections: readonly AnyProjection[];
  readonly batchSize?: number;
  /** While stopped, milliseconds between checks for a decision of an operator. */
  readonly lookAgainMs?: number;
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

/**
 * `stopped`: at an event that no projection could fold; nothing after it is applied until it is skipped, a retry is
 * requested, or another process gets past it.
 */
export type RunnerStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting to try again' }
  | { readonly kind: 'stopped'; readonly at: Position; readonly why: string };

export interface Runner {
  /**
   * Resolves once the read model has applied everything up to a position (true), after `deadlineMs` (false), or as soon
   * as the runner stops before it (false).
   */
  reached(position: Position, deadlineMs: number): Promise<boolean>;
  status(): RunnerStatus;
  /** Up to where it has applied events, or found them applied. */
  position(): Position;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

/** A batch is folded, rendered and applied while requests wait: one of 100 events takes some 10 ms. */
const DEFAULT_BATCH_SIZE = 100;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

interface Waiter {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
}

export function startRunner(options: RunnerOptions): Runner {
  const { store, readModel, batchSize = DEFAULT_BATCH_SIZE, lookAgainMs = LOOK_AGAIN_MS, log } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const waiters = new Set<Waiter>();
  let status: RunnerStatus = { kind: 'running' };
  let checkpoint: Position = '';
  let pauseMs = FIRST_PAUSE_MS;
  let control: Control = NO_INSTRUCTIONS;
  let projections = options.projections;

  function arrivedAt(position: Position): void {
    checkpoint = position;
    if (status.kind === 'stopped' && position >= status.at) status = { kind: 'running' };
    for (const waiter of waiters) if (waiter.position <= position) waiter.resolve(true);
  }

  async function readInstructions(): Promise<void> {
    control = await readControl(store);
    projections = withSkips(options.projections, control.skips);
  }

  /** Follows the log from the checkpoint; returns when it was stopped or another writer was faster. */
  async function follow(): Promise<void> {
    await readInstructions();
    const after = await readModel.checkpoint();
    arrivedAt(after);
    const prefixes = prefixesRead(projections);
    let held: readonly RecordedEvent[] = [];
    for await (const events of store.subscribe({ after, prefixes, batchSize, signal: ending.signal })) {
      const cut = cutAtOpenSet([...held, ...events]);
      held = cut.held;
      if ((await advance(cut.whole)) === 'stale') return;
    }
    if (!ending.signal.aborted) throw new Error('the subscription has ended by itself');
  }

  /** Applies a batch. If one of its events cannot be folded, those before it are applied all the same. */
  async function advance(events: readonly RecordedEvent[]): Promise<'applied' | 'stale'> {
    const last = events.at(-1);
    if (!last) return 'applied';
    try {
      const changes = await changesOf(events, projections, readModel);
      if (areLong(changes)) await nextTurn();
      const outcome = await readModel.apply({ after: checkpoint, upTo: last.position, mark: markOf(last), changes });
      if (outcome === 'applied') arrivedAt(last.position);
      pauseMs = FIRST_PAUSE_MS;
      return outcome;
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      const before = events.filter(({ position }) => position < error.position);
      if ((await advance(cutAtOpenSet(before).whole)) === 'stale') return 'stale';
      throw error;
    }
  }

  /** Whether to retry. An unavailable store gives no answer. */
  async function hasBeenResumed(position: Position): Promise<boolean> {
    try {
      return (await hasNewInstructions(store, control)) || (await readModel.checkpoint()) >= position;
    } catch {
      return false;
    }
  }

  /** Includes instructions between the last read of the control stream and this stop. */
  async function stopBefore({ position, message, cause }: ProjectionError): Promise<void> {
    status = { kind: 'stopped', at: position, why: message };
    log.error({ position, err: cause }, 'projector stopped at an event it cannot fold');
    for (const waiter of waiters) waiter.resolve(false);
    while (!ending.signal.aborted && !(await hasBeenResumed(position))) await pause(lookAgainMs);
    if (!ending.signal.aborted) log.warn({ position }, 'projector resumed by operator');
  }

  async function tryAgainLater(error: unknown): Promise<void> {
    status = { kind: 'waiting to try again' };
    log.warn({ err: error, pauseMs }, 'projector disconnected; retrying');
    await pause(pauseMs * (0.5 + Math.random() / 2));
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    status = { kind: 'running' };
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        await (error instanceof ProjectionError ? stopBefore(error) : tryAgainLater(error));
      }
    }
  }

  const running = run();
  return {
    reached(position, deadlineMs) {
      if (checkpoint >= position) return Promise.resolve(true);
      if (status.kind === 'stopped') return Promise.resolve(false);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          resolve: (reached) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => waiter.resolve(false), deadlineMs);
        waiters.add(waiter);
      });
    },
    status: () => status,
    position: () => checkpoint,
    async stop() {
      ending.abort();
      await running;
      for (const waiter of waiters) waiter.resolve(false);
    },
  };
}
