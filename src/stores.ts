// What the composition root hands to everything else: ports, whoever stands behind them.
import type { EventStore } from './event-store/event-store.ts';
import type { Lease } from './read-model/lease.ts';
import type { ReadModel } from './read-model/read-model.ts';
import type { RenderingSettings } from './rendering/settings.ts';

/** Both stores, opened, and what they are filled by. */
export interface Stores {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** The same read model for whoever fills it; absent when there is no difference. */
  readonly projectorModel?: ReadModel;
  /** Which of several projectors works; null where one process has the views to itself. */
  readonly lease: Lease | null;
  /** How many ids are reserved at once: one where a single process writes, so that ids leave no gaps. */
  readonly idBlock: number;
  readonly rendering: RenderingSettings;
  /** Applies everything that is in the log. */
  project(onBatch?: (events: number) => void): Promise<void>;
  close(): Promise<void>;
}
