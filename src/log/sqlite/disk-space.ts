// Tests whether a SQLite file has space for an append, without one.
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { isLocked, waitForNoLock } from '../../kernel/files/sqlite-errors.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { explainFailure } from './file.ts';

/** Bytes; more than nearly all appends. Less could fit into the rest of a page when nothing else does. */
const SOME_ROOM = 128 * 1024;

/** Bytes available to this process on the disk of a folder; null if the file system does not say. */
async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null || disk.blocks === 0) return null;
  // Part of a disk may be reserved for the superuser.
  return (process.getuid?.() === 0 ? disk.bfree : disk.bavail) * disk.bsize;
}

/**
 * Tests `file`, which must exist, have its tables and not be in memory. It is opened on first use. `free`: bytes left
 * on the disk of a folder.
 */
export function openSqliteRoom(file: string, free = freeBytes) {
  let db: Database | null = null;
  let isClosed = false;

  function open(): Database {
    const opened = new Sqlite(file, { fileMustExist: true });
    waitForNoLock(opened);
    // With a tiny page cache a transaction writes to the journal at once, and only there space can be missing.
    opened.pragma('cache_size = 1');
    return opened;
  }

  return {
    /**
     * Writes something and rolls it back: within about a millisecond, because it waits neither for the disk nor for a
     * lock.
     */
    async tryWriting() {
      // The journal has space from earlier for the next few appends; then only the disk counts.
      if (((await free(path.dirname(file))) ?? SOME_ROOM) < SOME_ROOM)
        throw new EventStoreUnavailable(`The event store ${file} cannot grow: the disk is full. Free some space.`);
      if (isClosed) return 'busy';
      try {
        db ??= open();
        db.exec('BEGIN IMMEDIATE');
        db.exec(`CREATE TABLE room AS SELECT zeroblob(${SOME_ROOM})`);
        return 'possible';
      } catch (error) {
        if (isLocked(error)) return 'busy';
        throw explainFailure(file, error);
      } finally {
        // Some failures have ended the transaction already.
        if (db?.inTransaction) db.exec('ROLLBACK');
      }
    },
    close() {
      isClosed = true;
      db?.close();
    },
  };
}
