// Failures of SQLite, as sentences that say what to do.
import { type Advice, adviceOn } from '../../kernel/files/sqlite-errors.ts';
import { ReadModelUnavailable } from '../read-model.ts';

const REMEDIES: Advice = [
  [/^SQLITE_FULL/, 'the disk is full: free some space; nothing is lost'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process keeps it locked: look for a second projector or a backup that hangs'],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'it is damaged: stop the service, delete the file and start again; it is rebuilt from history',
  ],
  [/^SQLITE_READONLY/, 'it cannot be written: check the owner and the rights of the file and its folder'],
  [/^SQLITE_CANTOPEN/, 'it cannot be opened: check that the folder exists and may be written'],
  [/^SQLITE_PERM/, 'it cannot be opened: check the owner and the rights of the file and its folder'],
  [/^SQLITE_IOERR/, 'the disk reports an error: check it and the free space'],
];

/** Turns failures of the disk into `ReadModelUnavailable`; other errors are bugs and unchanged. */
export function readModelFailure(file: string, error: unknown): unknown {
  const remedy = adviceOn(error, REMEDIES);
  if (remedy === null) return error;
  const message = `The read model ${file} is unavailable: ${remedy.text} (${remedy.code}).`;
  return new ReadModelUnavailable(message, { cause: error });
}
