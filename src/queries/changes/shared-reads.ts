// Reads of the log that many ask for at once: those who are woken by the same news ask the same.
import type { Position, RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';

export type LogReads = Pick<EventStore, 'head' | 'readAll'>;

/** Asks `store` once for what is asked repeatedly, and answers as it answered then: to be dropped with the next news. */
export function sharedReads(store: LogReads): LogReads {
  const pages = new Map<string, Promise<RecordedEvent[]>>();
  let head: Promise<Position> | undefined;
  return {
    head() {
      head ??= store.head();
      return head;
    },
    readAll(options) {
      const { after, limit, prefixes = [] } = options;
      const question = `${after} ${limit} ${prefixes.join(' ')}`;
      const page = pages.get(question) ?? store.readAll(options);
      pages.set(question, page);
      return page;
    },
  };
}
