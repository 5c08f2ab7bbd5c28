// Skips name events by position, and a restored log has positions of its own.
import { controlAppend, readControl } from '../../projections/control.ts';
import { isSkipped } from '../../projections/projection.ts';
import type { EventMetadata } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { NamedPlace } from './restore.ts';
import { Unusable } from './unusable.ts';

export interface CarryOptions {
  readonly store: EventStore;
  readonly skipped: readonly NamedPlace[];
  readonly metadata: EventMetadata;
  readonly newId: () => string;
}

/**
 * Records skips again at the positions of this log, if they differ. The original ones stay unchanged, because they are
 * hashed. Returns how many were recorded again.
 */
export async function carrySkips({ store, skipped, metadata, newId }: CarryOptions): Promise<number> {
  let recorded = 0;
  for (const { stream, revision } of skipped) {
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    const control = await readControl(store);
    if (!event || isSkipped(control.skips, event)) continue;
    const earlier = [...control.skips.values()].find((skip) => skip.stream === stream && skip.revision === revision);
    const { position, type } = event;
    const data = { position, stream, revision, type, reason: earlier?.reason ?? 'skipped before the log was restored' };
    const outcome = await store.append([
      controlAppend(control, { type: 'EventSkipped', data }, { id: newId(), metadata }),
    ]);
    if (outcome.kind === 'conflict')
      throw new Unusable('the log is restored, but projections were changed meanwhile: see `projections status`');
    recorded += 1;
  }
  return recorded;
}
