// How new a user is according to the log: what views and memory say of an older one is not believed.
import { LRUCache } from 'lru-cache';

export interface NewestRevisions {
  /**
   * Asks the log for the newest revision of a user, unless it was asked a moment ago. Never rejects and never takes
   * long: a log that does not answer has nothing to say, and is left alone for a moment.
   */
  look(user: number): Promise<void>;
  /** Whether the log has told of something newer than this revision. */
  isOutdated(user: number, revision: number): boolean;
  /** A revision that was read in the log. */
  note(user: number, revision: number): void;
  /** The newest revision that the log has told; undefined when it has told nothing. */
  newestOf(user: number): number | undefined;
}

export interface NewestRevisionsOptions {
  /** Of the last event of a user, whatever became of that user; null when there never was one. */
  readonly revisionOf: (user: number) => Promise<number | null>;
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  /** For how long an answer of the log is good; default `LOOK_EVERY_MS`. */
  readonly everyMs?: number;
}

/** A revocation has to count within a second, whatever the views do: half of it is left for the look itself. */
export const LOOK_EVERY_MS = 500;
/** A log that takes longer is taken for one that is away. */
const PATIENCE_MS = 250;
/** Users of whom is remembered what the log has told; the others are looked up again. */
const MAX_USERS = 10_000;

interface Seen {
  readonly revision: number;
  readonly at: number;
}

export function openNewestRevisions(options: NewestRevisionsOptions): NewestRevisions {
  const { revisionOf, elapsed, everyMs = LOOK_EVERY_MS } = options;
  const newest = new LRUCache<number, Seen>({ max: MAX_USERS });
  const underWay = new Map<number, Promise<void>>();
  let silentUntil = Number.NEGATIVE_INFINITY;

  function put(user: number, revision: number, at: number): void {
    const before = newest.get(user)?.revision ?? -1;
    newest.set(user, { revision: Math.max(before, revision), at });
  }

  async function ask(user: number): Promise<void> {
    // Of the moment before it was asked: what comes later may not be in the answer.
    const at = elapsed();
    const asking = revisionOf(user).then(
      (revision) => put(user, revision ?? -1, at),
      () => fallSilent(),
    );
    await withinPatience(asking, fallSilent);
  }

  function fallSilent(): void {
    silentUntil = elapsed() + everyMs;
  }

  return {
    async look(user) {
      const cached = newest.get(user);
      if (cached && elapsed() - cached.at < everyMs) return;
      if (elapsed() < silentUntil) return;
      const joined = underWay.get(user);
      if (joined) return joined;
      const asking = ask(user).finally(() => underWay.delete(user));
      underWay.set(user, asking);
      return asking;
    },
    isOutdated: (user, revision) => revision < (newest.get(user)?.revision ?? -1),
    note: (user, revision) => put(user, revision, elapsed()),
    newestOf: (user) => newest.get(user)?.revision,
  };
}

/** Waits for work, but not long. */
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
