// Saves a stream that can be read only once.
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Interrupted, Unusable } from './unusable.ts';

/** Writes a stream to a new private file. Throws `Unusable` and `Interrupted`. */
export async function spool(stream: Readable, file: string, signal: AbortSignal): Promise<void> {
  const copy = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, copy, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw new Interrupted('interrupted');
    const why = error instanceof Error ? error.message : String(error);
    throw new Unusable(`standard input cannot be kept for the time of the check (${why})`);
  });
}
