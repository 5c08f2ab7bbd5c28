// The file of the SQLite event store: opening it, recognising it, and describing its errors.

import Sqlite, { type Database } from 'better-sqlite3';
import { prepareOwnFile } from '../../kernel/files/own-file.ts';
import { makePrivateFile } from '../../kernel/files/private-files.ts';
import { type Advice, adviceOn } from '../../kernel/files/sqlite-errors.ts';
import { PAGE_CACHE_SIZE } from '../../kernel/memory/limit.ts';
import { errorText } from '../../kernel/text/error-text.ts';
import { EventStoreUnavailable } from '../event-store.ts';

/** Marks a SQLite file as a Daybook event store (`PRAGMA application_id`, the letters "DBes"). */
const APPLICATION_ID = 0x44426573;
/** Raise it with every change of the tables below (`PRAGMA user_version`). */
const SCHEMA_VERSION = 1;
/** How long a statement waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT = 5000;

// `position` is the rowid. Nothing is ever deleted and SQLite has one writer at a time, so positions are gap-free and
// become visible in order, whatever process wrote. `kind` repeats the stream's kind (the part of its name up to and
// including the first "-") on the event: a reader of some kinds walks their index entries and never meets the others.
const SCHEMA = `
  CREATE TABLE kinds (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL REFERENCES kinds (id),
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream_id INTEGER NOT NULL REFERENCES streams (id),
    revision INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES kinds (id),
    schema_version INTEGER NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream_id, revision);
  CREATE INDEX events_by_kind ON events (kind, position);
`;

const ADVICE: Advice = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    `is locked: another process has been writing for over ${BUSY_TIMEOUT / 1000} s. Look for a stuck backup, import or SQLite shell, end it and try again`,
  ],
  [
    /^SQLITE_IOERR_SHM/,
    'cannot be opened: the disk is full, or does not let this process make the file that SQLite needs beside it. Free some space and try again',
  ],
  [/^SQLITE_FULL/, 'cannot grow: the disk is full. Free some space and try again; nothing was written'],
  [
    /^SQLITE_IOERR/,
    'cannot be read or written: the disk reported an error. Check the disk, its mount and the system log',
  ],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, 'cannot be opened: check that the path is right and that this user may write there'],
  [/^SQLITE_READONLY/, 'is read-only: check the owner and rights of the file and of its directory'],
  [/^SQLITE_NOTADB/, 'is not a database: check that the path names a Daybook event store'],
  [/^SQLITE_CORRUPT/, 'is damaged: put back a backup; `sqlite3 <file> .recover` may save what is left of this one'],
];

/** Turns an error of the engine into `EventStoreUnavailable` with advice; other errors are returned unchanged. */
export function explainFailure(file: string, error: unknown): unknown {
  const advice = adviceOn(error, ADVICE);
  if (advice === null) return error;
  return new EventStoreUnavailable(`The event store ${file} ${advice.text} (${advice.code}).`, { cause: error });
}

/**
 * Opens `file` (created with its directories if absent; `:memory:` for one that ends with the process) and checks that
 * it is an event store of a known schema. A file of another program is left untouched. Throws `EventStoreUnavailable`
 * with the file's name.
 */
export function openSqliteFile(file: string): Database {
  let db: Database | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    db = new Sqlite(file, { timeout: BUSY_TIMEOUT });
    prepareFile(db, file);
    db.pragma(`cache_size = ${PAGE_CACHE_SIZE}`);
    return db;
  } catch (error) {
    db?.close();
    throw explainOpening(file, error);
  }
}

function explainOpening(file: string, error: unknown): unknown {
  const explained = explainFailure(file, error);
  if (explained instanceof EventStoreUnavailable) return explained;
  const message = errorText(error);
  return new EventStoreUnavailable(`The event store ${file} cannot be opened: ${message}`, { cause: error });
}

const prepareFile = (db: Database, file: string): void =>
  prepareOwnFile(db, {
    applicationId: APPLICATION_ID,
    schemaVersion: SCHEMA_VERSION,
    schema: SCHEMA,
    look: () => assertOurs(db, file),
  });

function assertOurs(db: Database, file: string): 'empty' | 'ours' {
  const application = db.pragma('application_id', { simple: true });
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (application === 0 && version === 0 && tables === 0) return 'empty';
  if (application !== APPLICATION_ID) {
    throw new EventStoreUnavailable(
      `${file} is a SQLite database, but not a Daybook event store. Check the path; the file was left untouched.`,
    );
  }
  if (version === SCHEMA_VERSION) return 'ours';
  throw new EventStoreUnavailable(
    `The event store ${file} has schema version ${version}, this Daybook knows version ${SCHEMA_VERSION}. ` +
      'Run the Daybook version that wrote it, or a newer one.',
  );
}
