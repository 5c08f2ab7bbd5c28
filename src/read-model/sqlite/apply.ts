// Applies a batch: documents, names, rows and checkpoint, all or nothing.
import { ReadModelDamaged } from '../damage.ts';
import { type Document, type DocumentKey, namesOf } from '../documents.ts';
import { packRow, rowOf } from '../list-index/rows.ts';
import { type Batch, ReadModelUnavailable } from '../read-model.ts';
import { noteChanges } from './changes.ts';
import type { Connection, Value } from './connection.ts';
import { deleteDocument, readForList, writeDocument } from './document-rows.ts';
import { documentRow, kindCode } from './schema.ts';

/** Of a damaged document all are looked for: it is being replaced. */
function namesBefore(connection: Connection, key: DocumentKey): readonly string[] {
  try {
    const document = readForList(connection, key);
    return document ? namesOf(document) : [];
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
    const names = connection.column('SELECT name FROM name WHERE kind = ? AND id = ?').all(kindCode(key.kind), key.id);
    return names.map(String);
  }
}

function replaceNames(connection: Connection, key: DocumentKey, document: Document | null): void {
  const { change } = connection;
  const kind = kindCode(key.kind);
  const old = namesBefore(connection, key);
  const now = document ? namesOf(document) : [];
  for (const name of old)
    if (!now.includes(name)) change('DELETE FROM name WHERE kind = ? AND name = ? AND id = ?').run(kind, name, key.id);
  // Also those that it had: one may have been lost.
  for (const name of now) change('INSERT OR IGNORE INTO name VALUES (?, ?, ?)').run(kind, name, key.id);
}

function replaceRow({ change }: Connection, key: DocumentKey, document: Document | null): void {
  const row = document && rowOf(document);
  if (row) change('INSERT OR REPLACE INTO list_row VALUES (?, ?)').run(documentRow(key), packRow(row));
  else change('DELETE FROM list_row WHERE row = ?').run(documentRow(key));
}

/** Replaces a document, its names and its row. */
function replace(connection: Connection, key: DocumentKey, document: Document | null): void {
  replaceNames(connection, key, document);
  replaceRow(connection, key, document);
  if (document) writeDocument(connection, document);
  else deleteDocument(connection, key);
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
export function arriveAt({ change }: Connection, { upTo, mark = '' }: Pick<Batch, 'upTo' | 'mark'>): void {
  change('UPDATE meta SET checkpoint = ?, mark = ?, batch = batch + 1').run(upTo, mark);
}

/** Applies a batch; throws `ReadModelUnavailable` if other code has taken over the file, and `ReadModelDamaged`. */
export function applyBatch(connection: Connection, fingerprint: string, batch: Batch): 'applied' | 'stale' {
  const apply = connection.db.transaction((): 'applied' | 'stale' => {
    if (ownCheckpoint(connection, fingerprint) !== batch.after) return 'stale';
    for (const { key, document } of batch.changes) replace(connection, key, document);
    arriveAt(connection, batch);
    noteChanges(
      connection,
      batch.changes.map(({ key }) => key),
    );
    return 'applied';
  });
  return apply.immediate();
}
