// Fills an empty read model in bulk. Data goes into separate tables, which are not read; the last batch
// puts them in place of the present ones. So an interrupted fill leaves no trace, and readers never see half of one.
import type { Statement } from 'better-sqlite3';
import { namesOf } from '../documents.ts';
import { packRow, rowOf } from '../list-index/rows.ts';
import { arriveAt, ownCheckpoint } from './apply.ts';
import type { Connection, Value } from './connection.ts';
import type { FilledDocument, FillPortion } from './fill-portion.ts';
import { beginFill, documentRow, endFill, FILLING, fillOwner, kindCode } from './schema.ts';

/** Rows that are collected before they are written. */
const MAX_ROWS = 40_000;

type Keys = readonly (number | string)[];

function byKeys(one: Keys, other: Keys): number {
  for (let at = 0; at < one.length; at++) {
    const [left = 0, right = 0] = [one[at], other[at]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/**
 * Rows of a table that is stored in the order of its columns. Written singly, each would change a page of its own in
 * every transaction; many sorted rows share pages.
 */
function gatheredRows(insert: Statement<Value[]>) {
  let rows: Keys[] = [];
  const write = (): void => {
    for (const row of rows.sort(byKeys)) insert.run(...row);
    rows = [];
  };
  return {
    add(row: Keys): void {
      rows.push(row);
      if (rows.length === MAX_ROWS) write();
    },
    write,
  };
}

/** Takes documents, and at the end writes what depends on all of them. */
function gatherer(connection: Connection) {
  const { db } = connection;
  const into = (table: string, columns: number): Statement<Value[]> =>
    db.prepare<Value[]>(`INSERT OR IGNORE INTO ${FILLING}${table} VALUES (${Array(columns).fill('?').join(', ')})`);
  // Texts may come as bytes.
  const text = 'CAST(? AS TEXT)';
  const addDocument = db.prepare<Value[]>(
    `INSERT OR IGNORE INTO ${FILLING}document VALUES (?, ${Array(6).fill(text).join(', ')}, ${Array(2).fill('CAST(? AS INTEGER)').join(', ')})`,
  );
  const names = gatheredRows(into('name', 3));
  const addRow = into('list_row', 2);

  return {
    add({ document, columns }: FilledDocument): void {
      addDocument.run(...columns);
      for (const name of namesOf(document)) names.add([kindCode(document.kind), name, document.id]);
      const row = rowOf(document);
      if (row) addRow.run(documentRow(document), packRow(row));
    },
    finish(): void {
      names.write();
      endFill(connection);
    },
  };
}

/** Applies the batches of fills in the calling thread; throws like `applyBatch`. */
export function filler(connection: Connection, fingerprint: string): (portion: FillPortion) => 'applied' | 'stale' {
  let current: { readonly id: string; readonly gathered: ReturnType<typeof gatherer> } | null = null;

  /** Null: another fill has begun since. */
  function gathererOf(id: string): ReturnType<typeof gatherer> | null {
    if (current?.id === id) return fillOwner(connection) === id ? current.gathered : null;
    beginFill(connection, id);
    current = { id, gathered: gatherer(connection) };
    return current.gathered;
  }

  const fill = connection.db.transaction((portion: FillPortion): 'applied' | 'stale' => {
    if (ownCheckpoint(connection, fingerprint) !== portion.after) return 'stale';
    const gathered = gathererOf(portion.fill);
    if (!gathered) return 'stale';
    for (const filled of portion.documents) gathered.add(filled);
    const isLast = portion.upTo !== portion.after;
    if (isLast) gathered.finish();
    if (isLast) current = null;
    arriveAt(connection, portion);
    return 'applied';
  });
  return (portion) => fill.immediate(portion);
}
