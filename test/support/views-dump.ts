// Everything that the views of a SQLite read model hold, in an order and a shape that do not depend on how they came there.
import Database from 'better-sqlite3';

const QUERIES = [
  'SELECT * FROM document ORDER BY row',
  'SELECT * FROM name ORDER BY kind, name, id',
  'SELECT * FROM event ORDER BY id',
  'SELECT * FROM event_detail ORDER BY event_id',
  'SELECT * FROM event_link ORDER BY kind, target, starts_at, event_id, life',
  'SELECT t.text, p.chunk, hex(p.members) FROM token t LEFT JOIN posting p ON p.token = t.id ORDER BY t.text, p.chunk',
  // A bucket that has become empty is as good as none.
  'SELECT * FROM edge_count WHERE events <> 0 ORDER BY edge, level, status, bucket',
  'SELECT * FROM term_count WHERE events <> 0 ORDER BY kind, term',
  'SELECT * FROM linked_post ORDER BY kind, id',
  'SELECT checkpoint FROM meta',
  "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
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
