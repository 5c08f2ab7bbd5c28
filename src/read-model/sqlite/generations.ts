// Generations in files beside the configured one. The switch is one transaction on the file in use: it compares the
// checkpoints, names the successor, and stops any process from applying more to the old file.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Position } from '../../event-store/envelope.ts';
import { isDamage } from '../../files/sqlite-errors.ts';
import { DOCUMENT_KINDS, type DocumentKey } from '../documents.ts';
import { type Build, type Claim, type Generation, type Generations, RebuildUnderWay } from '../generations.ts';
import { type Life, ReadModelUnavailable } from '../read-model.ts';
import { cleanUpFiles, removeFile } from './clean-up.ts';
import { type Connection, connect, connectToExisting, setAside } from './connection.ts';
import { readModelFailure } from './failures.ts';
import { tryLock } from './lease.ts';
import { openSqliteReadModel, type SqliteReadModelOptions } from './open.ts';
import { documentRows, prepareNew, prepareSchema, prepareSuccessors, RETIRED, SCHEMA_VERSION } from './schema.ts';

/** Opens nothing yet. Throws `ReadModelUnavailable` for a read model in memory, which no other process sees. */
export function openSqliteGenerations(options: SqliteReadModelOptions): Generations {
  const { file: root, fingerprint } = options;
  if (root === ':memory:')
    throw new ReadModelUnavailable('Views in memory cannot be rebuilt: they end with their process and start empty.');

  const explained = <Answer>(work: () => Answer): Answer => {
    try {
      return work();
    } catch (error) {
      throw readModelFailure(root, error);
    }
  };

  function generation(file: string): Generation {
    const model = openSqliteReadModel({ file, fingerprint });
    return { name: basename(file), model, keys: () => documentKeys(file), close: () => model.close() };
  }

  function begin(): Build {
    const file = newGenerationFile(root);
    const building = generation(file);
    return {
      ...building,
      promote: async () => {
        const checkpoint = await building.model.checkpoint();
        return explained(() => promote(root, file, fingerprint, checkpoint));
      },
      async discard() {
        await building.close();
        removeFile(file);
      },
    };
  }

  return {
    async live() {
      const file = explained(() => findInUse(root, fingerprint));
      return file === null ? null : generation(file);
    },
    async claim(): Promise<Claim> {
      const lock = explained(() => takeLock(root, fingerprint));
      return {
        begin: async () => explained(begin),
        cleanUp: async () => explained(() => cleanUpFiles(root, fingerprint)),
        release: async () => void lock.close(),
      };
    },
    close: async () => {},
  };
}

function takeLock(root: string, fingerprint: string): Database.Database {
  const beginning = connect(root);
  try {
    prepareNew(beginning, root, fingerprint);
  } finally {
    beginning.db.close();
  }
  const lock = tryLock(`${root}.rebuild`);
  if (lock === null) throw new RebuildUnderWay(root);
  return lock;
}

/** The switch. Without a file in use, the configured one names the new one, so that it is found at the next start. */
function promote(root: string, file: string, fingerprint: string, checkpoint: Position): 'live' | 'behind' {
  settle(file);
  const inUse = findInUse(root, fingerprint);
  if (inUse !== null) {
    const outcome = replace(inUse, file, fingerprint, checkpoint);
    if (outcome === 'behind' || inUse === root) return outcome;
  }
  // So that no process has to walk through long-replaced generations.
  pointTo(root, file, followersOf(fingerprint));
  return 'live';
}

