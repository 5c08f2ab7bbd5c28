// The writing half of sqlite.ts: appends at an expected revision, applied once however often they are repeated.
// decision 2
import Sqlite, { type Database } from 'better-sqlite3';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import type { Revision } from '../envelope.ts';
import type { AppendOutcome, ExpectedRevision, StreamAppend } from '../event-store.ts';
import { type EventColumns, kindOf, toPosition } from './read.ts';

export interface EncodedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReturnType<typeof encoded>;
}

type Outcome = AppendOutcome | Error;
type Written = Extract<AppendOutcome, { kind: 'appended' }>['written'][number];

type Units = readonly (readonly EncodedAppend[])[];

interface StreamRow {
  readonly id: number;
  readonly kind: number;
  /** Revision and rowid of the last event. */
  readonly revision: Revision;
  readonly position: number;
}

interface Place {
  readonly id: string;
  readonly streamId: number;
  readonly revision: Revision;
  readonly position: number;
}

/** Thrown inside a transaction to roll it back; never leaves this file. */
class Conflict extends Error {
  readonly stream: string;
  readonly actual: Revision | 'no_stream';
  constructor(stream: string, actual: Revision | 'no_stream') {
    super(`conflict in ${stream}`);
    this.stream = stream;
    this.actual = actual;
  }
}

/** The request is invalid: rolls back and rejects this one append only. */
class BadAppend extends Error {
  override readonly name = 'BadAppend';
}

/** Encoded events that several units write, as a reservation of ids that they share. */
const encoded = askedOnce(
  (events: StreamAppend['events']) =>
    events.map(({ id, type, schemaVersion, data, metadata }) => ({
      id,
      type,
      schemaVersion,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    })),
  new WeakMap(),
);

/** Data and metadata as the stored JSON text; the same events are the same texts. Throws if an append has no events. */
export function encodeAppends(appends: readonly StreamAppend[]): EncodedAppend[] {
  return appends.map(({ stream, expected, events }) => {
    if (events.length === 0) throw new BadAppend(`The append to ${stream} has no events.`);
    return { stream, expected, events: encoded(events) };
  });
}

