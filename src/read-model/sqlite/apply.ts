// Applies a batch: documents, names, rows and checkpoint, all or nothing.
import { openGrowingTurns } from '../../kernel/event-loop/turns.ts';
import { waitForNoLock } from '../../kernel/files/sqlite-errors.ts';
import { ReadModelDamaged } from '../damage.ts';
import { type DocumentKey, namesOf } from '../documents.ts';
import { packRow, rowOfChange } from '../list-index/rows.ts';
import { type Batch, type DocumentChange, ReadModelUnavailable } from '../read-model.ts';
import { noteBatch, noteChange } from './changes.ts';
import { checkpoint, leaveLog } from './checkpoint.ts';
import { type Connection, connectToExisting, type Value } from './connection.ts';
import { columnsOf, readForList } from './document-rows.ts';
import type { Arrival } from './meta-cache.ts';
import { documentRow, kindCode } from './schema.ts';

/** All names of a damaged document are looked for, because it is being replaced. */
function namesBefore(connection: Connection, key: DocumentKey): readonly string[] {
  try {
    const document = readForList(connection, key);
    return document ? namesOf(document) : [];
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    const names = connection.column('SELECT name FROM name WHERE kind = ? AND id = ?');
    return names.all(kindCode(key.kind), key.id).map(String);
  }
}

function replaceNames(connection: Connection, { key, document }: DocumentChange): void {
  const { change } = connection;
  const kind = kindCode(key.kind);
  const now = document ? namesOf(document) : [];
  for (const name of namesBefore(connection, key))
    if (!now.includes(name)) change('DELETE FROM name WHERE kind = ? AND name = ? AND id = ?').run(kind, name, key.id);
  // Also those that it had: one may have been lost.
  for (const name of now) change('INSERT OR IGNORE INTO name VALUES (?, ?, ?)').run(kind, name, key.id);
}

/** Replaces a document, its names and its row. */
function replace(connection: Connection, one: DocumentChange): void {
  const { change } = connection;
  const at = documentRow(one.key);
  replaceNames(connection, one);
  const row = rowOfChange(one);
  if (row) change('INSERT OR REPLACE INTO list_row VALUES (?, ?)').run(at, packRow(row));
  else change('DELETE FROM list_row WHERE row = ?').run(at);
  if (one.document) change('INSERT OR REPLACE INTO document VALUES (?, ?, ?)').run(...columnsOf(one.document));
  else change('DELETE FROM document WHERE row = ?').run(at);
}

/** The checkpoint; throws `ReadModelUnavailable` if other code has taken over the file. */
export function ownCheckpoint({ rows }: Connection, fingerprint: string): Value {
  const [checkpoint = null, owner] = rows('SELECT checkpoint, fingerprint FROM meta').get() ?? [];
  if (owner === fingerprint) return checkpoint;
  throw new ReadModelUnavailable(
    'The read model is being filled by another version of the service or with other settings: stop one of the two.',
  );
}

/** Moves the checkpoint. */
export function arriveAt({ column }: Connection, { upTo, mark = '' }: Pick<Batch, 'upTo' | 'mark'>): Arrival {
  const batch = column('UPDATE meta SET checkpoint = ?, mark = ?, batch = batch + 1 RETURNING batch').get(upTo, mark);
  return { batch: Number(batch), checkpoint: upTo, mark };
}

/** Applies batches; throws `ReadModelUnavailable` if other code has taken over the file, and `ReadModelDamaged`. */
export function openApplier(connection: Connection, fingerprint: string) {
  const apply = connection.db.transaction((batch: Batch): Arrival | 'stale' => {
    if (ownCheckpoint(connection, fingerprint) !== batch.after) return 'stale';
    for (const change of batch.changes) replace(connection, change);
    const arrival = arriveAt(connection, batch);
    noteBatch(connection, arrival.batch);
    for (const { key } of batch.changes) noteChange(connection, arrival.batch, key);
    return arrival;
  });
  return apply.immediate;
}

/** Pages that wait for the end of a long transaction; others are written when their turn comes. */
const LONG_CACHE = 256;

/**
 * Applies a long batch in turns, by a connection of its own: meanwhile others read what was before. Rejections: those of the
 * applier, and a lock before anything is changed.
 */
export async function applyInTurns(file: string, fingerprint: string, batch: Batch): Promise<Arrival | 'stale'> {
  const connection = connectToExisting(file);
  const { db } = connection;
  try {
    waitForNoLock(db);
    db.pragma(`cache_size = ${LONG_CACHE}`);
    leaveLog(connection);
    db.exec('BEGIN IMMEDIATE');
    if (ownCheckpoint(connection, fingerprint) !== batch.after) return 'stale';
    const turn = openGrowingTurns();
    for (const change of batch.changes) {
      replace(connection, change);
      await turn();
    }
    const arrival = arriveAt(connection, batch);
    noteBatch(connection, arrival.batch);
    // Noted in between, their pages would be written again and again, and COMMIT reads all behind the first of these.
    for (const { key } of batch.changes) {
      noteChange(connection, arrival.batch, key);
      await turn();
    }
    db.exec('COMMIT');
    await checkpoint(connection);
    return arrival;
  } finally {
    // Without the end of its transaction it leaves everything as it was.
    db.close();
  }
}
