// A copy of a SQLite log while others write to it.
import Sqlite from 'better-sqlite3';
import { makePrivateFile } from '../../files/private-files.ts';
import { explainFailure } from './file.ts';

/** All pages in one step: a step sees one moment, and between two a writer would make it begin anew. */
const ALL_PAGES = 0x7f_ff_ff_ff;

/**
 * Copies `file` as it is at one moment to `to`, which must not be there; SQLite's online backup, so nobody waits. The
 * copy is a single file: nothing of it lies in a journal. Rejects with `EventStoreUnavailable`.
 */
export async function copySqliteLog(file: string, to: string): Promise<void> {
  const db = open(file);
  try {
    makePrivateFile(to);
    await db.backup(to, { progress: () => ALL_PAGES });
  } catch (error) {
    throw explainFailure(file, error);
  } finally {
    db.close();
  }
}

function open(file: string): Sqlite.Database {
  try {
    return new Sqlite(file, { fileMustExist: true, readonly: true });
  } catch (error) {
    throw explainFailure(file, error);
  }
}
