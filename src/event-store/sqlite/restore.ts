// Fills an empty SQLite log in one transaction: all of it is there in the end, or nothing. While it lasts nobody else
// writes; a crash or a power cut leaves an empty log.
import { existsSync } from 'node:fs';
import { LOG_START, type RecordedEvent } from '../envelope.ts';
import { runsOf } from '../runs.ts';
import { explainFailure, openSqliteFile } from './file.ts';
import { createSqliteReader } from './read.ts';
import { createSqliteWriter, encodeAppends } from './write.ts';

export interface SqliteFilling {
  /** Takes further events in the order of the log, as they are: nothing is sealed. */
  append(events: readonly RecordedEvent[]): void;
  commit(): void;
  /** Takes everything back that has not been committed; to be called at the end in any case. */
  close(): void;
}

/** Whether there is nothing in a log; one that is not there is not made. Throws `EventStoreUnavailable`. */
export function isSqliteLogEmpty(file: string): boolean {
  if (!existsSync(file)) return true;
  const db = openSqliteFile(file);
  try {
    return createSqliteReader(db).head() === LOG_START;
  } catch (error) {
    throw explainFailure(file, error);
  } finally {
    db.close();
  }
}

/**
 * Begins; null when something is in the log, or when somebody is writing to it. Throws `EventStoreUnavailable`.
 */
export function beginSqliteFilling(file: string): SqliteFilling | null {
  const db = openSqliteFile(file);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw explainFailure(file, error);
    }
  };
  try {
    attempt(() => db.exec('BEGIN IMMEDIATE'));
    if (createSqliteReader(db).head() !== LOG_START) {
      db.close();
      return null;
    }
  } catch (error) {
    db.close();
    throw error;
  }
  const writer = createSqliteWriter(db);
  return {
    append(events) {
      const [outcome] = attempt(() => writer.write([encodeAppends(runsOf(events))]));
      if (outcome instanceof Error) throw outcome;
      if (outcome?.kind !== 'appended')
        throw new Error(`The stream ${outcome?.stream} has other events than are told.`);
    },
    commit: () => void attempt(() => db.exec('COMMIT')),
    close: () => void db.close(),
  };
}
