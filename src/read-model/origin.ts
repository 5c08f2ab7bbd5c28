// Whether a read model was made from this log.
import { LOG_START } from '../event-store/envelope.ts';
import { hasEvent } from '../event-store/event-mark.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Progress } from './read-model.ts';

/**
 * `this log`: the log has, at the checkpoint, the event that was applied last; of an empty read model that is always so.
 * `another log`: it has not. It is a log of another installation, or an earlier copy of this one, put back from a backup:
 * then the read model shows what the log knows nothing of. One that was found damaged counts as such, too.
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
