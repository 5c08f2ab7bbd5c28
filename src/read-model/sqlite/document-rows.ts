// The row of a document: a small JSON text for lookups and embedding, the big texts in columns of their own, so that a
// page of a list is assembled without parsing them.

import { textOf } from '../../text/pieces.ts';
import { checksumOf, hasLength, parseStored, ReadModelDamaged } from '../damage.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type DocumentOf,
  type EventDocument,
  type TermDocument,
  textsOf,
  withLazyTexts,
  withState,
  withTexts,
} from '../documents.ts';
import { type Terms, termViews } from '../term-queries.ts';
import type { Connection, Row, Value } from './connection.ts';
import { documentRow, documentRows, kindCode } from './schema.ts';

/** Columns of `document`; lists do not read `texts` and `state`, so these have a checksum of their own. */
const LISTED = 'row, body, full, masked, json_ld, list_seal';
const FOR_LISTS = `SELECT ${LISTED} FROM document WHERE row = ?`;
const WITHIN = `SELECT ${LISTED}, octet_length(full) FROM document WHERE row = ? AND octet_length(full) <= ?`;
const OF_KIND = `SELECT ${LISTED} FROM document WHERE row >= ? AND row < ?`;
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
      fragments && textOf(fragments.full).toWellFormed(),
      fragments?.masked?.toWellFormed() ?? null,
      fragments?.jsonLd.toWellFormed() ?? null,
    ],
    rest: [texts && JSON.stringify(texts), JSON.stringify(document.state)],
  };
}

// Documents that were read here, on their way to another thread.

/** How many texts a document is in transit. */
export const TEXTS_IN_TRANSIT = 6;
const NO_DOCUMENT: readonly Value[] = Array(TEXTS_IN_TRANSIT).fill(null);

/** The texts of a document in transit, or of none. */
export function textsInTransit(document: Document | null): readonly Value[] {
  if (document === null) return NO_DOCUMENT;
  const { listed, rest } = storedTexts(document);
  return [...listed, ...rest];
}

/** A longer fragment stays bytes: most of what is read of it is sent on as it is. */
const MAX_DECODED = 65_536;

/** The document of such texts. They were compared with their checksums where they were read. */
export function arrivedDocument([body = null, full = null, masked, jsonLd, texts, state]: Arrived): Document | null {
  if (body === null) return null;
  const place = 'a document from another thread';
  const document = parseStored<Document>(body, place);
  const fragments = full && {
    full: full.length > MAX_DECODED ? full : full.toString(),
    masked: masked?.toString() ?? null,
    jsonLd: jsonLd?.toString() ?? '',
  };
  return withState(withLazyTexts(Object.assign(document, fragments && { fragments }), texts, place), state);
}

type Arrived = readonly (Buffer | null)[];

/** A row without its state and fragments: what a document is indexed by. Texts may be bytes. */
export function indexedPart([, body, , , , texts]: Row): Document {
  return withTexts(JSON.parse(String(body)) as Document, texts, 'a row of a fill'); // As written above.
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

/** The same for a document that must exist, because an index has it. */
export function readListed<Kind extends DocumentKind>(
  connection: Connection,
  key: { readonly kind: Kind; readonly id: number },
): DocumentOf<Kind> {
  const document = readForList(connection, key);
  if (document === null) throw new ReadModelDamaged(placeOf(documentRow(key)));
  return document as DocumentOf<Kind>; // The row of a kind holds a document of that kind.
}

/** Documents of events that an index has, for lists; null if they have more than so many bytes of shown text together. */
export function readListedEvents(
  connection: Connection,
  ids: readonly number[],
  maxBytes: number,
): EventDocument[] | null {
  if (maxBytes === Infinity) return ids.map((id) => readListed(connection, { kind: 'event', id }));
  const select = connection.rows(WITHIN);
  const events: EventDocument[] = [];
  let left = maxBytes;
  for (const id of ids) {
    // SQLite knows the length without reading the text. A row that is missing is reported where the long ones are read.
    const row = select.get(documentRow({ kind: 'event', id }), left);
    if (row === undefined) return null;
    left -= Number(row[6]);
    events.push(opened(connection, row) as EventDocument); // The row of an event holds one.
  }
  return events;
}

/** All documents of a kind, for lists. */
function readKind<Kind extends DocumentKind>(connection: Connection, kind: Kind): DocumentOf<Kind>[] {
  // As above.
  return connection
    .rows(OF_KIND)
    .all(...documentRows(kind))
    .map((row) => opened(connection, row) as DocumentOf<Kind>);
}

/** A whole document. */
export const readWhole = (connection: Connection, key: DocumentKey): Document | null =>
  readWeighed(connection, key).document;

/** The same, and how long its texts are. */
export function readWeighed(
  connection: Connection,
  key: DocumentKey,
): { readonly document: Document | null; readonly characters: number } {
  const row = connection.rows(WHOLE).get(documentRow(key));
  if (row === undefined) return { document: null, characters: 0 };
  const [texts = null, state = null, checksum = null] = row.slice(6);
  assertChecksum(row, [texts, state], checksum);
  const document = withState(withTexts(opened(connection, row), texts, placeOf(row[0])), String(state));
  return {
    document,
    characters: row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0),
  };
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

// Terms are few, so all of them are cached, derived from documents and counts, until one changes.

const TERM_KINDS = ['category', 'tag'] as const;

function readTerms(connection: Connection): Terms {
  const documents = TERM_KINDS.flatMap((kind): TermDocument[] => readKind(connection, kind));
  const counts = new Map<string, number>();
  for (const [kind, term, events] of connection.rows('SELECT kind, term, events FROM term_count').all())
    counts.set(`${kind} ${term}`, Number(events));
  return termViews(documents, ({ kind, id }) => counts.get(`${kindCode(kind)} ${id}`) ?? 0);
}

/** All terms that are not deleted; the same object until a term or a count changes. */
export interface TermCache {
  read(): Terms;
  /** Null if others were read last. */
  of(version: string): Terms | null;
}

export function termCache(connection: Connection): TermCache {
  let version: string | null = null;
  let terms: Terms = new Map();
  return {
    read() {
      const now = String(connection.column("SELECT epoch || ' ' || term_changes FROM meta").get());
      if (now !== version) {
        terms = readTerms(connection);
        version = now;
      }
      return terms;
    },
    of: (wanted) => (wanted === version ? terms : null),
  };
}
