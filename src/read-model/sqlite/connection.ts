// One open file: its prepared statements, and operations on the whole file.
import { renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { makePrivateFile } from '../../kernel/files/private-files.ts';
import { isDamage } from '../../kernel/files/sqlite-errors.ts';
import { PAGE_CACHE_SIZE } from '../../kernel/memory/limit.ts';

/** Values that SQLite stores and compares. */
export type Value = string | number | Uint8Array | null;
export type Row = readonly Value[];

export interface Connection {
  readonly db: Database.Database;
  /** The prepared statement of an SQL text; rows are arrays. */
  rows(sql: string): Database.Statement<Value[], Row>;
  /** Prepares a statement with only one relevant column. */
  column(sql: string): Database.Statement<Value[], Value>;
  /** Prepares a statement that writes. */
  change(sql: string): Database.Statement<Value[]>;
  /** Runs queries in one transaction, so that they see one moment. Made once: making one takes longer than running it. */
  inTransaction<Answer>(work: () => Answer): Answer;
}

/** Limit of cached prepared statements of each sort: rare forms must not pile up. */
const MAX_STATEMENTS = 500;

/** How long a writer waits for another one, in milliseconds. */
const PATIENCE = 5_000;

/** Pages that a rebuild changes again and again are checkpointed less often: half the time for large batches. */
export const MAX_LOG_PAGES = 8192;

/** Prepares each text once, for as long as it is in use. */
const cached = <Statement extends object>(prepare: (sql: string) => Statement) =>
  askedOnce(prepare, new LRUCache<string, Statement>({ max: MAX_STATEMENTS }));

function open(file: string, options: Database.Options = {}): Database.Database {
  const db = new Database(file, { ...options, timeout: PATIENCE });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`);
    // A power cut may lose the last moments: the read model is refilled from the log, and the checkpoint is lost with
    // the data.
    db.pragma('synchronous = NORMAL');
    db.pragma(`cache_size = ${PAGE_CACHE_SIZE}`);
    db.pragma('temp_store = MEMORY');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sets aside a file that is not a valid database. Nothing is deleted, in case it was something else. */
export function setAside(file: string): void {
  renameSync(file, `${file}.damaged`);
  for (const companion of ['-wal', '-shm']) rmSync(file + companion, { force: true });
}

function openSound(file: string): Database.Database {
  if (file === ':memory:') return open(file);
  makePrivateFile(file);
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAside(file);
    makePrivateFile(file);
    return open(file);
  }
}

/** Opens a file, or `:memory:`; a damaged one is set aside and replaced by a new one. Throws what SQLite throws. */
export function connect(file: string): Connection {
  return over(openSound(file));
}

/** Opens a file that must exist. Throws what SQLite throws. */
export function connectToExisting(file: string): Connection {
  return over(open(file, { fileMustExist: true }));
}

/** Without a write-ahead log each page of a fill is written once, and nothing waits for the disk. */
export function writeOnce({ db }: Connection): void {
  db.pragma('journal_mode = MEMORY');
  db.pragma('synchronous = OFF');
}

/** Brings all of such a file to the disk: SQLite waits for a change to be there, and with it for what was written before. */
export function settle(file: string): void {
  const { db } = connectToExisting(file);
  db.exec('UPDATE meta SET checkpoint = checkpoint');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

function over(db: Database.Database): Connection {
  const transaction = db.transaction((work: () => unknown) => work());
  return {
    db,
    rows: cached((sql) => db.prepare<Value[], Row>(sql).raw()),
    column: cached((sql) => db.prepare<Value[], Value>(sql).pluck()),
    change: cached((sql) => db.prepare<Value[]>(sql)),
    inTransaction: <Answer>(work: () => Answer) => transaction(work) as Answer, // What `work` returns.
  };
}
