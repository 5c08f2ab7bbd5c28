// The keys of all documents in a file, kind by kind.
import type { DocumentKey, DocumentKind } from '../documents.ts';
import { documentRows } from './codes.ts';
import { connectToExisting } from './connection.ts';

const KINDS: readonly DocumentKind[] = ['event', 'venue', 'organizer', 'category', 'tag', 'user'];

const PORTION = 500;

/** Each portion is of one moment; what is written between two of them is met or not. */
export async function* documentKeys(file: string): AsyncIterable<readonly DocumentKey[]> {
  const { db, column } = connectToExisting(file);
  try {
    for (const kind of KINDS) {
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
