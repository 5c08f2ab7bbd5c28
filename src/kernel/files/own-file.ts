// SQLite files of ours that several processes write to: the log, and the keys beside it.
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { isLocked } from './sqlite-errors.ts';

interface OwnFile {
  /** `PRAGMA application_id`: four letters that mark the file. */
  readonly applicationId: number;
  /** `PRAGMA user_version`. */
  readonly schemaVersion: number;
  readonly schema: string;
  /** Throws for a foreign file, or one of another version. */
  readonly look: () => 'empty' | 'ours';
}

/** Creates the tables in an empty file. Commits from then on survive a loss of power. */
export function prepareOwnFile(db: Database, { applicationId, schemaVersion, schema, look }: OwnFile): void {
  // One transaction for all checks: another process may be creating the tables between two of them.
  const isFresh = db.transaction(look)() === 'empty';
  enterWal(db);
  // FULL, not NORMAL: in WAL mode NORMAL may lose the last commits with the power. The log is the audit trail, and an
  // event must not be stored before its key is safe.
  db.pragma('synchronous = FULL');
  if (!isFresh) return;
  const create = db.transaction(() => {
    // Another process may have created the tables between our check and our lock.
    if (look() === 'ours') return;
    db.exec(schema);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${schemaVersion}`);
  });
  create.immediate();
}

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 10;

// Two processes that open a new file at the same moment may meet while the journal mode changes; SQLite reports that as
// busy at once, without waiting for the time-out.
function enterWal(db: Database): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isLocked(error) || attempt === MAX_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/**
 * The identity of the file behind a name, which changes when it is deleted or another one is moved over it; null for none,
 * and in memory.
 */
export function placeOf(file: string): string | null {
  const stats = file === ':memory:' ? undefined : statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
}
