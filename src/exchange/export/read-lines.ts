// The lines of a file, compressed or not, one at a time.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { closing } from '../../kernel/files/closing.ts';
import { Unusable } from './unusable.ts';

const NEW_LINE = 10;
/** An event may contain a body of 1 MiB in the longest JSON notation. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** Each line with its end, as bytes; the last one may have none. Throws `Unusable`. */
export async function* readLines(file: string): AsyncGenerator<Buffer> {
  const isPacked = await isCompressed(file);
  const source = createReadStream(file);
  // The callback makes a failure of the file end the reading instead of the process.
  const stream = isPacked ? pipeline(source, createGunzip(), () => {}) : source;
  let rest: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream) {
      const chunk = piece as Buffer; // Without an encoding streams of bytes give buffers.
      let start = 0;
      for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
        rest = [];
        length = 0;
        start = end + 1;
      }
      rest.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > MAX_LINE_LENGTH) throw new Unusable(`a line is longer than ${MAX_LINE_LENGTH} bytes`);
    }
  } catch (error) {
    throw explained(error);
  }
  if (length > 0) yield Buffer.concat(rest);
}

const GZIP = [0x1f, 0x8b];

/** By its first bytes: names are not reliable. */
async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: unknown) => {
    throw explained(error);
  });
  return closing(handle, async () => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && GZIP.every((byte, index) => buffer[index] === byte);
  }).catch((error: unknown) => {
    throw explained(error);
  });
}

const PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  Z_BUF_ERROR: 'it is truncated: its compressed data break off',
  Z_DATA_ERROR: 'its compressed data are damaged',
};

function explained(error: unknown): unknown {
  if (error instanceof Unusable || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  return code === '' ? error : new Unusable(PROBLEMS[code] ?? `it cannot be read (${code})`);
}
