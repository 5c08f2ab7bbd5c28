// Removes generations that are no longer needed, or were never completed. Only for the process that has the right to
// rebuild: no other one builds meanwhile.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closingAtOnce } from '../../kernel/files/closing.ts';
import { connectToExisting } from './connection.ts';
import { findLast, followersOf, isGenerationFile, pointTo } from './in-use.ts';
import { emptyViews, prepareSuccessors, RETIRED } from './schema.ts';

const COMPANIONS = ['-wal', '-shm'] as const;

/** Removes a generation's file. Processes that have it open continue to read it. */
export function removeFile(file: string): void {
  for (const name of [file, ...COMPANIONS.map((companion) => file + companion)]) rmSync(name, { force: true });
}

/**
 * Ensures that a process that is about to open the file finds its successor in it, although its write-ahead log is
 * removed by then. False while the file is being read.
 */
function mayBeRemoved(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    const { db, column } = connectToExisting(file);
    return closingAtOnce(db, () => column('PRAGMA wal_checkpoint(TRUNCATE)').get() === 0);
  } catch {
    // A file that cannot be opened is not read.
    return true;
  }
}

/** Completes interrupted switches, and returns the files in use. Of other code and settings only the last are kept. */
function filesInUse(root: string, fingerprint: string): ReadonlySet<string> {
  const connection = connectToExisting(root);
  const { db, rows, column, change } = connection;
  return closingAtOnce(db, () => {
    prepareSuccessors(connection);
    const own = followersOf(fingerprint);
    change(
      'DELETE FROM successor WHERE followers <> ? AND rowid < (SELECT max(rowid) FROM successor WHERE followers <> ?)',
    ).run(own, own);
    for (const [followers, file] of rows('SELECT followers, file FROM successor').all()) {
      const last = findLast(root, String(followers));
      if (last !== null && last !== join(dirname(root), String(file))) pointTo(root, last, String(followers));
    }
    return new Set(column('SELECT file FROM successor').all().map(String));
  });
}

/** Empties the configured file once another one is in use; it stays as the entry point of every process. */
function emptyRoot(root: string): boolean {
  const connection = connectToExisting(root);
  const { db } = connection;
  const empty = db.transaction(() => {
    const isRetired = String(connection.column('SELECT fingerprint FROM meta').get()).startsWith(RETIRED);
    if (!isRetired || connection.column('SELECT 1 FROM document').get() === undefined) return false;
    emptyViews(connection);
    return true;
  });
  return closingAtOnce(db, () => {
    const emptied = empty.immediate();
    if (emptied) db.exec('VACUUM');
    return emptied;
  });
}

/** Returns the number of dropped generations. */
export function cleanUpFiles(root: string, fingerprint: string): number {
  const inUse = filesInUse(root, fingerprint);
  const folder = dirname(root);
  const names = readdirSync(folder).map((name) => name.replace(/-(?:wal|shm)$/, ''));
  const left = [...new Set(names)].filter((name) => isGenerationFile(root, name) && !inUse.has(name));
  const removable = left.map((name) => join(folder, name)).filter(mayBeRemoved);
  for (const file of removable) removeFile(file);
  return removable.length + Number(emptyRoot(root));
}
