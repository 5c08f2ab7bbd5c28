// Where the events of a SQLite log lie, for who checks it and meets one that cannot be read.
import Sqlite from 'better-sqlite3';
import type { Position, Revision } from '../envelope.ts';
import type { EventPlace } from '../hash-chain/verify-log.ts';
import { explainFailure } from './file.ts';
import { toPosition, toRowid } from './read.ts';

export interface SqlitePlaces {
  /** A log in SQLite leaves no position out: nothing is ever deleted, and there is one writer at a time. */
  positionAfter(position: Position): Position;
  /** Where the first event behind a position lies; null at the end of the log. */
  placeAfter(position: Position): EventPlace | null;
  close(): void;
}

type Row = [position: number, stream: string | null, revision: Revision, type: string];

/** Reads `file` beside whoever writes it. Throws `EventStoreUnavailable`. */
export function openSqlitePlaces(file: string): SqlitePlaces {
  try {
    const db = new Sqlite(file, { fileMustExist: true, readonly: true });
    const next = db
      .prepare<[number], Row>(
        `SELECT e.position, s.name, e.revision, e.type FROM events e LEFT JOIN streams s ON s.id = e.stream_id
         WHERE e.position > ? ORDER BY e.position LIMIT 1`,
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
      close: () => void db.close(),
    };
  } catch (error) {
    throw explainFailure(file, error);
  }
}
