// A read of a stream that is in memory.
import type { RecordedEvent } from './envelope.ts';
import type { ReadStreamOptions } from './event-store.ts';

/** The result of a read with these options, given all events of the stream. */
export function excerpt(events: readonly RecordedEvent[], options: ReadStreamOptions = {}): RecordedEvent[] {
  const { direction = 'forwards', limit = events.length } = options;
  if (direction === 'forwards') return events.slice(options.from ?? 0).slice(0, limit);
  const until = options.from ?? events.length;
  return events
    .slice(0, until + 1)
    .reverse()
    .slice(0, limit);
}
