// Fills an empty read model in bulk. Data goes into separate tables without indexes, which are not read; the last batch
// puts them in place of the present ones. So an interrupted fill leaves no trace, and readers never see half of one.
import type { Statement } from 'better-sqlite3';
import { type EventDocument, namesOf } from '../documents.ts';
import { arriveAt, linkedPostColumns, ownCheckpoint } from './apply.ts';
import type { Connection, Value } from './connection.ts';
import { edgeCountChanges } from './edge-counts.ts';
import { countEdges, indexedOf, insertInto, storedLinks, termCountChanges } from './event-index.ts';
import type { FilledDocument, FillPortion } from './fill-portion.ts';
import { beginFill, endFill, FILLING, fillOwner, kindCode } from './schema.ts';
import { searchFill } from './search-index.ts';

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
  const addLinkedPost = into('linked_post', 9);
  const addEventRow = db.prepare<Value[]>(insertInto(`${FILLING}event`));
  const addDetail = into('event_detail', 3);
  const links = gatheredRows(into('event_link', 5));
  const edges = edgeCountChanges(connection);
  const terms = termCountChanges(connection);
  const search = searchFill(connection, FILLING);

  function addEvent(event: EventDocument): void {
    const linked = storedLinks(event);
    const indexed = indexedOf(event, linked);
    addEventRow.run(...indexed.columns);
    addDetail.run(event.id, indexed.links, indexed.text);
    for (const [kind, target, life] of linked) links.add([kind, target, event.startsAt, event.id, life]);
    countEdges(edges, indexed, 1);
    terms.add(indexed, linked, 1);
    search.add(event.id, indexed.text);
  }

  return {
    add({ document, columns }: FilledDocument): void {
      addDocument.run(...columns);
      for (const name of namesOf(document)) names.add([kindCode(document.kind), name, document.id]);
      if (document.kind === 'event') addEvent(document);
      if (document.kind === 'venue' || document.kind === 'organizer') addLinkedPost.run(...linkedPostColumns(document));
    },
    finish(): void {
      names.write();
      links.write();
      search.write();
      endFill(connection);
      // These use the present names of the tables.
      edges.write();
      terms.write();
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
    arriveAt(connection, portion, isLast);
    return 'applied';
  });
  return (portion) => fill.immediate(portion);
}
