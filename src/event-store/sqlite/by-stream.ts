// Reads a SQLite log stream by stream, page by page, so that no long read prevents the write-ahead log from being
// emptied.
import type { Database } from 'better-sqlite3';
import type { EventMetadata, Json, RecordedEvent } from '../envelope.ts';
import type { ReadByStreamOptions } from '../event-store.ts';
import { kindOf, toPosition, toRowid } from './read.ts';

/** Some whole streams, and how to continue after them; null at the end. */
export interface StreamBatch {
  readonly events: readonly RecordedEvent[];
  next(): StreamBatch | null;
}

export interface SqliteStreamReader {
  first(options: ReadByStreamOptions): StreamBatch | null;
}

/** Limits of a page: streams, and events after which it ends. */
const MAX_STREAMS = 500;
const ENOUGH_EVENTS = 600;

type StreamSize = [id: number, lastRevision: number | null];
type EventColumns = [
  stream: string,
  id: string,
  type: string,
  schemaVersion: number,
  data: string,
  metadata: string,
  revision: number,
  position: number,
];

export function createSqliteStreamReader(db: Database): SqliteStreamReader {
  const kinds = db.prepare<[], [id: number, name: string]>('SELECT id, name FROM kinds').raw();
  const sizes = db
    .prepare<[after: number, kinds: string, limit: number], StreamSize>(
      `SELECT s.id, (SELECT max(revision) FROM events WHERE stream_id = s.id)
       FROM streams s WHERE s.id > ? AND s.kind IN (SELECT value FROM json_each(?)) ORDER BY s.id LIMIT ?`,
    )
    .raw();
  const page = db
    .prepare<[after: number, until: number, kinds: string, upTo: number], EventColumns>(
      `SELECT s.name, e.id, e.type, e.schema_version, e.data, e.metadata, e.revision, e.position
       FROM streams s CROSS JOIN events e ON e.stream_id = s.id
       WHERE s.id > ? AND s.id <= ? AND s.kind IN (SELECT value FROM json_each(?)) AND e.position <= ?
       ORDER BY s.id, e.revision`,
    )
    .raw();

  /** Kinds whose streams may be wanted. */
  const kindsOf = (prefixes: readonly string[]): number[] =>
    kinds
      .all()
      .filter(([, name]) => prefixes.some((prefix) => name.startsWith(prefix) || kindOf(prefix) === name))
      .map(([id]) => id);

  function batchAfter(after: number, { upTo, prefixes = [] }: ReadByStreamOptions): StreamBatch | null {
    const wanted = prefixes.length === 0 ? [''] : prefixes;
    const ofKinds = JSON.stringify(kindsOf(wanted));
    const until = endOfPage(sizes.iterate(after, ofKinds, MAX_STREAMS));
    if (until === null) return null;
    const rows = page.all(after, until, ofKinds, toRowid(upTo));
    const events = rows.filter(([stream]) => wanted.some((prefix) => stream.startsWith(prefix))).map(toEvent);
    return { events, next: () => batchAfter(until, { upTo, prefixes }) };
  }

  return { first: (options) => batchAfter(0, options) };
}

/**
 * The last stream of a page; null: there is none. Queries no more sizes than the page has streams: each is a search.
 */
function endOfPage(streams: Iterable<StreamSize>): number | null {
  let [events, last]: [number, number | null] = [0, null];
  for (const [id, lastRevision] of streams) {
    last = id;
    events += (lastRevision ?? 0) + 1;
    if (events >= ENOUGH_EVENTS) break;
  }
  return last;
}

const toEvent = ([
  stream,
  id,
  type,
  schemaVersion,
  data,
  metadata,
  revision,
  position,
]: EventColumns): RecordedEvent => ({
  id,
  type,
  schemaVersion,
  // Both written by this store as JSON of these types.
  data: JSON.parse(data) as Json,
  metadata: JSON.parse(metadata) as EventMetadata,
  stream,
  revision,
  position: toPosition(position),
});
