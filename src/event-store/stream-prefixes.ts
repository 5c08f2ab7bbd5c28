// The beginnings of the names of all streams. A log on a server may be shared with other applications: by these, the server
// finds the events of Daybook among any number of others.
import type { EventStoreAdapter } from './event-store.ts';

/** Add one before a stream of a new kind is written; none is ever taken away. */
export const STREAM_PREFIXES: readonly string[] = [
  ...['event-', 'series-', 'occurrences-', 'venue-', 'organizer-', 'category-', 'tag-', 'picture-', 'image-'],
  ...['user-', 'administrators', 'first-start', 'site-settings', 'zone-rules', 'projection-control'],
  ...['proposal-', 'set-', 'change-sets', 'review-policy', 'webhook-', 'deliveries-'],
  ...['source-', 'sourced-', 'submission-', 'imports'],
  ...['id-', 'ids-', 'slug-', 'name-', 'tree-', 'request-'],
];

/** The same store, which refuses a stream that later could not be found. */
export function withListedStreams(store: EventStoreAdapter): EventStoreAdapter {
  return {
    ...store,
    async append(appends) {
      for (const { stream } of appends)
        if (!STREAM_PREFIXES.some((prefix) => stream.startsWith(prefix)))
          throw new Error(`STREAM_PREFIXES has no prefix of the stream ${stream}.`);
      return store.append(appends);
    },
  };
}
