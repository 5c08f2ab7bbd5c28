// Carries everything that is in the log into a read model, then stops: at a start, and for commands that come and go.
import type { EventStore } from '../src/event-store/event-store.ts';
import type { ReadModel } from '../src/read-model/read-model.ts';
import type { AnyProjection } from './projection.ts';
import { changesOf } from './runner.ts';

const BATCH_SIZE = 1000;

/**
 * Applies events until the log has no more. `onBatch` is told how many each batch had. Somebody else who projects at
 * the same time does no harm: what they were faster with is read from their checkpoint on.
 */
export async function catchUp(
  store: EventStore,
  readModel: ReadModel,
  projections: readonly AnyProjection[],
  onBatch: (events: number) => void = () => {},
): Promise<void> {
  const prefixes = projections.map(({ prefix }) => prefix);
  for (;;) {
    const after = await readModel.checkpoint();
    const events = await store.readAll({ after, prefixes, limit: BATCH_SIZE });
    const last = events.at(-1);
    if (!last) return;
    const changes = await changesOf(events, projections, readModel);
    const outcome = await readModel.apply({ after, upTo: last.position, changes });
    if (outcome === 'applied') onBatch(events.length);
  }
}
