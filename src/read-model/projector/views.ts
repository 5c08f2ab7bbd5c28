// How far the read model is, for those who wait for what they have written or seen.

import { setTimeout as pause } from 'node:timers/promises';
import { type AnyProjection, prefixesRead } from '../../../projections/projection.ts';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import type { Position } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { Lease } from '../generations.ts';
import type { ReadModel } from '../read-model.ts';
import type { Projector } from './projector.ts';

/**
 * Resolves with true once the read model has applied everything up to a position, with false after a deadline or as soon as
 * it is unavailable.
 */
type Views = Pick<Projector, 'reached'>;

interface Sources {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly readModel: Pick<ReadModel, 'checkpoint'>;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

interface ViewsOptions extends Sources {
  readonly lease: Lease | null;
  /** Null: another process fills the read model. */
  readonly projector: Views | null;
  readonly projections: readonly AnyProjection[];
}

/** Between two looks at the checkpoint, in milliseconds. */
const LOOK_MS = 5;
/** How long the checkpoint alone is waited for, at first: most positions are those of events that are being applied. */
const FIRST_WAIT_MS = 25;

/** Without a lease only this process fills the read model, so its projector has the checkpoint. Otherwise it is polled. */
export function openViews({ projector, lease, projections, ...sources }: ViewsOptions): Views {
  const applied = projector && lease === null ? projector : watchCheckpoint(sources);
  return withPassedPositions(applied, prefixesRead(projections), sources);
}

/** Waits for a checkpoint that any process may move. Nothing is kept between looks: a read model may have been refilled. */
export function watchCheckpoint({ readModel, elapsed }: Omit<Sources, 'store'>, pauseMs = LOOK_MS): Views {
  /** Those who look at once share a look. */
  const looking = singleFlight<Position | null, null>();

  // The next read of the read model reports why it cannot be looked at.
  const look = (): Promise<Position | null> => looking(null, () => readModel.checkpoint().catch(() => null));

  return {
    async reached(position, deadlineMs) {
      for (const until = elapsed() + deadlineMs; ; await pause(pauseMs)) {
        const checkpoint = await look();
        if (checkpoint === null) return false;
        if (position <= checkpoint) return true;
        if (elapsed() >= until) return false;
      }
    },
  };
}

/** What the log has behind a checkpoint. */
interface Behind {
  readonly checkpoint: Position;
  /** The first event that is still to be applied; null: there is none up to `upTo`. */
  readonly next: Position | null;
  readonly upTo: Position;
}

/**
 * Also for positions of events that no projection reads: the checkpoint stays before them until something else is written, but
 * the read model shows all that it ever will of them as soon as it has what comes before.
 */
export function withPassedPositions(
  applied: Views,
  prefixes: readonly string[],
  { store, readModel, elapsed }: Sources,
): Views {
  let behind: Behind | null = null;

  async function look(checkpoint: Position, position: Position): Promise<Behind> {
    const previous = behind?.checkpoint === checkpoint ? behind : { checkpoint, next: null, upTo: checkpoint };
    if (previous.next !== null || position <= previous.upTo) return previous;
    // The head is read first: whatever is added meanwhile lies behind it.
    const upTo = await store.head();
    if (position > upTo) return previous;
    const [event] = await store.readAll({ after: previous.upTo, prefixes, limit: 1 });
    behind = { checkpoint, next: event?.position ?? null, upTo };
    return behind;
  }

  async function isPassed(position: Position): Promise<boolean> {
    try {
      const checkpoint = await readModel.checkpoint();
      if (position <= checkpoint) return true;
      const { next, upTo } = await look(checkpoint, position);
      return position <= upTo && (next === null || position < next);
    } catch {
      // The next read of either store reports why.
      return false;
    }
  }

  return {
    async reached(position, deadlineMs) {
      const begun = elapsed();
      for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
        const start = elapsed();
        const patience = Math.min(wait, deadlineMs - (start - begun));
        if (await applied.reached(position, patience)) return true;
        if (await isPassed(position)) return true;
        // Refused early, it would be in vain to ask again.
        const isRefused = elapsed() - start < patience / 2;
        if (isRefused || elapsed() - begun >= deadlineMs) return false;
      }
    },
  };
}
