// What the composition root hands to everything else: ports, whoever stands behind them.

import type { KeyRing } from './event-store/encryption/key-ring.ts';
import type { Unreadable } from './event-store/encryption/unreadable-subjects.ts';
import type { EventStore, TryWriting } from './event-store/event-store.ts';
import type { CacheCounts } from './observability/metrics.ts';
import type { PastDocuments, PastOptions } from './queries/as-of/replay-as-of.ts';
import type { Gate } from './read-model/guard.ts';
import type { Lease } from './read-model/lease.ts';
import type { ReadModel } from './read-model/read-model.ts';
import type { RenderingSettings } from './rendering/settings.ts';

/** `missing`: none were made yet by this code with these settings. `unavailable`: they could not be brought up to date. */
export type ViewsAfterwards = 'current' | 'missing' | 'unavailable';

/** The log, opened, and what is known of its views without opening them. */
export interface LogStores {
  readonly store: EventStore;
  /** The same log as it is stored: events in the shapes in which they were written, personal data encrypted. */
  readonly sealed: EventStore;
  /** Absent where the engine of the log cannot tell without an append. */
  readonly tryWriting?: TryWriting | undefined;
  /** Of personal data in the log. */
  readonly keys: Pick<KeyRing, 'destroy' | 'look' | 'assertInPlace' | 'copy'>;
  /** Whose personal data could not be read so far. */
  readonly unreadable: Unreadable;
  /** How many ids are reserved at once: one where a single process writes, so that ids leave no gaps. */
  readonly idBlock: number;
  readonly rendering: RenderingSettings;
  /** Applies everything that is in the log to the views, and says what became of them. */
  project(onBatch?: (events: number) => void): Promise<ViewsAfterwards>;
  close(): Promise<void>;
}

/** Both stores, opened. */
export interface Stores extends LogStores {
  /** Its reads are answered where `gate` admits them. */
  readonly readModel: ReadModel;
  /** The same read model for whoever fills it: before it there is no gate. */
  readonly projectorModel: ReadModel;
  readonly gate: Gate;
  /** An empty read model of its own, in memory, for a look into the past. */
  readonly openPastModel: () => ReadModel;
  /** Makes the documents of such a look in a thread of its own; absent where there is none. */
  readonly pastDocuments?: (options: PastOptions) => PastDocuments;
  /** Which of several projectors works; null where one process has the views to itself. */
  readonly lease: Lease | null;
  /** How often documents were found in the memory of the process; absent where none are kept. */
  readonly documentCounts?: () => CacheCounts;
}
