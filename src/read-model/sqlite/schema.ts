// The tables, and whether an existing file matches the code that opens it.
import { LOG_START } from '../../log/envelope.ts';
import { DOCUMENT_KINDS, type DocumentKey, type DocumentKind } from '../documents.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import type { Connection } from './connection.ts';

/** Raise it with every change of META or tables: a file with another one is emptied and refilled. */
export const SCHEMA_VERSION = 9_003;

/** Marks our files ("DBrm"), so that a wrong path empties no other program's file. */
const APPLICATION_ID = 0x4442726d;

const META = `
  CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    fingerprint TEXT NOT NULL,
    checkpoint TEXT NOT NULL,
    -- Of the event at the checkpoint; see ../../event-store/event-mark.ts.
    mark TEXT NOT NULL,
    -- Another one whenever the file is emptied.
    epoch TEXT NOT NULL,
    -- Batches that were applied.
    batch INTEGER NOT NULL
  );`;

/**
 * Which file continues for which fingerprint; see generations.ts. Code of every version reads it, so it never changes.
 */
const SUCCESSORS = 'CREATE TABLE IF NOT EXISTS successor (followers TEXT PRIMARY KEY, file TEXT NOT NULL);';

/** The tables; those of a fill in progress have a prefix. */
const tables = (prefix: string): string => `
  -- See ../stored-document.ts.
  CREATE TABLE ${prefix}document (row INTEGER PRIMARY KEY, shown TEXT NOT NULL, state TEXT NOT NULL);
  CREATE TABLE ${prefix}name (kind INTEGER, name TEXT, id INTEGER, PRIMARY KEY (kind, name, id)) WITHOUT ROWID;
  -- See ../list-index/rows.ts.
  CREATE TABLE ${prefix}list_row (row INTEGER PRIMARY KEY, packed BLOB NOT NULL);
  -- Which rows the last batches have changed; see changes.ts.
  CREATE TABLE ${prefix}change (batch INTEGER, row INTEGER, PRIMARY KEY (batch, row)) WITHOUT ROWID;`;

const TABLES = ['document', 'name', 'list_row', 'change'];

/** Prefix of tables that are being filled; see fill.ts. */
export const FILLING = 'fill_';
/** Identifies the fill. */
const OWNER = `${FILLING}owner`;

const drop = (names: readonly string[]): string => names.map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n');
const dropFill = drop([OWNER, ...TABLES.map((table) => FILLING + table)]);

/** Prefix of the fingerprint of a replaced file: no process has such a fingerprint, so none writes there. */
export const RETIRED = 'retired ';

/** Adds the table of successors to a file of any version. */
export function prepareSuccessors({ db }: Connection): void {
  db.exec(SUCCESSORS);
}

const NEW_EPOCH = 'lower(hex(randomblob(8)))';

/** Marks the content as not to be trusted; see `ReadModel.distrust`. */
export function distrustViews({ db }: Connection): void {
  db.exec(`UPDATE meta SET mark = '', epoch = ${NEW_EPOCH}`);
}

/** Empties the read model and ends every fill. Call it inside a transaction. */
export function emptyViews({ db }: Connection): void {
  db.exec(drop(TABLES) + dropFill + tables(''));
  db.prepare(`UPDATE meta SET checkpoint = ?, mark = '', epoch = ${NEW_EPOCH}, batch = batch + 1`).run(LOG_START);
}

/** Creates empty tables for a fill, replacing those of an earlier one. Call it inside a transaction. */
export function beginFill({ db }: Connection, owner: string): void {
  db.exec(`${dropFill} ${tables(FILLING)} CREATE TABLE ${OWNER} (id TEXT NOT NULL);`);
  db.prepare(`INSERT INTO ${OWNER} VALUES (?)`).run(owner);
}

/** The fill in progress; null: there is none. */
export function fillOwner({ db }: Connection): string | null {
  const owned = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(OWNER);
  return owned === undefined ? null : String(db.prepare(`SELECT id FROM ${OWNER}`).pluck().get());
}

/** Puts the filled tables in place of the present ones. Call it inside a transaction. */
export function endFill({ db }: Connection): void {
  const renames = TABLES.map((table) => `ALTER TABLE ${FILLING}${table} RENAME TO ${table};`).join('\n');
  db.exec(`${drop([OWNER, ...TABLES])} ${renames}`);
}

function createAll(connection: Connection, fingerprint: string): void {
  const { db } = connection;
  // Also those of earlier versions.
  const former = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'successor'`);
  db.exec(drop(former.pluck().all()) + META);
  db.prepare(`INSERT INTO meta VALUES (1, ?, ?, '', ${NEW_EPOCH}, 0)`).run(fingerprint, LOG_START);
  emptyViews(connection);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

const pragma = ({ db }: Connection, name: string): number => Number(db.pragma(name, { simple: true }));

/** Whether it has been used before. Throws `ReadModelUnavailable` if it is a database of something else. */
function isOurs(connection: Connection, file: string): boolean {
  const tables = Number(connection.db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  const ours = pragma(connection, 'application_id') === APPLICATION_ID;
  if (tables > 0 && !ours)
    throw new ReadModelUnavailable(
      `The read model ${file} is unavailable: the file belongs to something else. Name another file for it.`,
    );
  return ours;
}

/** Prepares a new file, and leaves a used one unchanged. Throws like `prepareSchema`. */
export function prepareNew(connection: Connection, file: string, fingerprint: string): void {
  if (!isOurs(connection, file)) prepareSchema(connection, file, fingerprint);
}

const isPrepared = (connection: Connection, fingerprint: string): boolean =>
  pragma(connection, 'application_id') === APPLICATION_ID &&
  pragma(connection, 'user_version') === SCHEMA_VERSION &&
  connection.column('SELECT fingerprint FROM meta').get() === fingerprint;

/**
 * Prepares the file: creates what is missing and empties what other code or other settings made. Throws
 * `ReadModelUnavailable` if the file is a database of something else.
 */
export function prepareSchema(connection: Connection, file: string, fingerprint: string): void {
  // Without a lock: this process itself may hold it for some turns.
  if (isPrepared(connection, fingerprint)) return;
  const { db } = connection;
  const prepare = db.transaction(() => {
    const ours = isOurs(connection, file);
    prepareSuccessors(connection);
    if (!ours || pragma(connection, 'user_version') !== SCHEMA_VERSION) return createAll(connection, fingerprint);
    if (db.prepare('SELECT fingerprint FROM meta').pluck().get() === fingerprint) return;
    createAll(connection, fingerprint);
  });
  prepare.immediate();
}

// Numeric codes in the file.

/** Ids are below this, so that kind and id fit into one row id, and documents of a kind are adjacent. */
const IDS_PER_KIND = 2 ** 48;

export const kindCode = (kind: DocumentKind): number => DOCUMENT_KINDS.indexOf(kind);

/** The row id of a document. */
export const documentRow = ({ kind, id }: DocumentKey): number => kindCode(kind) * IDS_PER_KIND + id;

/** First row id of a kind, and the first one after it. */
export const documentRows = (kind: DocumentKind): readonly [number, number] => [
  kindCode(kind) * IDS_PER_KIND,
  (kindCode(kind) + 1) * IDS_PER_KIND,
];

/** The key of such a row; null: its kind is unknown. */
export function keyOfRow(row: number): DocumentKey | null {
  const kind = DOCUMENT_KINDS[Math.floor(row / IDS_PER_KIND)];
  return kind === undefined ? null : { kind, id: row % IDS_PER_KIND };
}
