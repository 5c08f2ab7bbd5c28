// Which file is in use. Every process begins at the configured file; a replaced generation names its successor. Only
// processes with the fingerprint of the successor follow: others continue with what they have. No file is ever renamed
// or overwritten while others may have it open.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { closingAtOnce } from '../../kernel/files/closing.ts';
import { isDamage } from '../../kernel/files/sqlite-errors.ts';
import { type Life, ReadModelUnavailable } from '../read-model.ts';
import { type Connection, connect, connectToExisting, setAside } from './connection.ts';
import { prepareSchema, prepareSuccessors, SCHEMA_VERSION } from './schema.ts';

/** Far more than there can be between the configured file and the one in use. */
const MAX_STEPS = 100;

/** The processes that follow: those whose code reads the same tables and makes the same documents. */
export const followersOf = (fingerprint: string): string => `${SCHEMA_VERSION} ${fingerprint}`;

/** A name for a new generation's file. No name is reused: a process may still have the earlier file open. */
export const newGenerationFile = (root: string): string => `${root}.g${randomBytes(6).toString('hex')}`;

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

/** Whether a file that `prepareSchema` has seen was replaced; cheap enough for every read. */
export const isReplaced = ({ column }: Connection, followers: string): boolean =>
  column('SELECT 1 FROM successor WHERE followers = ?').get(followers) !== undefined;

/** The life of the content of the file. */
export const lifeOf = ({ db, column }: Connection): Life => `${db.name} ${column('SELECT epoch FROM meta').get()}`;

/** A successor is gone: the file that named it is in use again. */
function forget(file: string, missing: string): void {
  closingAtOnce(connect(file).db, (db) => db.prepare('DELETE FROM successor WHERE file = ?').run(missing));
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
    `The read model ${root} is unavailable: its list of generations is damaged. Stop the service, delete the file and start again; it is rebuilt from the log.`,
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
export function findInUse(root: string, fingerprint: string): string | null {
  if (!existsSync(root)) return null;
  const { connection, file } = walk(root, followersOf(fingerprint));
  return closingAtOnce(connection.db, (db) => {
    if (Number(db.pragma('user_version', { simple: true })) !== SCHEMA_VERSION) return null;
    return connection.column('SELECT fingerprint FROM meta').get() === fingerprint ? file : null;
  });
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
  closingAtOnce(db, () => point.immediate());
}
