// Shared reads of the log: readers woken by the same change make the same reads.
import type { Position, RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';

export type LogReads = Pick<EventStore, 'head' | 'readAll'>;

/** Passes a repeated read to `store` once, and repeats its result: to be dropped with the next change. */
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
