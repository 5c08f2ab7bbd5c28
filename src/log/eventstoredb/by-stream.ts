// Orders a log by stream for engines that can only read it in log order: copies it into a temporary database, which
// SQLite keeps in memory while it is small and on disk beyond that, and removes with the connection.
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite, { type Database } from 'better-sqlite3';
import { LOG_START, type Position, type RecordedEvent } from '../envelope.ts';
import type { EventStore, ReadByStreamOptions } from '../event-store.ts';

const PAGE = 1_000;
const ENOUGH_EVENTS = 2_000;

const SPILL = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -32768;
  CREATE TABLE spill (stream TEXT NOT NULL, revision INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
`;

/** Implements `EventStore.readByStream` with `readAll`. */
export async function* readByStreamOver(
  store: Pick<EventStore, 'readAll'>,
  options: ReadByStreamOptions,
): AsyncIterable<readonly RecordedEvent[]> {
  const db = new Sqlite('');
  try {
    db.exec(SPILL);
    await copy(store, options, db);
    db.exec('CREATE UNIQUE INDEX spill_by_stream ON spill (stream, revision)');
    for (const batch of batches(db)) {
      yield batch;
      await nextTurn();
    }
  } finally {
    db.close();
  }
}

async function copy(store: Pick<EventStore, 'readAll'>, options: ReadByStreamOptions, db: Database): Promise<void> {
  const { upTo, prefixes } = options;
  const add = db.prepare<[string, number, string]>('INSERT INTO spill VALUES (?, ?, ?)');
  const addAll = db.transaction((events: readonly RecordedEvent[]) => {
    for (const event of events) add.run(event.stream, event.revision, JSON.stringify(event));
  });
  let after: Position = LOG_START;
  while (after < upTo) {
    const page = await store.readAll({ after, limit: PAGE, ...(prefixes ? { prefixes } : {}) });
    addAll(page.filter(({ position }) => position <= upTo));
    after = page.at(-1)?.position ?? upTo;
  }
}

/** Whole streams each time. There is no other writer, so one statement may stay open. */
function* batches(db: Database): Iterable<readonly RecordedEvent[]> {
  const rows = db.prepare<[], string>('SELECT event FROM spill ORDER BY stream, revision').pluck();
  let batch: RecordedEvent[] = [];
  for (const text of rows.iterate()) {
    const event = JSON.parse(text) as RecordedEvent; // As it was copied.
    if (batch.length >= ENOUGH_EVENTS && batch.at(-1)?.stream !== event.stream) {
      yield batch;
      batch = [];
    }
    batch.push(event);
  }
  if (batch.length > 0) yield batch;
}
