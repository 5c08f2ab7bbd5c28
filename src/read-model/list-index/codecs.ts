// How single values are packed into bytes, one after the other: a value is written into one buffer that all packing shares, and read
// at a cursor.
import { crc32 } from 'node:zlib';
import type { DocumentLink } from '../documents.ts';

const FIRST_BYTES = 4_096;
/** Bytes of UTF-8 for one unit of a string, at most. */
const UTF8_UNIT = 3;
/** Of a number below 2^53, seven bits a byte. */
const NUMBER_BYTES = 8;

let bytes = Buffer.allocUnsafe(FIRST_BYTES);
let end = 0;

function reserve(size: number): void {
  if (end + size > bytes.length) bytes = Buffer.concat([bytes], 2 * (end + size));
}

/** Where unpacking is. */
interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

export interface Codec<Value> {
  write(value: Value): void;
  read(from: Cursor): Value;
}

/** Whole numbers from 0, small ones in few bytes. */
export const natural: Codec<number> = {
  write(value) {
    reserve(NUMBER_BYTES);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest % 0x80) | 0x80;
    bytes[end++] = rest;
  },
  read(from) {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = from.bytes[from.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  },
};

/** Any number. */
export const number: Codec<number> = {
  write(value) {
    reserve(NUMBER_BYTES);
    end = bytes.writeDoubleLE(value, end);
  },
  read(from) {
    from.at += NUMBER_BYTES;
    return from.bytes.readDoubleLE(from.at - NUMBER_BYTES);
  },
};

export const flag: Codec<boolean> = {
  write: (value) => natural.write(Number(value)),
  read: (from) => natural.read(from) === 1,
};

export const nullable = <Value>(codec: Codec<Value>): Codec<Value | null> => ({
  write(value) {
    flag.write(value !== null);
    if (value !== null) codec.write(value);
  },
  read: (from) => (flag.read(from) ? codec.read(from) : null),
});

export const optional = <Value>(codec: Codec<Value>): Codec<Value | undefined> => ({
  write: (value) => nullable(codec).write(value ?? null),
  read: (from) => nullable(codec).read(from) ?? undefined,
});

export const list = <Value>(codec: Codec<Value>): Codec<readonly Value[]> => ({
  write(values) {
    natural.write(values.length);
    for (const value of values) codec.write(value);
  },
  read(from) {
    const values: Value[] = [];
    for (let left = natural.read(from); left > 0; left--) values.push(codec.read(from));
    return values;
  },
});

export const oneOf = <Value extends string>(values: readonly Value[]): Codec<Value> => ({
  write: (value) => natural.write(values.indexOf(value)),
  read(from) {
    const value = values[natural.read(from)];
    if (value === undefined) throw new RangeError('a row has an unknown value');
    return value;
  },
});

/** Without halves of surrogate pairs, as a `searchText` is. */
export const text: Codec<string> = {
  write(value) {
    reserve(NUMBER_BYTES + value.length * UTF8_UNIT);
    const length = Buffer.byteLength(value);
    natural.write(length);
    end += bytes.write(value, end);
  },
  read(from) {
    const length = natural.read(from);
    from.at += length;
    return from.bytes.toString('utf8', from.at - length, from.at);
  },
};

/** Any text, to the unit. */
export const exactText: Codec<string> = {
  write: (value) => text.write(JSON.stringify(value)),
  read: (from) => String(JSON.parse(text.read(from))),
};

export const link: Codec<DocumentLink> = {
  write({ id, life }) {
    natural.write(id);
    natural.write(life);
  },
  read: (from) => ({ id: natural.read(from), life: natural.read(from) }),
};

export const coordinates: Codec<{ readonly lat: number; readonly lng: number }> = {
  write({ lat, lng }) {
    number.write(lat);
    number.write(lng);
  },
  read: (from) => ({ lat: number.read(from), lng: number.read(from) }),
};

const CHECKSUM_BYTES = 4;

/** What `write` packs, with a checksum at the end. */
export function packed(write: () => void): Buffer {
  end = 0;
  write();
  reserve(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  return Buffer.from(bytes.subarray(0, end + CHECKSUM_BYTES));
}

/** At the beginning of such bytes; null: they are not what was packed. */
export function unpacking(whole: Uint8Array): Cursor | null {
  const from = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
  const size = from.length - CHECKSUM_BYTES;
  return size < 0 || from.readUInt32LE(size) !== crc32(from.subarray(0, size)) ? null : { bytes: from, at: 0 };
}
