// The batches of a fill. On the way to the thread that writes it, a batch is one block of bytes: transferring bytes
// costs nothing, while objects would be copied member by member.
import type { Position } from '../../event-store/envelope.ts';
import type { EventMark } from '../../event-store/event-store.ts';
import type { Document } from '../documents.ts';
import type { Batch, DocumentChange, PackedBatch, PackedDocuments } from '../read-model.ts';
import type { Row, Value } from './connection.ts';
import { columnsOf, indexedPart } from './document-rows.ts';
import { type PackedTexts, textPacker, unpackedTexts } from './packed-texts.ts';
import { documentRow } from './schema.ts';

/** A document and its row. Of the document only what is indexed is read. */
export interface FilledDocument {
  readonly document: Document;
  /** Texts may be bytes of UTF-8. */
  readonly columns: Row;
}

export interface FillPortion {
  readonly after: Position;
  readonly upTo: Position;
  readonly mark: EventMark;
  readonly fill: string;
  readonly documents: Iterable<FilledDocument>;
}

/** In transit: the texts of all rows. */
export type PackedPortion = PackedBatch & Pick<FillPortion, 'mark'>;

/** Texts of a row, and its checksums as texts: all columns but the first. */
const TEXTS = 8;

export const portionOf = ({ after, upTo, mark = '', changes, fill = '' }: Batch): FillPortion => ({
  after,
  upTo,
  mark,
  fill,
  documents: rowsOf(changes),
});

type Documents = readonly Pick<DocumentChange, 'document'>[];

function* rowsOf(changes: Documents): Iterable<FilledDocument> {
  for (const { document } of changes) if (document) yield { document, columns: columnsOf(document) };
}

/** Packs batches, one after the other. */
export function packer(): (batch: Batch) => PackedPortion {
  const pack = documentPacker();
  return ({ after, upTo, mark = '', changes, fill = '' }) => ({ ...{ after, upTo, mark, fill }, ...pack(changes) });
}

/** Packs documents, one lot after the other: where a fill puts them is said by those who hand them on. */
export function documentPacker(): (changes: Documents) => PackedDocuments {
  const pack = textPacker();
  return (changes) => pack(textsIn(changes));
}

function* textsIn(changes: Documents): Iterable<Value> {
  for (const { columns } of rowsOf(changes)) yield* columns.slice(1, TEXTS + 1);
}

export const unpacked = ({ bytes, lengths, mark = '', ...portion }: PackedBatch): FillPortion => ({
  ...portion,
  mark,
  documents: unpackedRows({ bytes, lengths }),
});

function* unpackedRows(packed: PackedTexts): Iterable<FilledDocument> {
  for (const texts of unpackedTexts(packed, TEXTS)) {
    const columns: Value[] = [0, ...texts];
    const document = indexedPart(columns);
    columns[0] = documentRow(document);
    yield { document, columns };
  }
}
