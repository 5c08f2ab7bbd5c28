// The reading half of sqlite.ts: one stream, or the whole log with or without prefixes.
import type { Database, Statement } from 'better-sqlite3';
import { type EventMetadata, type Json, LOG_START, type Position, type RecordedEvent } from '../envelope.ts';
import type { ReadAllOptions, ReadByStreamOptions, ReadStreamOptions } from '../event-store.ts';

/** Wide enough for the largest safe integer, so positions compare as text. */
const POSITION_WIDTH = 16;

/** An event as it is stored; data and metadata are JSON. */
export type EventColumns = [
  stream: string,
  id: string,
  type: string,
  schemaVersion: number,
  data: string,
  metadata: string,
  revision: number,
  position: number,
];

// Two texts to parse. One for the whole event, put together by SQLite, took 24 us instead of 16 for one event, 871 instead of 643
// for 300 of them.
const COLUMNS = 'e.id, e.type, e.schema_version, e.data, e.metadata, e.revision, e.position';

// Where a statement has an order, SQLite compiles it anew whenever a bare parameter of it has another value, since the plan might
// depend on that: 15 to 60 us each time, of which `+?` leaves 2 to 7.
const STREAM_START = `SELECT ?, ${COLUMNS} FROM events e WHERE e.stream_id = +?`;

type Selection = Statement<unknown[], EventColumns>;

export function toPosition(rowid: number): Position {
  return String(rowid).padStart(POSITION_WIDTH, '0');
}

export function toRowid(position: Position): number {
  if (position === LOG_START) return 0;
  if (!/^\d+$/.test(position)) throw new Error(`"${position}" is not a position of this event store.`);
  return Number(position);
}

/** The part of a stream's name up to and including the first `-`; empty for a name without one. */
export function kindOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-') + 1);
}

export function createSqliteReader(db: Database) {
  const forwards = select(db, `${STREAM_START} AND e.revision >= +? ORDER BY e.revision LIMIT +?`);
  const backwards = select(db, `${STREAM_START} AND e.revision <= +? ORDER BY e.revision DESC LIMIT +?`);
  const idOf = db.prepare<[string], number>('SELECT id FROM streams WHERE name = ?').pluck();
  const everythingIn = ({ beyond, order }: Way): Selection =>
    select(
      db,
      `SELECT s.name, ${COLUMNS} FROM events e CROSS JOIN streams s ON s.id = e.stream_id
       WHERE e.position ${beyond} +? ORDER BY e.position ${order} LIMIT +?`,
    );
  const everything = { forwards: everythingIn(WAYS.forwards), backwards: everythingIn(WAYS.backwards) };
  const last = db.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
  const kinds = db.prepare<[], [id: number, name: string]>('SELECT id, name FROM kinds').raw();
  const merges = new Map<string, Selection>();

  // Kinds and events are read in one snapshot: a kind first used by another process between the two would otherwise be
  // missed for good, because the subscription continues after the later events of the kinds that it knew.
  const selected = db.transaction(
    (
      after: number,
      prefixes: readonly string[],
      way: Way,
      limit: number,
      maxCharacters: number,
    ): readonly RecordedEvent[] => {
      const arms = kinds.all().flatMap(([id, name]) => armsOf(id, name, prefixes, way));
      if (arms.length === 0) return [];
      const shape = arms.map((arm) => arm.sql).join(' UNION ALL ');
      let statement = merges.get(shape);
      if (statement === undefined) {
        statement = select(db, mergeOf(shape, way));
        merges.set(shape, statement);
      }
      return page(statement, [...arms.flatMap((arm) => arm.bind(after)), limit], maxCharacters).events;
    },
  );

  return {
    /** Up to and including the event that reaches the length. */
    readStream(
      stream: string,
      { from, direction = 'forwards', limit = -1 }: ReadStreamOptions,
      maxCharacters: number,
    ): Page {
      // Most streams that writers ask for are not there: a slug, a name, a key. Looking for those costs a fifth of a read.
      const id = idOf.get(stream);
      if (id === undefined) return { events: [], characters: 0, isFull: false };
      if (direction === 'forwards') return page(forwards, [stream, id, from ?? 0, limit], maxCharacters);
      return page(backwards, [stream, id, from ?? Number.MAX_SAFE_INTEGER, limit], maxCharacters);
    },
    readAll({
      after,
      direction = 'forwards',
      prefixes = [],
      limit,
      maxCharacters = Infinity,
    }: ReadAllOptions): readonly RecordedEvent[] {
      const start = direction === 'backwards' && after === LOG_START ? Number.MAX_SAFE_INTEGER : toRowid(after);
      const roots = withoutOverlap(prefixes);
      if (roots.length === 0 || roots.includes(''))
        return page(everything[direction], [start, limit], maxCharacters).events;
      return selected(start, roots, WAYS[direction], limit, maxCharacters);
    },
    head(): Position {
      const position = last.get();
      return position === null || position === undefined ? LOG_START : toPosition(position);
    },
  };
}

function select(db: Database, sql: string): Selection {
  return db.prepare<unknown[], EventColumns>(sql).raw();
}

export interface Page {
  readonly events: readonly RecordedEvent[];
  /** The characters of all events together. */
  readonly characters: number;
  /** It has reached the length, so there may be more. */
  readonly isFull: boolean;
}

