// Generations in files beside the configured one. The switch is one transaction on the file in use: it compares the
// checkpoints, names the successor, and stops any process from applying more to the old file.

import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { lookAnew } from '../../kernel/event-loop/one-look.ts';
import { closingAtOnce } from '../../kernel/files/closing.ts';
import type { Position } from '../../log/envelope.ts';
import { DOCUMENT_KINDS, type Document, type DocumentKey, namesOf } from '../documents.ts';
import {
  type Beside,
  type Build,
  type Claim,
  type Generation,
  type Generations,
  RebuildUnderWay,
} from '../generations.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { cleanUpFiles, removeFile } from './clean-up.ts';
import { type Connection, connect, connectToExisting, settle } from './connection.ts';
import { readModelFailure } from './failures.ts';
import { findInUse, followersOf, newGenerationFile, pointTo } from './in-use.ts';
import { tryLock } from './lease.ts';
import { openSqliteReadModel, type SqliteReadModelOptions } from './open.ts';
import { documentRow, documentRows, kindCode, prepareNew, prepareSuccessors, RETIRED } from './schema.ts';

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

  function generation(file: string, written: 'safely' | 'once'): Generation {
    const model = openSqliteReadModel({ file, fingerprint, written });
    const { storage } = model;
    let connection: Connection | null = null;
    return {
      name: basename(file),
      model,
      storage,
      keys: () => documentKeys(file),
      async beside(documents) {
        connection ??= connectToExisting(file);
        const current = connection;
        // Each query by itself would take and give back the lock of readers: a third of the time of the sampler.
        return current.inTransaction(() => documents.map((document) => besideOf(current, document)));
      },
      async close() {
        connection?.db.close();
        await model.close();
      },
    };
  }

  /** A file that cannot be prepared, as on a full disk, is not left behind. */
  function newGeneration(file: string): Generation {
    try {
      return generation(file, 'once');
    } catch (error) {
      removeFile(file);
      throw error;
    }
  }

  function begin(): Build {
    const file = newGenerationFile(root);
    const building = newGeneration(file);
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
      return file === null ? null : generation(file, 'safely');
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

function besideOf({ column }: Connection, document: Document): Beside {
  const row = column('SELECT packed FROM list_row WHERE row = ?').get(documentRow(document));
  const named = column('SELECT 1 FROM name WHERE kind = ? AND name = ? AND id = ?');
  const kind = kindCode(document.kind);
  return {
    row: row instanceof Uint8Array ? row : null,
    hasNames: namesOf(document).every((name) => named.get(kind, name, document.id) !== undefined),
  };
}

function takeLock(root: string, fingerprint: string): Database.Database {
  const beginning = connect(root);
  closingAtOnce(beginning.db, () => prepareNew(beginning, root, fingerprint));
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
  lookAnew();
  return closingAtOnce(db, () => exchange.immediate());
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
        const rows = column('SELECT row FROM document WHERE row > +? AND row < +? ORDER BY row LIMIT +?')
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
