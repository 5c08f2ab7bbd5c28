// How a document lies in its row: what is found and embedded by in one small JSON text, the big texts in columns of their
// own, so that a page of a list is put together without taking them apart.
import type { Json } from '../../event-store/envelope.ts';
import type { Document, DocumentKey } from '../documents.ts';
import { documentRow } from './codes.ts';
import type { Connection, Row, Value } from './connection.ts';

/** Columns of `document`; `texts` and `state` come last: lists do not read them. */
const FOR_LISTS = 'SELECT body, full, masked, json_ld FROM document WHERE row = ?';
const WHOLE = 'SELECT body, full, masked, json_ld, texts, state FROM document WHERE row = ?';

/** In place of what stands in columns of its own. */
const ELSEWHERE = { state: undefined, fragments: undefined };
const TEXTS_ELSEWHERE = { ...ELSEWHERE, title: '', excerpt: '', description: '' };

/** The row of a document. */
export function columnsOf(document: Document): Row {
  const fragments = 'fragments' in document ? document.fragments : null;
  const texts = document.kind === 'event' ? [document.title, document.excerpt, document.description] : null;
  return [
    documentRow(document),
    JSON.stringify({ ...document, ...(texts ? TEXTS_ELSEWHERE : ELSEWHERE) }),
    fragments?.full ?? null,
    fragments?.masked ?? null,
    fragments?.jsonLd ?? null,
    texts && JSON.stringify(texts),
    JSON.stringify(document.state),
  ];
}

/** What stands in a row but for its state and fragments: what a document is indexed by. Texts may be bytes. */
export function indexedPart([, body, , , , texts]: Row): Document {
  const document = JSON.parse(String(body)) as Document; // As written above, like the texts.
  if (document.kind !== 'event' || texts == null) return document;
  const [title, excerpt, description] = JSON.parse(String(texts)) as [string, string, string];
  return Object.assign(document, { title, excerpt, description });
}

/** Writes a document in the place of the one before. */
export function writeDocument({ change }: Connection, document: Document): void {
  change('INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?, ?)').run(...columnsOf(document));
}

export function deleteDocument({ change }: Connection, key: DocumentKey): void {
  change('DELETE FROM document WHERE row = ?').run(documentRow(key));
}

/** A document as lists need it: without its state (null) and without the texts that are searched (`''`). */
export function readForList({ rows }: Connection, key: DocumentKey): Document | null {
  const row = rows(FOR_LISTS).get(documentRow(key));
  return row === undefined ? null : opened(row);
}

/** A whole document. Its state is taken apart when somebody asks for it: most readers do not. */
export function readWhole({ rows }: Connection, key: DocumentKey): Document | null {
  const row = rows(WHOLE).get(documentRow(key));
  if (row === undefined) return null;
  const [texts = null, state = null] = row.slice(4);
  const document = opened(row);
  if (document.kind === 'event' && texts !== null) {
    const [title, excerpt, description] = JSON.parse(String(texts)) as [string, string, string]; // As written above.
    Object.assign(document, { title, excerpt, description });
  }
  return withState(document, String(state));
}

function withState(document: Document, text: string): Document {
  let state: Json | undefined;
  return Object.defineProperty(document, 'state', {
    enumerable: true,
    get: () => {
      state ??= JSON.parse(text) as Json;
      return state;
    },
  });
}

function opened([body, full, masked, jsonLd]: readonly Value[]): Document {
  const document = JSON.parse(String(body)) as Document; // As written above.
  const fragments = full == null ? {} : { fragments: { full, masked: masked ?? null, jsonLd: jsonLd ?? '' } };
  return Object.assign(document, { state: null }, fragments);
}
