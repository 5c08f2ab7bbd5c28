// Texts on the way between threads: one block of bytes, because transferring bytes costs nothing, while objects and strings
// would be copied one by one.
import type { Transferable } from 'node:worker_threads';
import type { Value } from './connection.ts';

/** `bytes` are all texts (UTF-8), one behind the other, `lengths` the number of bytes of each; `NULL_TEXT` for none. */
export interface PackedTexts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** To transfer them. */
export const packedBuffers = ({ bytes, lengths }: PackedTexts): Transferable[] => [bytes.buffer, lengths.buffer];

const NULL_TEXT = -1;
/** Of UTF-8, per unit of a string. */
const MAX_BYTES = 3;
const FIRST_BYTES = 2 ** 20;

/** Packs texts, one lot after the other. */
export function textPacker(): (texts: Iterable<Value>) => PackedTexts {
  /** Buffer for texts: writing them gives their length in bytes. */
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);

  function put(text: string, at: number): number {
    const end = at + text.length * MAX_BYTES;
    if (end > buffer.length) buffer = Buffer.concat([buffer], end * 2);
    return buffer.write(text, at);
  }

  return (texts) => {
    const lengths: number[] = [];
    let end = 0;
    for (const text of texts) {
      const length = text === null ? NULL_TEXT : put(String(text), end);
      lengths.push(length);
      end += Math.max(0, length);
    }
    return { bytes: new Uint8Array(buffer.subarray(0, end)), lengths: Int32Array.from(lengths) };
  };
}

/** The same texts as bytes, `width` at a time. They are parts of the block, not copies. */
export function* unpackedTexts({ bytes, lengths }: PackedTexts, width: number): Generator<(Buffer | null)[]> {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = 0;
  for (let first = 0; first < lengths.length; first += width) {
    const texts: (Buffer | null)[] = [];
    for (let at = first; at < first + width; at++) {
      const length = lengths[at] ?? NULL_TEXT;
      texts.push(length === NULL_TEXT ? null : block.subarray(end, end + length));
      end += Math.max(0, length);
    }
    yield texts;
  }
}
