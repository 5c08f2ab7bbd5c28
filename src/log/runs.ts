// Groups events in log order into appends that write them in the same order.
import type { RecordedEvent, Revision } from './envelope.ts';
import type { StreamAppend } from './event-store.ts';

/** Limit of one append; a single event is accepted however large it is. */
interface RunLimits {
  readonly events: number;
  /** Characters of data, as JSON. */
  readonly size: number;
}

interface Run {
  readonly stream: string;
  readonly expected: Revision | 'no_stream';
  readonly events: RecordedEvent[];
  size: number;
}

/** Adjacent events of one stream become one append. */
export function runsOf(events: readonly RecordedEvent[], limits?: RunLimits): StreamAppend[] {
  const runs: Run[] = [];
  for (const event of events) {
    const { stream, revision } = event;
    const size = limits ? JSON.stringify(event.data).length : 0;
    const last = runs.at(-1);
    const isFull = last && limits && (last.events.length >= limits.events || last.size + size > limits.size);
    if (last?.stream === stream && !isFull) {
      last.events.push(event);
      last.size += size;
    } else runs.push({ stream, expected: revision === 0 ? 'no_stream' : revision - 1, events: [event], size });
  }
  return runs;
}