/** Checkpoints the write-ahead log, so that a process that opens the file has little of it to read. */
function settle(file: string): void {
  const { db } = connectToExisting(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

function replace(inUse: string, file: string, fingerprint: string, checkpoint: Position): 'live' | 'behind' {
  const connection = connectToExisting(inUse);
  const { db, rows, change } = connection;
  const exchange = db.transaction((): 'live' | 'behind' => {
    const [reached = '', owner] = rows('SELECT checkpoint, fingerprint FROM meta').get() ?? [];
    if (owner !== fingerprint)
      throw new ReadModelUnavailable(
        `The read model ${inUse} has been taken over by another version of the service or other settings: rebuild again with those that are in use.`,
      );
    // Positions compare as text.
    if (String(reached) > checkpoint) return 'behind';
    prepareSuccessors(connection);
    change('INSERT OR REPLACE INTO successor VALUES (?, ?)').run(followersOf(fingerprint), basename(file));
    change('UPDATE meta SET fingerprint = ? || fingerprint').run(RETIRED);
    return 'live';
  });
  try {
    return exchange.immediate();
  } finally {
    db.close();
  }
}

const PORTION = 500;

/**
 * The keys of all documents in a file, kind by kind. Each portion is of one moment; writes between two of them may or
 * may not be included.
 */
async function* documentKeys(file: string): AsyncIterable<readonly DocumentKey[]> {
  const { db, column } = connectToExisting(file);
  try {
    for (const kind of DOCUMENT_KINDS) {
      const [first, end] = documentRows(kind);
      for (let after = first - 1; ; ) {
        const rows = column('SELECT row FROM document WHERE row > ? AND row < ? ORDER BY row LIMIT ?')
          .all(after, end, PORTION)
          .map(Number);
        const last = rows.at(-1);
        if (last === undefined) break;
        yield rows.map((row) => ({ kind, id: row - first }));
        after = last;
      }
    }
  } finally {
    db.close();
  }
}

// Which file is in use. Every process begins at the configured file; a replaced generation names its successor. Only
// processes with the fingerprint of the successor follow: others continue with what they have. No file is ever renamed
// or overwritten while others may have it open.

/** Far more than there can be between the configured file and the one in use. */
const MAX_STEPS = 100;

/** The processes that follow: those whose code reads the same tables and makes the same documents. */
export const followersOf = (fingerprint: string): string => `${SCHEMA_VERSION} ${fingerprint}`;

/** A name for a new generation's file. No name is reused: a process may still have the earlier file open. */
const newGenerationFile = (root: string): string => `${root}.g${randomBytes(6).toString('hex')}`;

/** Whether a name in the folder of the configured file is that of a generation. */
export function isGenerationFile(root: string, name: string): boolean {
  const beginning = `${basename(root)}.g`;
  return name.startsWith(beginning) && /^[0-9a-f]{12}$/.test(name.slice(beginning.length));
}

const HAS_TABLE = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'successor'";

/** The name of this file's successor; null if this one is in use. Files of earlier code name none. */
function successorNamed({ column }: Connection, followers: string): string | null {
  if (Number(column(HAS_TABLE).get()) === 0) return null;
  const name = column('SELECT file FROM successor WHERE followers = ?').get(followers);
  return name === undefined ? null : String(name);
}

/** The same for a file that `prepareSchema` has seen; cheap enough for every read. */
export const isReplaced = ({ column }: Connection, followers: string): boolean =>
  column('SELECT 1 FROM successor WHERE followers = ?').get(followers) !== undefined;

/** The life of the content of the file. */
export const lifeOf = ({ db, column }: Connection): Life => `${db.name} ${column('SELECT epoch FROM meta').get()}`;

/** The same, for a file that `prepareSchema` has seen; null if it has been replaced. Cheap enough for every read. */
export function lifeInUse({ db, column }: Connection, followers: string): Life | null {
  const epoch = column('SELECT epoch FROM meta WHERE NOT EXISTS (SELECT 1 FROM successor WHERE followers = ?)').get(
    followers,
  );
  return epoch === undefined ? null : `${db.name} ${epoch}`;
}

/** A successor is gone: the file that named it is in use again. */
function forget(file: string, missing: string): void {
  const { db } = connect(file);
  try {
    db.prepare('DELETE FROM successor WHERE file = ?').run(missing);
  } finally {
    db.close();
  }
}

/** Opens a successor; null if it is gone, or was not a valid database. */
function openSuccessor(file: string): Connection | null {
  try {
    return connectToExisting(file);
  } catch (error) {
    if (isDamage(error)) setAside(file);
    else if (existsSync(file) || !(error instanceof Database.SqliteError)) throw error;
    return null;
  }
}

/** The successor's name, null if there is none; an unreadable file is set aside. */
function nextAfter(connection: Connection, file: string, followers: string): string | null {
  try {
    return successorNamed(connection, followers);
  } catch (error) {
    connection.db.close();
    if (file === ':memory:' || !isDamage(error)) throw error;
    setAside(file);
    return 'damaged';
  }
}

/** Walks from the configured file to the one in use, which is the last that `visit` gets. */
function walk(root: string, followers: string): { readonly connection: Connection; readonly file: string } {
  let from = root;
  let file = root;
  for (let step = 0; step < MAX_STEPS; step++) {
    const connection = file === root ? connect(root) : openSuccessor(file);
    if (connection === null) {
      forget(from, basename(file));
      // Or it was dropped because a newer one has come into use: starting over finds that one.
      from = root;
      file = root;
      continue;
    }
    const next = nextAfter(connection, file, followers);
    if (next === null) return { connection, file };
    connection.db.close();
    if (next === 'damaged') continue;
    from = file;
    file = join(dirname(root), next);
  }
  throw new ReadModelUnavailable(
    `The read model ${root} is unavailable: its generations lead nowhere. Stop the service, delete the file and start again; it is rebuilt from history.`,
  );
}

/** Opens the file in use and prepares it; a damaged one is set aside as `<file>.damaged`. */
export function openInUse(root: string, fingerprint: string): Connection {
  const { connection, file } = walk(root, followersOf(fingerprint));
  try {
    prepareSchema(connection, file, fingerprint);
    return connection;
  } catch (error) {
    connection.db.close();
    if (file === ':memory:' || !isDamage(error)) throw error;
    setAside(file);
    return openInUse(root, fingerprint);
  }
}

/** The file in use, unchanged; null if there is none by this code with these settings. */
function findInUse(root: string, fingerprint: string): string | null {
  if (!existsSync(root)) return null;
  const { connection, file } = walk(root, followersOf(fingerprint));
  try {
    if (Number(connection.db.pragma('user_version', { simple: true })) !== SCHEMA_VERSION) return null;
    return connection.column('SELECT fingerprint FROM meta').get() === fingerprint ? file : null;
  } finally {
    connection.db.close();
  }
}

/** The last file that the configured one leads to; null if it leads to none. */
export function findLast(root: string, followers: string): string | null {
  const { connection, file } = walk(root, followers);
  connection.db.close();
  return file === root ? null : file;
}

/** Makes the configured file name the one in use. */
export function pointTo(root: string, file: string, followers: string): void {
  const connection = connectToExisting(root);
  const { db, change } = connection;
  const point = db.transaction(() => {
    prepareSuccessors(connection);
    change('INSERT OR REPLACE INTO successor VALUES (?, ?)').run(followers, basename(file));
  });
  try {
    point.immediate();
  } finally {
    db.close();
  }
}
