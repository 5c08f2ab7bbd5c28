// Fills an empty read model in bulk. Data goes into separate tables, which are not read; the last batch
// puts them in place of the present ones. So an interrupted fill leaves no trace, and readers never see half of one.
import type { Statement } from 'better-sqlite3';
import { type Document, namesOf } from '../documents.ts';
import { packRow, rowOf } from '../list-index/rows.ts';
import type { Batch } from '../read-model.ts';
import { arriveAt, ownCheckpoint } from './apply.ts';
import type { Connection, Value } from './connection.ts';
import { columnsOf } from './document-rows.ts';
import type { Arrival } from './meta-cache.ts';
import { beginFill, documentRow, endFill, FILLING, fillOwner, kindCode } from './schema.ts';

/** Names that are collected before they are written, which takes some milliseconds. */
const MAX_NAMES = 4_000;

type Name = readonly [kind: number, name: string, id: number];

function byKindAndName([kind, name]: Name, [otherKind, other]: Name): number {
  if (kind !== otherKind) return kind - otherKind;
  return name < other ? -1 : Number(name > other);
}

/** Takes documents, and at the end writes what depends on all of them. */
function gatherer(connection: Connection) {
  const { db } = connection;
  const into = (table: string, columns: number): Statement<Value[]> =>
    db.prepare<Value[]>(`INSERT OR IGNORE INTO ${FILLING}${table} VALUES (${Array(columns).fill('?').join(', ')})`);
  const [addDocument, addName, addRow] = [into('document', 3), into('name', 3), into('list_row', 2)];
  let names: Name[] = [];

  /** Written singly each name would change a page of its own in every transaction; many sorted ones share pages. */
  function writeNames(): void {
    for (const name of names.sort(byKindAndName)) addName.run(...name);
    names = [];
  }

  return {
    add(document: Document): void {
      addDocument.run(...columnsOf(document));
      const row = rowOf(document);
      if (row) addRow.run(documentRow(document), packRow(row));
      for (const name of namesOf(document)) names.push([kindCode(document.kind), name, document.id]);
      if (names.length >= MAX_NAMES) writeNames();
    },
    finish(): void {
      writeNames();
      endFill(connection);
    },
  };
}

/** Applies the batches of fills; throws like `openApplier`. */
export function openFiller(connection: Connection, fingerprint: string) {
  let current: { readonly id: string; readonly gathered: ReturnType<typeof gatherer> } | null = null;
  const begun = new Set<string>();

  /** Null: another fill has begun since. */
  function gathererOf(id: string): ReturnType<typeof gatherer> | null {
    if (current?.id === id) return fillOwner(connection) === id ? current.gathered : null;
    if (begun.has(id)) return null;
    begun.add(id);
    beginFill(connection, id);
    current = { id, gathered: gatherer(connection) };
    return current.gathered;
  }

  const fill = connection.db.transaction((batch: Batch, id: string): Arrival | 'stale' => {
    if (ownCheckpoint(connection, fingerprint) !== batch.after) return 'stale';
    const gathered = gathererOf(id);
    if (!gathered) return 'stale';
    for (const { document } of batch.changes) if (document) gathered.add(document);
    if (batch.upTo !== batch.after) {
      gathered.finish();
      current = null;
    }
    return arriveAt(connection, batch);
  });
  return fill.immediate;
}