export function createSqliteWriter(db: Database) {
  const findKind = db.prepare<[string], number>('SELECT id FROM kinds WHERE name = ?').pluck();
  const kinds = db.prepare<[], [name: string, id: number]>('SELECT name, id FROM kinds').raw();
  const addKind = db.prepare<[string]>('INSERT INTO kinds (name) VALUES (?)');
  const addStream = db.prepare<[number, string]>(
    'INSERT INTO streams (kind, name) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const findStream = db.prepare<[string], StreamRow>(
    `SELECT s.id AS id, s.kind AS kind, e.revision AS revision, e.position AS position
     FROM streams s JOIN events e ON e.stream_id = s.id WHERE s.name = +? ORDER BY e.revision DESC LIMIT 1`,
  );
  const placesFrom = db.prepare<[number, number, number], Place>(
    `SELECT id, stream_id AS streamId, revision, position FROM events
     WHERE stream_id = +? AND revision >= +? ORDER BY revision LIMIT +?`,
  );
  const addEvent = db.prepare<[number, number, number, number, string, string, string, string]>(
    `INSERT INTO events (stream_id, revision, kind, schema_version, type, id, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  /** As committed: what a transaction adds may still be rolled back. */
  let committedKinds = new Map(kinds.all());
  let areKindsCommitted = true;
  /** By the transaction that is under way. */
  let written: EventColumns[] = [];
  /** What earlier units of the transaction wrote and later ones share, if those were not rolled back. */
  let shared = new Map<EncodedAppend['events'], { readonly stream: string; readonly written: Written }>();

  function kindId(stream: string): number {
    const name = kindOf(stream);
    const committed = committedKinds.get(name);
    if (committed !== undefined) return committed;
    areKindsCommitted = false;
    return findKind.get(name) ?? Number(addKind.run(name).lastInsertRowid);
  }

  // Where the events of this append are, if an earlier attempt wrote them.
  function writtenBefore(row: StreamRow, { expected, events }: EncodedAppend): Written | undefined {
    const from = expected === 'no_stream' ? 0 : expected + 1;
    if (from > row.revision) return undefined;
    const places = placesFrom.all(row.id, from, events.length);
    const last = places.at(-1);
    const isSame = places.length === events.length && places.every((place, index) => place.id === events[index]?.id);
    return isSame && last !== undefined ? toWritten(last) : undefined;
  }

  function insert(row: Pick<StreamRow, 'id' | 'kind'>, first: Revision, { stream, events }: EncodedAppend): Written {
    let position = 0;
    for (const [index, event] of events.entries()) {
      const { schemaVersion, type, id, data, metadata } = event;
      try {
        const added = addEvent.run(row.id, first + index, row.kind, schemaVersion, type, id, data, metadata);
        position = Number(added.lastInsertRowid);
        written.push([stream, id, type, schemaVersion, data, metadata, first + index, position]);
      } catch (error) {
        throw isUsedId(error) ? new BadAppend(`The event id ${id} is already in use.`) : error;
      }
    }
    return toWritten({ revision: first + events.length - 1, position });
  }

  function writeStream(append: EncodedAppend): Written {
    const cached = shared.get(append.events);
    if (cached?.stream === append.stream) return cached.written;
    const now = writeAnew(append);
    shared.set(append.events, { stream: append.stream, written: now });
    return now;
  }

  function writeAnew(append: EncodedAppend): Written {
    const { stream, expected } = append;
    // Most appends begin a stream: it is added without looking for it first.
    if (expected === 'no_stream') {
      const kind = kindId(stream);
      const added = addStream.run(kind, stream);
      if (added.changes > 0) return insert({ kind, id: Number(added.lastInsertRowid) }, 0, append);
    }
    const row = findStream.get(stream);
    if (row === undefined) throw new Conflict(stream, 'no_stream');
    if (expected === row.revision) return insert(row, row.revision + 1, append);
    const duplicate = writtenBefore(row, append);
    if (duplicate !== undefined) return duplicate;
    throw new Conflict(stream, row.revision);
  }

  const apply = (appends: readonly EncodedAppend[]): AppendOutcome => ({
    kind: 'appended',
    written: appends.map(writeStream),
  });
  const applyAlone = db.transaction(apply);

  function outcomeOf(appends: readonly EncodedAppend[]): Outcome {
    const start = written.length;
    try {
      return applyAlone(appends);
    } catch (error) {
      written.length = start;
      for (const { events } of appends) shared.delete(events);
      if (error instanceof Conflict) return { kind: 'conflict', stream: error.stream, actual: error.actual };
      if (error instanceof BadAppend) return error;
      throw error;
    }
  }

  const { immediate: writeAll } = db.transaction((batch: Units, one: typeof outcomeOf) => {
    written = [];
    shared = new Map();
    return batch.map(one);
  });

  /** Hardly any is refused: only then each gets a savepoint, which costs two statements. */
  function outcomesOf(batch: Units): Outcome[] {
    try {
      return writeAll(batch, apply);
    } catch (error) {
      if (error instanceof Conflict || error instanceof BadAppend) return writeAll(batch, outcomeOf);
      throw error;
    }
  }

  return {
    /**
     * Each unit is applied wholly or not at all and has its own outcome; all of them are committed together. `added`: what was
     * written now, and not by an earlier attempt.
     */
    write(batch: Units) {
      const outcomes = outcomesOf(batch);
      if (!areKindsCommitted) committedKinds = new Map(kinds.all());
      areKindsCommitted = true;
      return { outcomes, added: written };
    },
  };
}

const isUsedId = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError &&
  error.code === 'SQLITE_CONSTRAINT_UNIQUE' &&
  error.message.endsWith('events.id');

function toWritten({ revision, position }: Pick<Place, 'revision' | 'position'>): Written {
  return { revision, position: toPosition(position) };
}
