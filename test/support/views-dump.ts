// Everything that the views of a SQLite read model hold, in an order and a shape that do not depend on how they came there.
import Database from 'better-sqlite3';

const QUERIES = [
  'SELECT * FROM document ORDER BY row',
  'SELECT * FROM name ORDER BY kind, name, id',
  'SELECT row, hex(packed) FROM list_row ORDER BY row',
  'SELECT checkpoint FROM meta',
  // The mark of a store is beside its data, and written when a service opens it.
  "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'mark' ORDER BY name",
  'PRAGMA integrity_check',
] as const;

/** Rows by the query that gave them. */
export type ViewsDump = Readonly<Record<string, readonly unknown[]>>;

export function viewsDump(file: string): ViewsDump {
  const db = new Database(file, { readonly: true });
  try {
    return Object.fromEntries(QUERIES.map((query) => [query, db.prepare(query).raw().all()]));
  } finally {
    db.close();
  }
}
