// Failures of SQLite, in sentences that say what to do.
import Database from 'better-sqlite3';
import { ReadModelUnavailable } from '../read-model.ts';

const REMEDIES: readonly (readonly [prefix: string, remedy: string])[] = [
  ['SQLITE_FULL', 'the disk is full: free some space; nothing is lost'],
  ['SQLITE_BUSY', 'another process keeps it locked: look for a second projector or a backup that hangs'],
  ['SQLITE_LOCKED', 'another process keeps it locked: look for a second projector or a backup that hangs'],
  ['SQLITE_CORRUPT', 'it is damaged: stop the service, delete the file and start again; it is rebuilt from history'],
  ['SQLITE_NOTADB', 'it is damaged: stop the service, delete the file and start again; it is rebuilt from history'],
  ['SQLITE_READONLY', 'it cannot be written: check the owner and the rights of the file and its folder'],
  ['SQLITE_CANTOPEN', 'it cannot be opened: check that the folder exists and may be written'],
  ['SQLITE_PERM', 'it cannot be opened: check the owner and the rights of the file and its folder'],
  ['SQLITE_IOERR', 'the disk reports an error: check it and the free space'],
];

/** Whether the file is not, or no longer, a sound database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

/** Turns failures of the disk into `ReadModelUnavailable`; anything else is a bug and stays what it is. */
export function readModelFailure(file: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code } = error;
  const remedy = REMEDIES.find(([prefix]) => code.startsWith(prefix))?.[1];
  if (!remedy) return error;
  return new ReadModelUnavailable(`The read model ${file} is unavailable: ${remedy} (${code}).`, { cause: error });
}
