// Brings the read model in use along after a command: it belongs to the services, so it is only brought up to date.

import type { AnyProjection } from '../../../projections/projection.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { Generations } from '../generations.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { originOf } from '../trust.ts';
import { catchUp } from './catch-up.ts';

/** `missing`: this code with these settings has made none yet. `unavailable`: it could not be brought up to date. */
export type ViewsAfterwards = 'current' | 'missing' | 'unavailable';

/** Applies the rest of the log to the read model, and returns its state. */
export type Project = (onBatch?: (events: number) => void) => Promise<ViewsAfterwards>;

/** `onBatch` gets the number of events of each batch. */
export async function bringAlong(
  store: EventStore,
  openGenerations: () => Promise<Generations>,
  projections: readonly AnyProjection[],
  onBatch?: (events: number) => void,
): Promise<ViewsAfterwards> {
  try {
    const generations = await openGenerations();
    const live = await generations.live();
    // The read model of another log is left to the services, which refuse and refill it.
    const isOurs = live !== null && (await originOf(store, await live.model.progress())) === 'this log';
    if (isOurs) await catchUp(store, live.model, projections, onBatch);
    await live?.close();
    await generations.close();
    if (live === null) return 'missing';
    return isOurs ? 'current' : 'unavailable';
  } catch (error) {
    // What is in the log is done; a service updates the read model as soon as it can.
    if (!(error instanceof ReadModelUnavailable)) throw error;
    return 'unavailable';
  }
}
