// The last hashes of streams that were met lately, so that an append need not read what its writer has just read.
import type { Revision } from '../envelope.ts';

export interface KnownHashes {
  /** The hash of one event; undefined when it is not the last one that is known of its stream. */
  at(stream: string, revision: Revision): string | undefined;
  /** What is older than what is known of the stream is passed over. An event never changes, so nothing is ever outdated. */
  learn(stream: string, revision: Revision, hash: string): void;
}

/** Keeps so many streams at most, and lets go of the one of which something was learned longest ago. */
export function openKnownHashes(mostStreams: number): KnownHashes {
  // A Map is ordered by insertion, so what was learned of goes to its end.
  const ends = new Map<string, { readonly revision: Revision; readonly hash: string }>();
  return {
    at(stream, revision) {
      const end = ends.get(stream);
      return end?.revision === revision ? end.hash : undefined;
    },
    learn(stream, revision, hash) {
      const end = ends.get(stream);
      if (end !== undefined && end.revision > revision) return;
      ends.delete(stream);
      ends.set(stream, { revision, hash });
      if (ends.size <= mostStreams) return;
      const [oldest] = ends.keys();
      if (oldest !== undefined) ends.delete(oldest);
    },
  };
}
