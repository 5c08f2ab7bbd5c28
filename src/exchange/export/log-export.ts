// Exports a log, event by event as stored.
import type { EventStore } from '../../log/event-store.ts';
import { eventLine, headerLine, trailerLine } from './log-lines.ts';
import { eventsUpTo } from './log-source.ts';
import type { Sink } from './sink.ts';
import { throwIfAborted } from './unusable.ts';

interface LogExportOptions {
  /** As stored: below upcasting and decryption. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  /** The version of Daybook. */
  readonly daybook: string;
  /** ISO 8601 in UTC. */
  readonly exported: string;
  readonly signal: AbortSignal;
  readonly begin: (what: string, total: number | null) => void;
  readonly reach: (events: number) => void;
}

/**
 * Everything up to the present end of the log. It is read twice, so that the header has the number of events. Throws
 * `Interrupted`; the caller commits or discards the sink.
 */
export async function exportLog(options: LogExportOptions, sink: Sink) {
  const { log, daybook, exported, signal, begin, reach } = options;
  const head = await log.head();
  let events = 0;
  begin('Counting', null);
  for await (const page of eventsUpTo(log, head)) {
    throwIfAborted(signal);
    events += page.length;
    reach(events);
  }
  await sink.write(headerLine({ daybook, exported, events, head }));
  begin('Writing', events);
  let written = 0;
  for await (const page of eventsUpTo(log, head)) {
    throwIfAborted(signal);
    for (const event of page) await sink.write(eventLine(event));
    written += page.length;
    reach(written);
  }
  const digest = sink.digest();
  await sink.write(trailerLine({ events: written, digest }));
  return { events: written, digest };
}
