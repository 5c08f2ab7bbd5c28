// What the last batches have changed, so that indexes and caches of all processes can follow.
import type { DocumentKey } from '../documents.ts';
import type { StoredRow, StoredVersion } from '../storage.ts';
import type { Connection } from './connection.ts';
import { documentRow, keyOfRow } from './schema.ts';

/** Batches of which it is kept; older ones go so many at a time, since each time writes two more pages. */
const KEPT_BATCHES = 500;
const FORGOTTEN_AT_ONCE = 50;

/** Marks a batch, also one that changes nothing: a batch without the mark is not known. */
const MARK = -1;

const NOTE = 'INSERT OR IGNORE INTO change VALUES (?, ?)';

/** Notes that there is a batch, and forgets old ones. */
export function noteBatch({ change }: Connection, batch: number): void {
  change(NOTE).run(batch, MARK);
  if (batch % FORGOTTEN_AT_ONCE === 0) change('DELETE FROM change WHERE batch <= ?').run(batch - KEPT_BATCHES);
}

/** Notes what a batch changes. */
export const noteChange = ({ change }: Connection, batch: number, key: DocumentKey) =>
  change(NOTE).run(batch, documentRow(key));

/** What was changed since a number of batches; null if that is not known of each batch, or not to be read. */
export function changedRows({ rows, column }: Connection, since: number, { batch }: StoredVersion): StoredRow[] | null {
  const noted = column('SELECT count(*) FROM change WHERE batch > ? AND row = ?').get(since, MARK);
  if (since > batch || Number(noted) !== batch - since) return null;
  const changed = rows(
    `SELECT c.row, r.packed FROM (SELECT DISTINCT row FROM change WHERE batch > ? AND row > ?) c
     LEFT JOIN list_row r ON r.row = c.row`,
  ).all(since, MARK);
  const storedRows: StoredRow[] = [];
  for (const [row, packed] of changed) {
    const key = keyOfRow(Number(row));
    if (key === null) return null;
    storedRows.push({ key, row: packed instanceof Uint8Array ? packed : null });
  }
  return storedRows;
}

/** Rows that are read at once. */
const MAX_ROWS = 200;

/** All rows behind one of them. As texts: to make 100,000 buffers and a text of each took three times as long (550 ms). */
export function rowsBehind({ rows }: Connection, from: string | null) {
  const behind = from === null ? -1 : Number(from);
  const page = rows('SELECT row, CAST(packed AS TEXT) FROM list_row WHERE row > +? ORDER BY row LIMIT +?').all(
    behind,
    MAX_ROWS,
  );
  const next = page.length < MAX_ROWS ? null : String(page.at(-1)?.[0]);
  const stored = page.flatMap(([row, packed]): StoredRow[] => {
    const key = keyOfRow(Number(row));
    return key === null ? [] : [{ key, row: String(packed) }];
  });
  return { rows: stored, next };
}
