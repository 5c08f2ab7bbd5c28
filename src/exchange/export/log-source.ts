// The source of a restored log: a file, or another event store.

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText } from '../../kernel/text/error-text.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import { eventIn, headerIn, trailerIn } from './log-lines.ts';
import { readLines } from './read-lines.ts';
import { Interrupted, Unusable } from './unusable.ts';

export interface LogSource {
  /** For people. */
  readonly name: string;
  /** All events in log order, from the beginning each time. Throws `Unusable` if they end too early. */
  read(): AsyncGenerator<readonly RecordedEvent[]>;
  /** The number of events; null while unknown. */
  readonly total: number | null;
}

const PAGE = 1_000;

/** A file written by `daybook export --log`. Throws `Unusable`. */
export async function openLogFile(file: string, name: string = file): Promise<LogSource> {
  for await (const first of readLines(file)) {
    const header = headerIn(first.toString('utf8'));
    return { name, total: header.events, read: () => eventsIn(file) };
  }
  throw new Unusable('it is empty');
}

async function* eventsIn(file: string): AsyncGenerator<readonly RecordedEvent[]> {
  const hash = createHash('sha256');
  let number = 0;
  let promised = 0;
  let page: RecordedEvent[] = [];
  let trailer: ReturnType<typeof trailerIn> = null;
  for await (const bytes of readLines(file)) {
    const line = bytes.toString('utf8');
    number += 1;
    if (trailer) throw new Unusable(`there is more after its last line (line ${number})`);
    trailer = number === 1 ? null : trailerIn(line);
    if (trailer) continue;
    hash.update(bytes);
    if (number === 1) promised = headerIn(line).events;
    else page.push(eventIn(line, number));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  const events = number - 2;
  if (!trailer) throw new Unusable(`it is truncated: it ends after line ${number}, without a last line`);
  if (trailer.events !== events || promised !== events)
    throw new Unusable(`it is incomplete: it holds ${events} events instead of ${promised}`);
  if (trailer.digest !== `sha256:${hash.digest('hex')}`)
    throw new Unusable('it is damaged: its digest is not the one in its last line');
  if (page.length > 0) yield page;
}

/** A log as stored, up to its present end. */
export async function openLogStore(log: Pick<EventStore, 'readAll' | 'head'>, name: string): Promise<LogSource> {
  const head = await log.head();
  return { name, total: null, read: () => eventsUpTo(log, head) };
}

/** All events up to a position, page by page. */
export async function* eventsUpTo(
  log: Pick<EventStore, 'readAll'>,
  head: Position,
): AsyncGenerator<readonly RecordedEvent[]> {
  let after = LOG_START;
  while (after < head) {
    const page = await log.readAll({ after, limit: PAGE });
    const events = page.filter(({ position }) => position <= head);
    if (events.length > 0) yield events;
    after = page.at(-1)?.position ?? head;
  }
}

// Saves a stream that can be read only once.

/** Writes a stream to a new private file. Throws `Unusable` and `Interrupted`. */
export async function spool(stream: Readable, file: string, signal: AbortSignal): Promise<void> {
  const copy = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, copy, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw new Interrupted('interrupted');
    const why = errorText(error);
    throw new Unusable(`standard input cannot be kept for the time of the check (${why})`);
  });
}
