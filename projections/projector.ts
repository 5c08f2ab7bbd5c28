// One projector among several: waits until it leads, carries over what is missing, then follows the log for as long as
// it leads. Without a lease it always leads.
import { LOG_START, type Position } from '../src/event-store/envelope.ts';
import type { Lease } from '../src/read-model/lease.ts';
import { catchUp } from './catch-up.ts';
import { pause } from './pause.ts';
import { type Runner, type RunnerOptions, type RunnerStatus, startRunner, Unfoldable } from './runner.ts';

export interface ProjectorOptions extends RunnerOptions {
  readonly lease: Lease | null;
  /** Told how many events each batch of the first catch-up had. */
  readonly onBatch?: (events: number) => void;
  /** Milliseconds between two looks at the lease; well below its expiry. */
  readonly lookAfterMs?: number;
}

/** `filling`: carries over what was in the log before it led. `leading`: follows the log. */
export type ProjectorStatus =
  | { readonly kind: 'leading' | 'filling' | 'standing by' | 'waiting to try again' }
  | Extract<RunnerStatus, { readonly kind: 'stopped' }>;

export interface Projector {
  /** Resolves once views hold what was in the log at the start, or somebody else leads, or an event stops it. */
  readonly ready: Promise<void>;
  status(): ProjectorStatus;
  /** As `Runner`: what this very process has applied. */
  reached(position: Position, deadlineMs: number): Promise<boolean>;
  /** Ends after the batch at hand and lets another one lead. */
  stop(): Promise<void>;
}

const LOOK_AFTER_MS = 1_500;

/** Thrown into a catch-up that is no longer wanted. */
class Interrupted extends Error {}

/** A leadership: from taking the lease until losing it. */
interface Term {
  readonly filled: Promise<void>;
  runner(): Runner | null;
  end(): Promise<void>;
}

export function startProjector(options: ProjectorOptions): Projector {
  const { lease, readModel, lookAfterMs = LOOK_AFTER_MS, log } = options;
  const ending = new AbortController();
  let term: Term | null = null;
  /** Whether the views of this term have ever held anything, as far as somebody looked. */
  let hasHeld = false;
  let announceReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    announceReady = resolve;
  });

  /** Without an answer nothing changes: whoever leads meanwhile, batches compare the checkpoint. */
  async function isLeader(): Promise<boolean> {
    if (lease === null) return true;
    try {
      return await lease.hold();
    } catch (error) {
      log.warn({ err: error }, 'the lease of the projector cannot be looked at');
      return term !== null;
    }
  }

  async function lookOnce(): Promise<void> {
    const leads = await isLeader();
    if (leads && (await haveLostAll())) await endTerm();
    if (leads && term === null) {
      term = beginTerm(options);
      void term.filled.then(announceReady);
    }
    if (leads) return;
    announceReady();
    await endTerm();
  }

  async function endTerm(): Promise<void> {
    const ended = term;
    term = null;
    hasHeld = false;
    await ended?.end();
  }

  /**
   * Whether a database has come back without what was in it. Where nobody writes, no batch would ever find out. Without
   * a lease nobody can take anything from these views but this process.
   */
  async function haveLostAll(): Promise<boolean> {
    if (lease === null || !term?.runner()) return false;
    try {
      const isEmpty = (await readModel.checkpoint()) === LOG_START;
      const isLost = isEmpty && hasHeld;
      hasHeld = !isEmpty;
      if (isLost) log.warn({}, 'the views are empty: they are filled again');
      return isLost;
    } catch {
      // Whoever applies something says why.
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await lookOnce();
      await pause(lookAfterMs, ending.signal);
    }
    announceReady();
    await term?.end();
    await lease?.release().catch((error: unknown) => {
      log.warn({ err: error }, 'the lease of the projector could not be given back; it expires by itself');
    });
  }

  const running = run();
  return {
    ready,
    status() {
      const status = term?.runner()?.status();
      if (!status) return { kind: term ? 'filling' : 'standing by' };
      return status.kind === 'running' ? { kind: 'leading' } : status;
    },
    async reached(position, deadlineMs) {
      return (await term?.runner()?.reached(position, deadlineMs)) ?? false;
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}

function beginTerm(options: ProjectorOptions): Term {
  const { store, readModel, projections, onBatch = () => {}, log } = options;
  let over = false;
  let runner: Runner | null = null;

  async function fill(): Promise<void> {
    try {
      await catchUp(store, readModel, projections, (events) => {
        if (over) throw new Interrupted();
        onBatch(events);
      });
    } catch (error) {
      // The runner comes upon the same, says so, and tries again or stops as the case may be.
      if (!(error instanceof Interrupted || error instanceof Unfoldable))
        log.warn({ err: error }, 'views could not be filled yet');
    }
    if (!over) runner = startRunner(options);
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
