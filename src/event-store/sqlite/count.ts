// How many events there are in a log, for who wants to say how far he has come.
import Sqlite from 'better-sqlite3';
import { explainFailure } from './file.ts';

/**
 * Counts the events of streams that begin with one of the prefixes (`event-`), each the whole kind of a stream. Looks at
 * an index only. Throws `EventStoreUnavailable`.
 */
export function countSqliteEvents(file: string, prefixes: readonly string[]): number {
  try {
    const db = new Sqlite(file, { fileMustExist: true });
    try {
      const kinds = JSON.stringify(prefixes);
      const text = `SELECT count(*) FROM kinds k CROSS JOIN events e ON e.kind = k.id
        WHERE k.name IN (SELECT value FROM json_each(?))`;
      return Number(db.prepare(text).pluck().get(kinds));
    } finally {
      db.close();
    }
  } catch (error) {
    throw explainFailure(file, error);
  }
}
