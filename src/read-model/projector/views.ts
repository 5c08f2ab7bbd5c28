// How far the read model is, for those who wait for what they have written or seen.

import { type AnyProjection, prefixesRead } from '../../../projections/projection.ts';
import type { EventStore } from '../../log/event-store.ts';
import { watchCheckpoint } from '../checkpoint-watch.ts';
import type { Lease } from '../generations.ts';
import { withPassedPositions } from '../passed-positions.ts';
import type { ReadModel } from '../read-model.ts';
import type { Projector } from './projector.ts';

interface ViewsOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly readModel: Pick<ReadModel, 'checkpoint'>;
  readonly lease: Lease | null;
  /** Null: another process fills the read model. */
  readonly projector: Pick<Projector, 'reached'> | null;
  readonly projections: readonly AnyProjection[];
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

/** Between two looks at the checkpoint, in milliseconds. */
const LOOK_MS = 5;

/** Without a lease only this process fills the read model, so its projector has the checkpoint. Otherwise it is polled. */
export function openViews({ projector, lease, ...options }: ViewsOptions): Pick<Projector, 'reached'> {
  const { projections, readModel } = options;
  const passing = (views: Pick<Projector, 'reached'>): Pick<Projector, 'reached'> =>
    withPassedPositions({ ...options, views, prefixes: prefixesRead(projections) });
  if (projector && lease === null) return passing(projector);
  return passing(watchCheckpoint({ readModel, pauseMs: LOOK_MS }));
}
