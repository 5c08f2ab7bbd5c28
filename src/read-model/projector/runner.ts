// Brings the log into the read model: reads from the checkpoint, folds a batch, and applies it with the new checkpoint
// in one step. A crash at any instant loses nothing and applies nothing twice; two runners on one read model do no
// harm.
// decision 11: the comparison of checkpoints keeps two runners harmless, not the lease.

import { setTimeout as sleep } from 'node:timers/promises';
import { changesOf } from '../../../projections/changes.ts';
import { type AnyProjection, prefixesRead, withSkips } from '../../../projections/projection.ts';
import { cutAtOpenSet } from '../../editorial/change-sets/facts/whole-sets.ts';
import { nextTurn, openTurns } from '../../kernel/event-loop/turns.ts';
import type { Position, RecordedEvent } from '../../log/envelope.ts';
import { type EventStore, markOf } from '../../log/event-store.ts';
import type { DocumentChange, ReadModel } from '../read-model.ts';
import { readControl } from './control.ts';
import { isInstructed, replayParked } from './parking.ts';

/** Characters that take some milliseconds to fold, and some to index. */
const LONG = 100_000;

const areLong = (changes: readonly DocumentChange[]): boolean =>
  changes.some(({ document }) => document && 'fragments' in document && document.fragments.full.length > LONG);

export interface RunnerOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Without skips: the runner reads those from the log. */
  readonly projections: readonly AnyProjection[];
  readonly batchSize?: number;
  /** Called with the events of each batch that was folded and applied, and how long that took, in seconds. */
  readonly onApplied?: (events: readonly RecordedEvent[], seconds: number) => void;
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

export interface Runner {
  /** Resolves once the read model has applied everything up to a position (true), or after `deadlineMs` (false). */
  reached(position: Position, deadlineMs: number): Promise<boolean>;
  status(): 'running' | 'waiting to try again';
  /** Up to where it has applied events, or found them applied. */
  position(): Position;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

/** A batch is folded, rendered and applied while requests wait: one of 100 events takes some 10 ms. */
const DEFAULT_BATCH_SIZE = 100;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

interface Waiter {
  readonly position: Position;
  readonly resolve: (reached: boolean) => void;
}

export function startRunner(options: RunnerOptions): Runner {
  const { store, readModel, batchSize = DEFAULT_BATCH_SIZE, onApplied, log } = options;
  const ending = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const waiters = new Set<Waiter>();
  let status: 'running' | 'waiting to try again' = 'running';
  let checkpoint: Position = '';
  let pauseMs = FIRST_PAUSE_MS;
  let projections = options.projections;

  function arrivedAt(position: Position): void {
    checkpoint = position;
    for (const waiter of waiters) if (waiter.position <= position) waiter.resolve(true);
  }

  /** Follows the log from the checkpoint; returns when it was stopped or another writer was faster. */
  async function follow(): Promise<void> {
    await readInstructions();
    const after = await readModel.checkpoint();
    arrivedAt(after);
    const prefixes = prefixesRead(projections);
    let rest: readonly RecordedEvent[] = [];
    for await (const events of store.subscribe({ after, prefixes, batchSize, signal: ending.signal })) {
      const cut = cutAtOpenSet([...rest, ...events]);
      rest = cut.rest;
      if ((await advance(cut.whole)) === 'stale') return;
      if (isInstructed(cut.whole)) await readInstructions();
    }
    if (!ending.signal.aborted) throw new Error('the subscription has ended by itself');
  }

  /** What this version, or an instruction, has made possible is done at once. */
  async function readInstructions(): Promise<void> {
    projections = withSkips(options.projections, (await readControl(store)).skips);
    for (const resource of await replayParked({ store, readModel, projections }))
      log.warn({ resource }, 'parked resource folded; it is up to date');
  }

  async function advance(events: readonly RecordedEvent[]): Promise<'applied' | 'stale'> {
    const last = events.at(-1);
    if (!last) return 'applied';
    const begun = performance.now();
    const changes = await changesOf(events, projections, readModel, store, openTurns());
    if (areLong(changes)) await nextTurn();
    const outcome = await readModel.apply({ after: checkpoint, upTo: last.position, mark: markOf(last), changes });
    if (outcome === 'stale') return outcome;
    onApplied?.(events, (performance.now() - begun) / 1000);
    tellParked(changes);
    arrivedAt(last.position);
    pauseMs = FIRST_PAUSE_MS;
    return outcome;
  }

  function tellParked(changes: readonly DocumentChange[]): void {
    for (const { document } of changes)
      if (document?.kind === 'parked')
        log.error({ ...document.at, why: document.why }, 'resource parked at an event that cannot be folded');
  }

  async function tryAgainLater(error: unknown): Promise<void> {
    status = 'waiting to try again';
    log.warn({ err: error, pauseMs }, 'projector disconnected; retrying');
    await pause(pauseMs * (0.5 + Math.random() / 2));
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    status = 'running';
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        await tryAgainLater(error);
      }
    }
  }

  const running = run();
  return {
    reached(position, deadlineMs) {
      if (checkpoint >= position) return Promise.resolve(true);
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
