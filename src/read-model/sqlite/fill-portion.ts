// The batches of a fill. On the way to the thread that writes it, a batch is one block of bytes: transferring bytes
// costs nothing, while objects would be copied member by member.
import type { Position } from '../../event-store/envelope.ts';
import type { EventMark } from '../../event-store/event-store.ts';
import type { Document } from '../documents.ts';
import type { Batch, PackedBatch } from '../read-model.ts';
import type { Row, Value } from './connection.ts';
import { columnsOf, indexedPart } from './document-rows.ts';
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

/**
 * In transit. `bytes` are all texts of all rows, one behind the other, `lengths` the number of bytes of each text;
 * `NULL_TEXT` for none.
 */
export type PackedPortion = PackedBatch & Pick<FillPortion, 'mark'>;

/** Texts of a row, and its checksums as texts: all columns but the first. */
const TEXTS = 8;
const NULL_TEXT = -1;
/** Of UTF-8, per unit of a string. */
const MAX_BYTES = 3;
const FIRST_BYTES = 2 ** 20;

export const portionOf = ({ after, upTo, mark = '', changes, fill = '' }: Batch): FillPortion => ({
  after,
  upTo,
  mark,
  fill,
  documents: rowsOf(changes),
});

function* rowsOf(changes: Batch['changes']): Iterable<FilledDocument> {
  for (const { document } of changes) if (document) yield { document, columns: columnsOf(document) };
}

/** Packs batches, one after the other. */
export function packer(): (batch: Batch) => PackedPortion {
  /** Buffer for texts: writing them gives their length in bytes. */
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);

  function put(text: string, at: number): number {
    const end = at + text.length * MAX_BYTES;
    if (end > buffer.length) buffer = Buffer.concat([buffer], end * 2);
    return buffer.write(text, at);
  }

  return ({ after, upTo, mark = '', changes, fill = '' }) => {
    const lengths: number[] = [];
    let end = 0;
    for (const { document } of changes) {
      if (!document) continue;
      const columns = columnsOf(document);
      for (let at = 1; at <= TEXTS; at++) {
        const text = columns[at] ?? null;
        const length = text === null ? NULL_TEXT : put(String(text), end);
        lengths.push(length);
        end += Math.max(0, length);
      }
    }
    return {
      after,
      upTo,
      mark,
      fill,
      bytes: new Uint8Array(buffer.subarray(0, end)),
      lengths: Int32Array.from(lengths),
    };
  };
}

export const unpacked = ({ bytes, lengths, mark = '', ...portion }: PackedBatch): FillPortion => ({
  ...portion,
  mark,
  documents: unpackedRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), lengths),
});

function* unpackedRows(bytes: Buffer, lengths: Int32Array): Iterable<FilledDocument> {
  let end = 0;
  for (let row = 0; row < lengths.length; row += TEXTS) {
    const columns: Value[] = [0];
    for (let at = row; at < row + TEXTS; at++) {
      const length = lengths[at] ?? NULL_TEXT;
      columns.push(length === NULL_TEXT ? null : bytes.subarray(end, end + length));
      end += Math.max(0, length);
    }
    const document = indexedPart(columns);
    columns[0] = documentRow(document);
    yield { document, columns };
  }
}
