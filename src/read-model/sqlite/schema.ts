// The tables, and whether a file that was found still fits the code that opens it.
import { LOG_START } from '../../event-store/envelope.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import type { Connection } from './connection.ts';

/** Goes up with every change below: a file with another one is emptied and filled again. */
const SCHEMA_VERSION = 3;

/** Marks our files ("DBrm"), so that a path given by mistake empties nobody else's. */
const APPLICATION_ID = 0x4442726d;

const META = `
  CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    fingerprint TEXT NOT NULL,
    checkpoint TEXT NOT NULL,
    epoch TEXT NOT NULL,
    changes INTEGER NOT NULL,
    term_changes INTEGER NOT NULL
  );`;

const VIEWS = `
  -- See document-rows.ts.
  CREATE TABLE document (
    row INTEGER PRIMARY KEY, body TEXT NOT NULL, full TEXT, masked TEXT, json_ld TEXT, texts TEXT, state TEXT NOT NULL
  );

  CREATE TABLE name (kind INTEGER, name TEXT, id INTEGER, PRIMARY KEY (kind, name, id)) WITHOUT ROWID;

  CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    date INTEGER NOT NULL,
    status INTEGER NOT NULL,
    author INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    featured INTEGER NOT NULL,
    ticketed INTEGER NOT NULL,
    protected INTEGER NOT NULL,
    parent INTEGER,
    -- Power of two below the length in seconds; see edge-counts.ts.
    magnitude INTEGER NOT NULL
  );
  CREATE INDEX event_by_start ON event (starts_at, date, id, ends_at, status, hidden, author, protected);
  CREATE INDEX event_by_end ON event (ends_at, status, hidden);
  CREATE INDEX event_by_magnitude ON event (magnitude, starts_at, ends_at, status, hidden) WHERE magnitude >= 17;
  CREATE INDEX event_by_author ON event (author, status) WHERE status > 0;
  CREATE INDEX event_by_parent ON event (parent) WHERE parent IS NOT NULL;
  CREATE INDEX event_featured ON event (starts_at) WHERE featured = 1;
  CREATE INDEX event_ticketed ON event (starts_at) WHERE ticketed = 1;

  CREATE TABLE event_detail (event_id INTEGER PRIMARY KEY, links TEXT NOT NULL, text TEXT NOT NULL);
  CREATE TABLE event_link (
    kind INTEGER, target INTEGER, starts_at INTEGER, event_id INTEGER, life INTEGER,
    PRIMARY KEY (kind, target, starts_at, event_id, life)
  ) WITHOUT ROWID;

  -- See search-index.ts and event-set.ts.
  CREATE TABLE token (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
  CREATE TABLE posting (
    token INTEGER, chunk INTEGER, members BLOB NOT NULL, PRIMARY KEY (token, chunk)
  ) WITHOUT ROWID;

  CREATE TABLE edge_count (
    edge INTEGER, level INTEGER, status INTEGER, bucket INTEGER, events INTEGER NOT NULL,
    PRIMARY KEY (edge, level, status, bucket)
  ) WITHOUT ROWID;
  CREATE TABLE term_count (
    kind INTEGER, term INTEGER, events INTEGER NOT NULL, PRIMARY KEY (kind, term)
  ) WITHOUT ROWID;

  CREATE TABLE linked_post (
    kind INTEGER, id INTEGER, life INTEGER NOT NULL, date INTEGER NOT NULL, status INTEGER NOT NULL,
    author INTEGER NOT NULL, lat REAL, lng REAL, text TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
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
  'linked_post',
];

/** Tables of earlier versions. */
const FORMER_TABLES = ['event_search', 'search_pending'];

const dropAll = [...TABLES, ...FORMER_TABLES].map((table) => `DROP TABLE IF EXISTS ${table};`).join('\n');

/** Empties every view. To be called inside a transaction. */
export function emptyViews({ db }: Connection): void {
  db.exec(dropAll + VIEWS);
  db.prepare('UPDATE meta SET checkpoint = ?, changes = changes + 1, term_changes = term_changes + 1').run(LOG_START);
}

function createAll(connection: Connection, fingerprint: string): void {
  const { db } = connection;
  db.exec(`DROP TABLE IF EXISTS meta; ${META}`);
  db.prepare(`INSERT INTO meta VALUES (1, ?, ?, lower(hex(randomblob(8))), 0, 0)`).run(fingerprint, LOG_START);
  emptyViews(connection);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

const pragma = ({ db }: Connection, name: string): number => Number(db.pragma(name, { simple: true }));

/**
 * Makes the file fit: creates what is missing and empties what was made by other code or other settings.
 * Throws `ReadModelUnavailable` when the file is a database of something else.
 */
export function prepareSchema(connection: Connection, file: string, fingerprint: string): void {
  const { db } = connection;
  const prepare = db.transaction(() => {
    const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
    const ours = pragma(connection, 'application_id') === APPLICATION_ID;
    if (tables > 0 && !ours)
      throw new ReadModelUnavailable(
        `The read model ${file} is unavailable: the file belongs to something else. Name another file for it.`,
      );
    if (!ours || pragma(connection, 'user_version') !== SCHEMA_VERSION) return createAll(connection, fingerprint);
    if (db.prepare('SELECT fingerprint FROM meta').pluck().get() === fingerprint) return;
    createAll(connection, fingerprint);
  });
  prepare.immediate();
}
