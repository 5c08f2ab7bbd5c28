// Whether a read model was built from this log.
import { LOG_START } from '../event-store/envelope.ts';
import { hasEvent } from '../event-store/event-mark.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Progress } from './read-model.ts';

/**
 * `this log`: the log has, at the checkpoint, the event that was applied last; always so for an empty read model.
 * `another log`: it has not. The read model belongs to another installation, or the log is an earlier copy restored
 * from a backup: then the read model shows data that the log does not have. One that was found damaged counts as
 * `another log`, too.
 */
export type Origin = 'this log' | 'another log';

/** Rejections: those of the store. */
export async function originOf(
  store: Pick<EventStore, 'readStream'>,
  { checkpoint, mark }: Pick<Progress, 'checkpoint' | 'mark'>,
): Promise<Origin> {
  if (checkpoint === LOG_START) return 'this log';
  return (await hasEvent(store, mark, checkpoint)) ? 'this log' : 'another log';
}
