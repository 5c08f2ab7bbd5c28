// The row of a document.
import type { Document, DocumentKey } from '../documents.ts';
import { shownDocument, storedDocument, wholeDocument } from '../stored-document.ts';
import type { Connection, Row } from './connection.ts';
import { documentRow } from './schema.ts';

/** The row of a document. */
export function columnsOf(document: Document): Row {
  const { body, state } = storedDocument(document);
  return [documentRow(document), body, state];
}

/** A document as `shownDocument` makes it. Throws `ReadModelDamaged`, as everything that reads here. */
export function readForList({ column }: Connection, key: DocumentKey): Document | null {
  const row = documentRow(key);
  const body = column('SELECT shown FROM document WHERE row = ?').get(row);
  return body === undefined ? null : shownDocument(String(body), placeOf(row));
}

/** A whole document. */
export function readWhole({ rows }: Connection, key: DocumentKey): Document | null {
  const row = documentRow(key);
  const columns = rows('SELECT shown, state FROM document WHERE row = ?').get(row);
  if (columns === undefined) return null;
  const [body, state] = columns.map(String);
  return wholeDocument(shownDocument(body ?? '', placeOf(row)), state ?? '', placeOf(row));
}

const placeOf = (row: number): string => `row ${row} of its table document`;
