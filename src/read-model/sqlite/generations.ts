// Generations in files beside the configured one. The switch is one transaction on the file in use: it compares the
// checkpoints, names the successor, and takes the file from any process that would still apply something to it.

import { basename } from 'node:path';
import Database from 'better-sqlite3';
import type { Position } from '../../event-store/envelope.ts';
import { makePrivateFile } from '../../files/private-files.ts';
import { isLocked } from '../../files/sqlite-errors.ts';
import { DOCUMENT_KINDS, type DocumentKey } from '../documents.ts';
import { type Build, type Claim, type Generation, type Generations, RebuildUnderWay } from '../generations.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { cleanUpFiles, removeFile } from './clean-up.ts';
import { documentRows } from './codes.ts';
import { connect, connectToExisting } from './connection.ts';
import { readModelFailure } from './failures.ts';
import { openSqliteReadModel, type SqliteReadModelOptions } from './open.ts';
import { prepareNew, prepareSuccessors, RETIRED } from './schema.ts';
import { findInUse, followersOf, newGenerationFile, pointTo } from './successors.ts';

/** Opens nothing yet. Throws `ReadModelUnavailable` for views in memory, which no other process sees. */
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

/** A lock that the system releases when the process ends, however it ends. Its file stays: removing it would let two in. */
function takeLock(root: string, fingerprint: string): Database.Database {
  const beginning = connect(root);
  try {
    prepareNew(beginning, root, fingerprint);
  } finally {
    beginning.db.close();
  }
  makePrivateFile(`${root}.rebuild`);
  const lock = new Database(`${root}.rebuild`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isLocked(error)) throw new RebuildUnderWay(root);
    throw error;
  }
}

/** The switch. Without a file in use, the configured one names what was built, so that it is found at the next start. */
function promote(root: string, file: string, fingerprint: string, checkpoint: Position): 'live' | 'behind' {
  settle(file);
  const inUse = findInUse(root, fingerprint);
  if (inUse !== null) {
    const outcome = replace(inUse, file, fingerprint, checkpoint);
    if (outcome === 'behind' || inUse === root) return outcome;
  }
  // So that no process has to walk through generations that were replaced long ago.
  pointTo(root, file, followersOf(fingerprint));
  return 'live';
}

/** Brings everything into the file itself: a process that opens it begins with a short way through its log of changes. */
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

/** The keys of all documents in a file, kind by kind. Each portion is of one moment; what is written between two of them is met or not. */
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