/** The events of a statement, up to and including the one that reaches the length. */
function page(statement: Selection, values: readonly unknown[], maxCharacters: number): Page {
  // An iteration costs more than a single row.
  const isWhole = maxCharacters === Infinity || values.at(-1) === 1;
  const events: RecordedEvent[] = [];
  let characters = 0;
  for (const columns of isWhole ? statement.all(...values) : statement.iterate(...values)) {
    events.push(toEvent(columns));
    characters += columns[4].length + columns[5].length;
    if (characters >= maxCharacters) return { events, characters, isFull: true };
  }
  return { events, characters, isFull: false };
}

/** How positions beyond another one compare, and their order. */
interface Way {
  readonly beyond: '>' | '<';
  readonly order: '' | 'DESC';
}

const WAYS: { readonly [Direction in NonNullable<ReadAllOptions['direction']>]: Way } = {
  forwards: { beyond: '>', order: '' },
  backwards: { beyond: '<', order: 'DESC' },
};

interface Arm {
  readonly sql: string;
  bind(after: number): readonly (number | string)[];
}

// One kind's share of a filtered read: all of it, or those of its streams that begin with a longer prefix.
function armsOf(kind: number, name: string, prefixes: readonly string[], { beyond }: Way): Arm[] {
  if (prefixes.some((prefix) => name.startsWith(prefix))) {
    const sql = `SELECT position FROM events WHERE kind = +? AND position ${beyond} +?`;
    return [{ sql, bind: (after) => [kind, after] }];
  }
  return prefixes
    .filter((prefix) => kindOf(prefix) === name)
    .map((prefix) => ({
      sql: `SELECT e.position AS position FROM events e CROSS JOIN streams s ON s.id = e.stream_id
            WHERE e.kind = +? AND e.position ${beyond} +? AND substr(s.name, 1, length(?)) = +?`,
      bind: (after) => [kind, after, prefix, prefix],
    }));
}

// Each arm comes ordered from the index by kind, so SQLite merges them lazily and stops at the limit.
function mergeOf(arms: string, { order }: Way): string {
  return `SELECT s.name, ${COLUMNS} FROM (${arms} ORDER BY position ${order} LIMIT +?) p
          CROSS JOIN events e ON e.position = p.position CROSS JOIN streams s ON s.id = e.stream_id
          ORDER BY p.position ${order}`;
}

// `event-1` adds nothing to `event-`; without this an event would come once per matching prefix.
function withoutOverlap(prefixes: readonly string[]): string[] {
  const distinct = [...new Set(prefixes)];
  return distinct.filter((prefix) => !distinct.some((other) => other !== prefix && prefix.startsWith(other)));
}

// Reads a SQLite log stream by stream, page by page, so that no long read prevents the write-ahead log from being
// emptied.

/** Some whole streams, and how to continue after them; null at the end. */
interface StreamBatch {
  readonly events: readonly RecordedEvent[];
  next(): StreamBatch | null;
}

/** A page ends with the stream that reaches this: events, and characters, which are parsed in some milliseconds. 50 events with texts of 256 KiB took 60. */
const ENOUGH_EVENTS = 600;
const ENOUGH_CHARACTERS = 500_000;

export function createSqliteStreamReader(db: Database) {
  const kinds = db.prepare<[], [id: number, name: string]>('SELECT id, name FROM kinds').raw();
  const page = db
    .prepare<[after: number, kinds: string, upTo: number], [...EventColumns, streamId: number]>(
      `SELECT s.name, ${COLUMNS}, s.id
       FROM streams s CROSS JOIN events e ON e.stream_id = s.id
       WHERE s.id > +? AND s.kind IN (SELECT value FROM json_each(?)) AND e.position <= +?
       ORDER BY s.id, e.revision`,
    )
    .raw();

  /** Kinds whose streams may be wanted. */
  const kindsOf = (prefixes: readonly string[]): number[] =>
    kinds
      .all()
      .filter(([, name]) => prefixes.some((prefix) => name.startsWith(prefix) || kindOf(prefix) === name))
      .map(([id]) => id);

  function batchAfter(after: number, options: ReadByStreamOptions): StreamBatch | null {
    const { upTo, prefixes = [] } = options;
    const roots = prefixes.length === 0 ? [''] : prefixes;
    const ofKinds = JSON.stringify(kindsOf(roots));
    const events: RecordedEvent[] = [];
    let [last, characters] = [after, 0];
    for (const row of page.iterate(after, ofKinds, toRowid(upTo))) {
      const [stream, , , , data, , , , id] = row;
      if (id !== last && (events.length >= ENOUGH_EVENTS || characters >= ENOUGH_CHARACTERS)) {
        const end = last;
        return { events, next: () => batchAfter(end, options) };
      }
      last = id;
      characters += data.length;
      if (roots.some((prefix) => stream.startsWith(prefix))) events.push(toEvent(row));
    }
    return { events, next: () => null };
  }

  return { first: (options: ReadByStreamOptions): StreamBatch | null => batchAfter(0, options) };
}

export const toEvent = ([stream, id, type, schemaVersion, data, metadata, revision, position]: readonly [
  ...EventColumns,
  ...unknown[],
]): RecordedEvent => ({
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
