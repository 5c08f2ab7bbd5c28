// Waits for the disk beside the event loop: SQLite adds commits to its journal without waiting, and the journal is brought to
// the disk by the system's own call, on a thread of Node's pool. Writers collect meanwhile. Against `synchronous = FULL`, five
// turns on two cores with 14 processes that want them: POST by 32 clients 175 -> 326/s, p99 811 -> 573 ms, by one client p50
// 11 -> 8 ms, for 1.38 -> 1.54 ms of processor time each. With 25 to 40 such processes 54 -> 78/s, and once 50 -> 39/s.
// decision 2
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from 'better-sqlite3';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../event-store.ts';

/** Brings what was written to an open file to the disk. */
export type ToDisk = (descriptor: number) => Promise<void>;

const bySystem: ToDisk = promisify(fdatasync);

export interface Journal {
  /**
   * Resolves once everything that any connection has committed so far is on the disk. After a failure it always rejects: the
   * system may have dropped what it could not write, and say nothing about that the next time.
   */
  synced(): Promise<void>;
  /** Throws `EventStoreUnavailable` after a failure. */
  assertWhole(): void;
  close(): void;
}

/** For a connection to `file` that nobody else uses; it has to tell nothing of a commit before that is synced. */
export function openJournal(db: Database, file: string, toDisk = bySystem): Journal {
  // Checkpoints still wait: the journal before the file, and the file before the journal begins anew.
  db.pragma('synchronous = NORMAL');
  const descriptor = openSync(`${file}-wal`, 'r');
  let failure: unknown = null;

  return {
    async synced() {
      try {
        if (failure !== null) throw failure;
        await toDisk(descriptor);
      } catch (error) {
        failure = error;
        const why = error instanceof Error ? error.message : String(error);
        throw new AppendOutcomeUnknown(`What was written to ${file} may not be on the disk: ${why}`, { cause: error });
      }
    },
    assertWhole() {
      if (failure === null) return;
      throw new EventStoreUnavailable(
        `The disk failed while the event store ${file} was written. Check it and the system log, then start again.`,
        { cause: failure },
      );
    },
    close: () => closeSync(descriptor),
  };
}
