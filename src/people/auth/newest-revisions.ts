// The newest revision of a user in the log: the read model and caches are not trusted if they are older.

import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../kernel/event-loop/shared-work.ts';
import type { DocumentKey } from '../../read-model/documents.ts';

export type NewestRevisions = ReturnType<typeof openNewestRevisions>;

interface NewestRevisionsOptions {
  /** The revision of the user's last event, also after a removal; null if there never was such a user. */
  readonly revisionOf: (key: DocumentKey) => Promise<number | null>;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
}

/**
 * For how long an answer of the log is valid. A revocation has to count within a second, whatever the state of the read
 * model: half of it is left for the read itself.
 */
export const LOOK_EVERY_MS = 500;
/** A log that takes longer counts as unavailable. */
const PATIENCE_MS = 250;
/** Users whose newest revision is cached; others are looked up again. */
const MAX_USERS = 10_000;

interface Known {
  readonly revision: number;
  readonly at: number;
}

export function openNewestRevisions({ revisionOf, elapsed }: NewestRevisionsOptions) {
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const newest = new LRUCache<number, Known>({ maxSize: MAX_USERS, sizeCalculation: () => 1 });
  const asking = singleFlight<void, number>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  function put(user: number, revision: number, at: number): void {
    const before = newest.get(user)?.revision ?? -1;
    newest.set(user, { revision: Math.max(before, revision), at });
  }

  async function ask(user: number): Promise<void> {
    // The time before the read: the answer may lack anything later.
    const at = elapsed();
    const asking = revisionOf({ kind: 'user', id: user }).then(
      (revision) => put(user, revision ?? -1, at),
      () => fallSilent(),
    );
    await withinPatience(asking, fallSilent);
  }

  function fallSilent(): void {
    silentUntil = elapsed() + LOOK_EVERY_MS;
  }

  return {
    /**
     * Reads the newest revision of a user from the log, unless it was read a moment ago. Never rejects and never takes
     * long: a log that does not answer is left alone for a moment.
     */
    async look(user: number) {
      const cached = newest.get(user);
      if (cached && elapsed() - cached.at < LOOK_EVERY_MS) return;
      if (elapsed() < silentUntil) return;
      return asking(user, () => ask(user));
    },
    /** Whether the log has shown something newer than this revision. */
    isOutdated: (user: number, revision: number) => revision < (newest.get(user)?.revision ?? -1),
    /** Records a revision that was read in the log. */
    note: (user: number, revision: number) => put(user, revision, elapsed()),
  };
}

/** Pending work may delay this a little. */
function withinPatience(work: Promise<void>, onImpatience: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      onImpatience();
      resolve();
    }, PATIENCE_MS);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
