// A moment of the past, and the log as of then.

import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, type Position, type RecordedEvent } from '../../../log/envelope.ts';

/**
 * Either an instant: everything recorded in that second or before. Or a position: the finer of the two, because much
 * may happen in a second.
 */
export type Moment = { readonly at: EpochSeconds } | { readonly upTo: Position };

/** What a moment needs of an event. */
export type Recorded = ReturnType<typeof recordedAt>;

export const recordedAt = (event: RecordedEvent) => ({ at: instantOf(event), position: event.position });

export const hadHappened = (moment: Moment, { at, position }: Recorded): boolean =>
  'at' in moment ? at <= moment.at : position <= moment.upTo;

/**
 * The events of one stream that had happened. They end at the first that had not: a clock that was set back meanwhile
 * must not leave a hole in a fold.
 */
export function happenedBy(moment: Moment, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const end = events.findIndex((event) => !hadHappened(moment, recordedAt(event)));
  return end < 0 ? events : events.slice(0, end);
}
