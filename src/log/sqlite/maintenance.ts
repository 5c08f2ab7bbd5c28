// Maintenance of the file of a SQLite log: filling, copying, counting, finding unreadable events.
//
// Fills an empty SQLite log in one transaction: all or nothing. Meanwhile no other process writes; a crash or a power
// cut leaves an empty log.

import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { closingAtOnce } from '../../kernel/files/closing.ts';
import { makePrivateFile } from '../../kernel/files/private-files.ts';
import { isDamage } from '../../kernel/files/sqlite-errors.ts';
import { LOG_START, type Position, type RecordedEvent, type Revision } from '../envelope.ts';
import type { EventPlace } from '../hash-chain/verify.ts';
import { runsOf } from '../runs.ts';
import { explainFailure, openSqliteFile } from './file.ts';
import { createSqliteReader, toPosition, toRowid } from './read.ts';
import { createSqliteWriter, encodeAppends } from './write.ts';

/** What work on a file gives. Throws `EventStoreUnavailable` for errors of the engine. */
function explained<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explainFailure(file, error);
  }
}

/** Whether a log is empty; a missing one is not created. Throws `EventStoreUnavailable`. */
export function isSqliteLogEmpty(file: string): boolean {
  if (!existsSync(file)) return true;
  const db = openSqliteFile(file);
  return explained(file, () => closingAtOnce(db, () => createSqliteReader(db).head() === LOG_START));
}

/** Begins; null if the log is not empty, or if another process is writing to it. Throws `EventStoreUnavailable`. */
export function beginSqliteFilling(file: string) {
  const db = openSqliteFile(file);
  try {
    explained(file, () => db.exec('BEGIN IMMEDIATE'));
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
    append(events: readonly RecordedEvent[]): void {
      const [outcome] = explained(file, () => writer.write([encodeAppends(runsOf(events))]).outcomes);
      if (outcome instanceof Error) throw outcome;
      if (outcome?.kind !== 'appended')
        throw new Error(`The stream ${outcome?.stream} has other events than are told.`);
    },
    commit: () => void explained(file, () => db.exec('COMMIT')),
    close: () => void db.close(),
  };
}

// A copy of a SQLite log while others write to it.

/** All pages in one step: a step sees one moment; between two steps a writer would make it start over. */
const ALL_PAGES = 0x7f_ff_ff_ff;

/**
 * Copies `file` as of one moment to `to`, which must not exist, with SQLite's online backup, so no writer waits. The
 * copy is a single file without a journal. Rejects with `EventStoreUnavailable`.
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

const open = (file: string): Sqlite.Database =>
  explained(file, () => new Sqlite(file, { fileMustExist: true, readonly: true }));

// The number of events in a log, to show progress.

/**
 * Counts the events of streams with one of the prefixes (`event-`), each a whole kind of streams. Reads only an index.
 * Throws `EventStoreUnavailable`.
 */
export function countSqliteEvents(file: string, prefixes: readonly string[]): number {
  const text = `SELECT count(*) FROM kinds k CROSS JOIN events e ON e.kind = k.id
    WHERE k.name IN (SELECT value FROM json_each(?))`;
  return explained(file, () =>
    closingAtOnce(new Sqlite(file, { fileMustExist: true }), (db) =>
      Number(db.prepare(text).pluck().get(JSON.stringify(prefixes))),
    ),
  );
}

// Positions in a SQLite log, for a check that meets an unreadable event.

export interface SqlitePlaces {
  /** A SQLite log has no gaps between positions: nothing is ever deleted, and there is one writer at a time. */
  positionAfter(position: Position): Position;
  /** The position of the first event after another one; null at the end of the log. */
  placeAfter(position: Position): EventPlace | null;
  /** What is wrong with tables and indexes, in the words of SQLite; at most some of it. */
  damage(): string[];
  close(): void;
}

const MAX_DAMAGE = 20;

type Row = [position: number, stream: string | null, revision: Revision, type: string];

/** Reads `file` while others write it. Throws `EventStoreUnavailable`. */
export function openSqlitePlaces(file: string): SqlitePlaces {
  return explained(file, () => {
    const db = open(file);
    const next = db
      .prepare<[number], Row>(
        `SELECT e.position, s.name, e.revision, e.type FROM events e LEFT JOIN streams s ON s.id = e.stream_id
         WHERE e.position > +? ORDER BY e.position LIMIT 1`,
      )
      .raw();
    return {
      positionAfter: (position) => toPosition(toRowid(position) + 1),
      placeAfter(position) {
        const row = next.get(toRowid(position));
        if (row === undefined) return null;
        const [rowid, stream, revision, type] = row;
        return { position: toPosition(rowid), stream, revision, type };
      },
      damage() {
        try {
          const lines = db.prepare<[], string>(`PRAGMA integrity_check(${MAX_DAMAGE})`).pluck().all();
          return lines.filter((line) => line !== 'ok');
        } catch (error) {
          if (isDamage(error)) return ['it is damaged so badly that it cannot be checked'];
          throw explainFailure(file, error);
        }
      },
      close: () => void db.close(),
    };
  });
}
