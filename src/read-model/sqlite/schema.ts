// The tables, and whether an existing file matches the code that opens it.

import { EVENT_STATUSES, type EventStatus } from '../../domain/event-status.ts';
import type { PostStatus } from '../../domain/post.ts';
import { LOG_START } from '../../event-store/envelope.ts';
import { DOCUMENT_KINDS, type DocumentKey, type DocumentKind, EVENT_FLAGS, statusCode } from '../documents.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import type { Connection } from './connection.ts';

/**
 * Raise it with every change of META, tables or INDEXES, and with every filterable flag: a file with another one is
 * emptied and refilled.
 */
export const SCHEMA_VERSION = 8;

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
    changes INTEGER NOT NULL,
    term_changes INTEGER NOT NULL
  );`;

/**
 * Which file continues for which fingerprint; see generations.ts. Code of every version reads it, so it never changes.
 */
const SUCCESSORS = 'CREATE TABLE IF NOT EXISTS successor (followers TEXT PRIMARY KEY, file TEXT NOT NULL);';

/** The tables; those of a fill in progress have a prefix, and no indexes yet. */
const tables = (prefix: string): string => `
  -- See document-rows.ts.
  CREATE TABLE ${prefix}document (
    row INTEGER PRIMARY KEY, body TEXT NOT NULL, full TEXT, masked TEXT, json_ld TEXT, texts TEXT, state TEXT NOT NULL,
    -- Of body, full, masked and json_ld; of texts and state. See ../damage.ts.
    list_seal INTEGER NOT NULL, rest_seal INTEGER NOT NULL
  );

  CREATE TABLE ${prefix}name (kind INTEGER, name TEXT, id INTEGER, PRIMARY KEY (kind, name, id)) WITHOUT ROWID;

  CREATE TABLE ${prefix}event (
    id INTEGER PRIMARY KEY,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    date INTEGER NOT NULL,
    status INTEGER NOT NULL,
    author INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    ${EVENT_FLAGS.map((flag) => `${flag} INTEGER NOT NULL,`).join(' ')}
    protected INTEGER NOT NULL,
    parent INTEGER,
    -- Power of two below the length in seconds; see edge-counts.ts.
    magnitude INTEGER NOT NULL
  );

  CREATE TABLE ${prefix}event_detail (event_id INTEGER PRIMARY KEY, links TEXT NOT NULL, text TEXT NOT NULL);
  CREATE TABLE ${prefix}event_link (
    kind INTEGER, target INTEGER, starts_at INTEGER, event_id INTEGER, life INTEGER,
    PRIMARY KEY (kind, target, starts_at, event_id, life)
  ) WITHOUT ROWID;

  -- See search-index.ts and event-set.ts.
  CREATE TABLE ${prefix}token (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
  CREATE TABLE ${prefix}posting (
    token INTEGER, chunk INTEGER, members BLOB NOT NULL, PRIMARY KEY (token, chunk)
  ) WITHOUT ROWID;

  CREATE TABLE ${prefix}edge_count (
    edge INTEGER, level INTEGER, status INTEGER, bucket INTEGER, events INTEGER NOT NULL,
    PRIMARY KEY (edge, level, status, bucket)
  ) WITHOUT ROWID;
  CREATE TABLE ${prefix}term_count (
    kind INTEGER, term INTEGER, events INTEGER NOT NULL, PRIMARY KEY (kind, term)
  ) WITHOUT ROWID;

  -- See recent-event-changes.ts.
  CREATE TABLE ${prefix}event_change (
    change INTEGER, kind INTEGER, id INTEGER, PRIMARY KEY (change, kind, id)
  ) WITHOUT ROWID;

  CREATE TABLE ${prefix}linked_post (
    kind INTEGER, id INTEGER, life INTEGER NOT NULL, date INTEGER NOT NULL, status INTEGER NOT NULL,
    author INTEGER NOT NULL, lat REAL, lng REAL, text TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;`;

const INDEXES = `
  CREATE INDEX event_by_start ON event (starts_at, date, id, ends_at, status, hidden, author, protected, parent);
  CREATE INDEX event_by_end ON event (ends_at, status, hidden);
  CREATE INDEX event_by_magnitude ON event (magnitude, starts_at, ends_at, status, hidden) WHERE magnitude >= 17;
  CREATE INDEX event_by_author ON event (author, status) WHERE status > 0;
  CREATE INDEX event_by_parent ON event (parent) WHERE parent IS NOT NULL;
  ${EVENT_FLAGS.map((flag) => `CREATE INDEX event_${flag} ON event (starts_at) WHERE ${flag} = 1;`).join('\n  ')}
  CREATE INDEX event_newest ON event (date, id) WHERE status = 0 AND hidden = 0;
  CREATE INDEX event_scheduled ON event (date, id) WHERE status = 1;
  CREATE INDEX linked_post_scheduled ON linked_post (date, id, kind) WHERE status = 1;
  CREATE INDEX linked_post_by_date ON linked_post (kind, date, id, status, author);
  CREATE INDEX linked_post_by_lat ON linked_post (kind, lat, lng, life) WHERE lat IS NOT NULL;`;

const TABLES = [
  'document',
  'name',
  'event',
  'event_detail',
  'event_link',
  'token',
  'posting',
  'edge_count',
  'term_count',
  'event_change',
  'linked_post',
];

/** Tables of earlier versions. */
const FORMER_TABLES = ['event_search', 'search_pending'];

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
  db.exec(drop([...TABLES, ...FORMER_TABLES]) + dropFill + tables('') + INDEXES);
  db.prepare(
    `UPDATE meta SET checkpoint = ?, mark = '', epoch = ${NEW_EPOCH}, changes = changes + 1, term_changes = term_changes + 1`,
  ).run(LOG_START);
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

/** Puts the filled tables in place of the present ones, with indexes. Call it inside a transaction. */
export function endFill({ db }: Connection): void {
  const renames = TABLES.map((table) => `ALTER TABLE ${FILLING}${table} RENAME TO ${table};`).join('\n');
  db.exec(`${drop([OWNER, ...TABLES])} ${renames} ${INDEXES}`);
}

function createAll(connection: Connection, fingerprint: string): void {
  const { db } = connection;
  db.exec(`DROP TABLE IF EXISTS meta; ${META}`);
  db.prepare(`INSERT INTO meta VALUES (1, ?, ?, '', ${NEW_EPOCH}, 0, 0)`).run(fingerprint, LOG_START);
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

/**
 * Prepares the file: creates what is missing and empties what other code or other settings made. Throws
 * `ReadModelUnavailable` if the file is a database of something else.
 */
export function prepareSchema(connection: Connection, file: string, fingerprint: string): void {
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

/** The kind of such a number; undefined if unknown. */
export const kindOfCode = (code: number): DocumentKind | undefined => DOCUMENT_KINDS[code];

/** The row id of a document. */
export const documentRow = ({ kind, id }: DocumentKey): number => kindCode(kind) * IDS_PER_KIND + id;

/** First row id of a kind, and the first one after it. */
export const documentRows = (kind: DocumentKind): readonly [number, number] => [
  kindCode(kind) * IDS_PER_KIND,
  (kindCode(kind) + 1) * IDS_PER_KIND,
];

/** Statuses as an SQL list without its brackets, sorted, so that equal sets make equal statements. */
export const statusList = (statuses: readonly PostStatus[]): string =>
  [...new Set(statuses.map(statusCode))].sort().join(', ');

/**
 * The kind of links from canceled and postponed events to what became of them. So every file can hold them, also one
 * that was made before there were such events.
 */
export const STATUS_LINKS = -1;

/** The target of such a link. */
export const eventStatusCode = (status: EventStatus): number => EVENT_STATUSES.indexOf(status);

/** The kind of links from online events, with the target 0, for the same reason. */
export const ONLINE_LINKS = -2;

/** The kind of links from events that are free of charge, with the target 0. */
export const FREE_LINKS = -3;

/** What an event may be linked to. */
export type LinkKind = 'category' | 'tag' | 'venue' | 'organizer';
