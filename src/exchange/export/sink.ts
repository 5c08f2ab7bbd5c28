// The output of an export: standard output, or a file that appears complete or not at all.

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { errorText } from '../../kernel/text/error-text.ts';
import { Unusable } from './unusable.ts';

export interface Sink {
  /** Writes one line, given without its end; waits while the reader is slower. */
  write(line: string): Promise<void>;
  /** `sha256:…` of the bytes of all lines so far, before they are compressed. */
  digest(): string;
  /** Completes it: a file gets its name only now. */
  commit(): Promise<void>;
  /** Removes what was written, as far as possible. */
  discard(): Promise<void>;
}

const CHUNK = 64 * 1024;
/** Exports hold private data. */
const OWNER_ONLY = 0o600;

/** Writes lines to a stream that the caller ends. */
export const openStreamSink = (stream: Writable): Sink =>
  linesInto(
    stream,
    async () => {},
    async () => {},
  );

/**
 * Writes lines to a temporary file beside `file`, renamed at the end; a name in `.gz` is compressed. Throws `Unusable`
 * if it cannot be created.
 */
export async function openFileSink(file: string): Promise<Sink> {
  const part = `${file}.part-${randomUUID().slice(0, 8)}`;
  const target = createWriteStream(part, { flags: 'wx', mode: OWNER_ONLY, flush: true });
  await once(target, 'open').catch((error: unknown) => {
    throw new Unusable(`${file} cannot be written (${errorText(error)})`);
  });
  const compressed = file.endsWith('.gz') ? createGzip() : null;
  compressed?.pipe(target);
  // A failure of the file also rejects what waits for the compressor.
  if (compressed) target.on('error', (error) => void compressed.destroy(error));
  const entry: Writable = compressed ?? target;
  return linesInto(
    entry,
    async () => {
      entry.end();
      await finished(target);
      await rename(part, file);
      await persistFolder(path.dirname(file));
    },
    async () => {
      entry.destroy();
      target.destroy();
      await rm(part, { force: true });
    },
  );
}

function linesInto(stream: Writable, commit: () => Promise<void>, discard: () => Promise<void>): Sink {
  const hash = createHash('sha256');
  let failure: unknown;
  let waiting = '';
  stream.on('error', (error) => {
    failure = error;
  });

  async function flush(): Promise<void> {
    if (failure !== undefined) throw new Unusable(`it cannot be written (${errorText(failure)})`);
    const text = waiting;
    waiting = '';
    if (text !== '' && !stream.write(text)) await once(stream, 'drain').catch(explain);
  }

  return {
    async write(line) {
      const text = `${line}\n`;
      hash.update(text);
      waiting += text;
      if (waiting.length >= CHUNK) await flush();
    },
    digest: () => `sha256:${hash.copy().digest('hex')}`,
    async commit() {
      await flush();
      await commit().catch(explain);
    },
    discard,
  };
}

function explain(error: unknown): never {
  throw new Unusable(`it cannot be written (${errorText(error)})`);
}

/** A new name survives a power cut once its folder is on the disk; not all systems support that. */
export async function persistFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Commits what work has written, or discards it if the work fails. */
export async function committed<Result>(sink: Sink, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    await sink.commit();
    return result;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
