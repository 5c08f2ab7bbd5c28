// The row of a document: a small JSON text for lookups and embedding, the big texts in columns of their own, so that a
// page of a list is assembled without parsing them.

import { checksumOf, hasLength, parseStored, ReadModelDamaged } from '../damage.ts';
import { type Document, type DocumentKey, textsOf, withState, withTexts } from '../documents.ts';
import type { Connection, Row, Value } from './connection.ts';
import { documentRow } from './schema.ts';

/** Columns of `document`; lists do not read `texts` and `state`, so these have a checksum of their own. */
const LISTED = 'row, body, full, masked, json_ld, list_seal';
const FOR_LISTS = `SELECT ${LISTED} FROM document WHERE row = ?`;
const WHOLE = `SELECT ${LISTED}, texts, state, rest_seal FROM document WHERE row = ?`;

/** Placeholders of what has columns of its own. */
const ELSEWHERE = { state: undefined, fragments: undefined };
const TEXTS_ELSEWHERE = { ...ELSEWHERE, title: '', excerpt: '', description: '' };

/** The row of a document. */
export function columnsOf(document: Document): Row {
  const { listed, rest } = storedTexts(document);
  return [documentRow(document), ...listed, ...rest, checksumOf(listed), checksumOf(rest)];
}

function storedTexts(document: Document): { readonly listed: Value[]; readonly rest: Value[] } {
  const fragments = 'fragments' in document ? document.fragments : null;
  const texts = document.kind === 'event' ? textsOf(document) : null;
  return {
    listed: [
      JSON.stringify({ ...document, ...(texts ? TEXTS_ELSEWHERE : ELSEWHERE) }),
      // Half of a surrogate pair would come back changed, as if it had been damaged.
      fragments?.full.toWellFormed() ?? null,
      fragments?.masked?.toWellFormed() ?? null,
      fragments?.jsonLd.toWellFormed() ?? null,
    ],
    rest: [texts && JSON.stringify(texts), JSON.stringify(document.state)],
  };
}

/** Replaces a document. */
export function writeDocument({ change }: Connection, document: Document): void {
  change('INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...columnsOf(document));
}

export function deleteDocument({ change }: Connection, key: DocumentKey): void {
  change('DELETE FROM document WHERE row = ?').run(documentRow(key));
}

/**
 * A document for lists: without its state (null) and without search texts (`''`). Throws `ReadModelDamaged`, as
 * everything that reads here.
 */
export function readForList(connection: Connection, key: DocumentKey): Document | null {
  const row = connection.rows(FOR_LISTS).get(documentRow(key));
  return row === undefined ? null : opened(connection, row);
}

/** A whole document. */
export function readWhole(connection: Connection, key: DocumentKey): Document | null {
  const row = connection.rows(WHOLE).get(documentRow(key));
  if (row === undefined) return null;
  const [texts = null, state = null, checksum = null] = row.slice(6);
  assertChecksum(row, [texts, state], checksum);
  return withState(withTexts(opened(connection, row), texts, placeOf(row[0])), String(state));
}

/** Call it in each transaction that reads, unless `Seen` does: once another connection has written, digests are compared again. */
export function beginLook(connection: Connection): void {
  const now = connection.column('PRAGMA data_version').get() ?? null;
  if (states.get(connection) === now) return;
  states.set(connection, now);
  connection.compared.clear();
}

/** `data_version` of the file at the last check. */
const states = new WeakMap<Connection, Value>();

function opened({ compared }: Connection, row: Row): Document {
  const [number, body = null, full = null, masked = null, jsonLd = null, checksum = null] = row;
  const listed = [body, full, masked, jsonLd];
  if (!compared.has(number ?? null) || !hasLength(listed, checksum)) assertChecksum(row, listed, checksum);
  compared.add(number ?? null);
  const document = parseStored<Document>(body, placeOf(number));
  const fragments = full === null ? {} : { fragments: { full, masked, jsonLd: jsonLd ?? '' } };
  return Object.assign(document, { state: null }, fragments);
}

function assertChecksum([number]: Row, texts: readonly Value[], checksum: Value): void {
  if (checksumOf(texts) !== checksum) throw new ReadModelDamaged(placeOf(number));
}

const placeOf = (row: Value | undefined): string => `row ${row} of its table document`;
