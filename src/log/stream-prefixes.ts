// The beginnings of the names of all streams. A log on a server may be shared with other applications: by these, the server
// finds the events of Daybook among any number of others.
import type { StageMaker } from './pipeline.ts';

/** Add one before a stream of a new kind is written; none is ever taken away. */
export const STREAM_PREFIXES: readonly string[] = [
  ...['event-', 'series-', 'occurrences-', 'venue-', 'organizer-', 'category-', 'tag-', 'picture-', 'image-'],
  ...['user-', 'administrators', 'first-start', 'site-settings', 'zone-rules', 'projection-control'],
  ...['proposal-', 'set-', 'change-sets', 'review-policy', 'webhook-', 'deliveries-'],
  ...['source-', 'sourced-', 'submission-', 'imports', 'guest-', 'guests-'],
  ...['id-', 'ids-', 'slug-', 'name-', 'tree-', 'request-'],
];

/** Refuses a stream that later could not be found. */
export const listedStreams: StageMaker = () => ({
  prepare: async () => () => (append) => {
    if (STREAM_PREFIXES.some((prefix) => append.stream.startsWith(prefix))) return append;
    throw new Error(`STREAM_PREFIXES has no prefix of the stream ${append.stream}.`);
  },
});
