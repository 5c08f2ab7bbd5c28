import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../../src/log/envelope.ts';
import { newEventId } from '../../../src/log/event-ids.ts';
import { type AppendOutcome, EventStoreUnavailable, type ReadStreamOptions } from '../../../src/log/event-store.ts';
import { explainFailure } from '../../../src/log/sqlite/file.ts';
import { openRecentReads } from '../../../src/log/sqlite/recent-reads.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, newEvents, temporaryDirectory } from '../../support/events.ts';

interface Context {
  file: string;
  directory: string;
  remove(): Promise<void>;
}

const test = suite<Context>('SQLite event store');

test.before.each(async (context) => {
  Object.assign(context, await temporaryDirectory());
  context.file = join(context.directory, 'log.db');
});
test.after.each((context) => context.remove());

function refusalOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof EventStoreUnavailable) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const isOutcome = (outcome: unknown): outcome is AppendOutcome =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome;

test('missing directories are made', async ({ directory }) => {
  const store = openSqliteEventStore({ file: join(directory, 'a', 'b', 'log.db') });
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  await store.close();
});

test('readers never wait for writers: the file keeps a write-ahead log', ({ file }) => {
  const store = openSqliteEventStore({ file });
  const db = new Sqlite(file);
  assert.is(db.pragma('journal_mode', { simple: true }), 'wal');
  db.close();
  return store.close();
});

test('a database of another application is refused by name and left as it was', async ({ file }) => {
  const db = new Sqlite(file);
  db.exec('CREATE TABLE notes (text TEXT)');
  db.close();
  const before = await readFile(file);
  const { message } = refusalOf(() => openSqliteEventStore({ file }));
  assert.match(message, file);
  assert.match(message, 'not a Daybook event store');
  assert.equal(await readFile(file), before);
});

test('a newer schema is refused with both versions', async ({ file }) => {
  await openSqliteEventStore({ file }).close();
  const db = new Sqlite(file);
  db.pragma('user_version = 7');
  db.close();
  const { message } = refusalOf(() => openSqliteEventStore({ file }));
  assert.match(message, file);
  assert.match(message, /schema version 7.*knows version 1/);
});

test('a file that is no database is refused by name', async ({ file }) => {
  await writeFile(file, 'dear diary, '.repeat(500));
  const { message } = refusalOf(() => openSqliteEventStore({ file }));
  assert.match(message, file);
  assert.match(message, 'is not a database');
});

test('a path that cannot be a file is refused by name', ({ directory }) => {
  const { message } = refusalOf(() => openSqliteEventStore({ file: directory }));
  assert.match(message, directory);
});

test('failures of the engine say what to do', () => {
  const messageFor = (code: string) => {
    const explained = explainFailure('log.db', new Sqlite.SqliteError('failed', code));
    assert.instance(explained, EventStoreUnavailable);
    return String(explained);
  };
  assert.match(messageFor('SQLITE_FULL'), /log\.db.*disk is full.*Free some space/);
  assert.match(messageFor('SQLITE_IOERR_WRITE'), /log\.db.*Check the disk/);
  assert.match(messageFor('SQLITE_BUSY'), /log\.db.*locked.*try again/);
  const bug = new Sqlite.SqliteError('near "SELCT"', 'SQLITE_ERROR');
  assert.is(explainFailure('log.db', bug), bug);
});

test('a failure of the engine rejects every append of the turn, writes none, and later ones work again', async ({
  file,
}) => {
  const store = openSqliteEventStore({ file });
  const holder = new Sqlite(file);
  holder.exec(`CREATE TRIGGER failing BEFORE INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'failed'); END`);
  const failures = await Promise.all([
    failureOf(store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }])),
    failureOf(store.append([{ stream: 'event-2', expected: 'no_stream', events: newEvents(1) }])),
  ]);
  assert.ok(failures.every((failure) => failure instanceof Error));
  holder.exec('DROP TRIGGER failing');
  holder.close();
  assert.is(await store.head(), LOG_START);
  const outcome = await store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  assert.is(outcome.kind, 'appended');
  await store.close();
});

test('an event id that is in use elsewhere is refused, and appends beside it are not', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  const event = newEvent();
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: [event] }]);
  const [wrong, right] = await Promise.all([
    failureOf(store.append([{ stream: 'event-2', expected: 'no_stream', events: [newEvent(), event] }])),
    store.append([{ stream: 'event-3', expected: 'no_stream', events: newEvents(1) }]),
  ]);
  assert.match(String(wrong), event.id);
  assert.is(right.kind, 'appended');
  assert.equal(await store.readStream('event-2'), []);
  await store.close();
});

test('positions have no gaps, whatever was refused in between', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  for (let index = 0; index < 3; index += 1) {
    await store.append([{ stream: 'event-1', expected: await endOf(store, 'event-1'), events: newEvents(1) }]);
    await store.append([
      { stream: 'event-2', expected: 'no_stream', events: newEvents(2) },
      { stream: 'event-1', expected: 'no_stream', events: newEvents(1) },
    ]);
  }
  const positions = (await store.readAll({ after: LOG_START, limit: 10 })).map((event) => event.position);
  assert.equal(positions, ['0000000000000001', '0000000000000002', '0000000000000003']);
  await store.close();
});

test('what a refused append began is not used by the appends behind it', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  const [used] = newEvents(1);
  assert.ok(used);
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: [used] }]);
  // The first of these would be the first stream of its kind, which the second one is then.
  const [wrong, right] = await Promise.all([
    failureOf(store.append([{ stream: 'venue-1', expected: 'no_stream', events: [...newEvents(1), used] }])),
    store.append([{ stream: 'venue-2', expected: 'no_stream', events: newEvents(1) }]),
  ]);
  assert.match(String(wrong), used.id);
  assert.is(right.kind, 'appended');
  await store.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(1) }]);
  await store.append([{ stream: 'venue-3', expected: 'no_stream', events: newEvents(1) }]);
  const venues = await store.readAll({ after: LOG_START, prefixes: ['venue-'], limit: 10 });
  assert.equal(
    venues.map(({ stream }) => stream),
    ['venue-2', 'venue-1', 'venue-3'],
  );
  await store.close();
});

test('events that several appends of one turn share are written once, by the first that is not refused', async ({
  file,
}) => {
  const store = openSqliteEventStore({ file });
  const shared = { stream: 'ids-post', expected: 'no_stream', events: newEvents(1) } as const;
  const created = (id: number) => ({ stream: `event-${id}`, expected: 'no_stream', events: newEvents(1) }) as const;
  const refused = { ...created(1), expected: 7 } as const;
  const outcomes = await Promise.all([
    store.append([shared, refused]),
    store.append([shared, created(2)]),
    store.append([shared, { ...created(3), expected: 7 }]),
    store.append([shared, created(4)]),
    failureOf(store.append([{ ...shared, stream: 'ids-term' }, created(5)])),
  ]);
  assert.equal(
    outcomes.map((outcome) => (isOutcome(outcome) ? outcome.kind : 'refused')),
    ['conflict', 'appended', 'conflict', 'appended', 'refused'],
  );
  const streams = (await store.readAll({ after: LOG_START, limit: 10 })).map(({ stream }) => stream);
  assert.equal(streams, ['ids-post', 'event-2', 'event-4']);
  await store.close();
});

test('a read that is repeated finds what any connection has written meanwhile', async ({ file }) => {
  const [store, other] = [openSqliteEventStore({ file }), openSqliteEventStore({ file })];
  const last = async (): Promise<number | undefined> =>
    (await store.readStream('review-policy', { direction: 'backwards', limit: 1 }))[0]?.revision;
  const seen = [await last(), await last()];
  for (const by of [store, other, other, store]) {
    await by.append([{ stream: 'review-policy', expected: await endOf(by, 'review-policy'), events: newEvents(1) }]);
    seen.push(await last(), await last());
  }
  assert.equal(seen, [undefined, undefined, 0, 0, 1, 1, 2, 2, 3, 3]);
  await Promise.all([store.close(), other.close()]);
});

const COPY = `INSERT INTO events (stream_id, revision, kind, schema_version, type, id, data, metadata)
  SELECT stream_id, revision + 1, kind, schema_version, type, ?, data, metadata FROM events WHERE position = ?`;

test('who follows the log misses nothing that another process wrote just before an append', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  await store.append([{ stream: 'tag-1', expected: 'no_stream', events: newEvents(1) }]);
  const outside = new Sqlite(file);
  await nextTurn();
  await store.readStream('tag-1');
  outside.prepare(COPY).run(newEventId(), 1);
  await store.append([{ stream: 'tag-2', expected: 'no_stream', events: newEvents(1) }]);
  const { signal } = new AbortController();
  for await (const batch of store.subscribe({ after: LOG_START, batchSize: 10, signal })) {
    assert.equal(
      batch.map(({ stream, revision }) => `${stream} ${revision}`),
      ['tag-1 0', 'tag-1 1', 'tag-2 0'],
    );
    break;
  }
  outside.close();
  await store.close();
});

test('what is read again is no older than what was read of the file since, whoever has written it', async ({
  file,
}) => {
  const store = openSqliteEventStore({ file });
  for (const stream of ['tag-1', 'tag-2'])
    await store.append([{ stream, expected: 'no_stream', events: newEvents(1) }]);
  const outside = new Sqlite(file);
  const copy = outside.prepare(COPY);
  const eventsOf = async (stream: string): Promise<number> => (await store.readStream(stream)).length;
  const read = [await eventsOf('tag-1')];
  copy.run(newEventId(), 1);
  read.push(await eventsOf('tag-2'), await eventsOf('tag-1'));
  copy.run(newEventId(), 3);
  await nextTurn();
  read.push(await eventsOf('tag-1'));
  assert.equal(read, [1, 1, 2, 3]);
  outside.close();
  await store.close();
});

test('a read that is repeated is not asked of the file until another connection has written', () => {
  let reads = 0;
  let version = 1;
  const pageOf = (characters: number) => () => {
    const events = [{ ...newEvent(), stream: 'tag-1', revision: reads++, position: '1' }];
    return [version, { events, characters, isFull: false }] as const;
  };
  const read = pageOf(100);
  const recent = openRecentReads(() => version);
  recent.find('tag-1', {}, read);
  assert.is(recent.find('tag-1', {}, read).events[0]?.revision, 0);
  recent.forget([{ stream: 'tag-2' }]);
  assert.is(recent.find('tag-1', {}, read).events[0]?.revision, 0);
  assert.is(recent.find('tag-1', { limit: 1 }, read).events[0]?.revision, 1);
  recent.forget([{ stream: 'tag-1' }]);
  assert.is(recent.find('tag-1', {}, read).events[0]?.revision, 2);
  version = 2;
  assert.is(recent.find('tag-1', {}, read).events[0]?.revision, 3);
  // What another connection has written is met by a read of another stream, too.
  recent.find('tag-3', {}, read);
  version = 3;
  recent.find('tag-4', {}, read);
  assert.is(recent.find('tag-3', {}, read).events[0]?.revision, 6);
  // Different reads of one stream, and long ones, must not pile up.
  recent.find('tag-1', { limit: 1 }, read);
  assert.is(recent.find('tag-1', {}, read).events[0]?.revision, 8);
  const long = pageOf(100_000);
  assert.is(recent.find('tag-9', {}, long).events[0]?.revision, 9);
  assert.is(recent.find('tag-9', {}, long).events[0]?.revision, 10);
});

test('no statement with an order is compiled anew for each of its values', async ({ file }) => {
  const { prepare } = Sqlite.prototype;
  const texts: string[] = [];
  Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
    texts.push(text);
    return prepare.call(this, text);
  } as typeof prepare;
  try {
    const store = openSqliteEventStore({ file });
    await store.append([{ stream: 'tag-1', expected: 'no_stream', events: newEvents(1) }]);
    await store.readAll({ after: LOG_START, prefixes: ['tag-', 'event-1'], limit: 1 });
    await store.close();
  } finally {
    Sqlite.prototype.prepare = prepare;
  }
  const ordered = texts.filter((text) => text.includes('ORDER BY'));
  assert.ok(ordered.length > 6);
  assert.equal(
    ordered.filter((text) => /([=<>]|LIMIT|OFFSET) \?/.test(text)),
    [],
  );
});

test('a long stream is read whole, in turns with others', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  const events = newEvents(40).map((event) => ({ ...event, data: { text: 'x'.repeat(100_000) } }));
  await store.append([{ stream: 'event-1', expected: 'no_stream', events }]);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const revisionsOf = async (options: ReadStreamOptions): Promise<number[]> =>
    (await store.readStream('event-1', options)).map(({ revision }) => revision);
  const all = [...events.keys()];
  assert.equal(await revisionsOf({}), all);
  assert.ok(turns >= 3, `${turns} turns`);
  assert.equal(await revisionsOf({ direction: 'backwards' }), all.toReversed());
  assert.equal(await revisionsOf({ from: 3, limit: 25 }), all.slice(3, 28));
  assert.equal(await revisionsOf({ direction: 'backwards', from: 35, limit: 15 }), all.slice(21, 36).toReversed());
  clearImmediate(next);
  await store.close();
});

test('who reads one stream after the other lets others have their turn', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const began = performance.now();
  // Reading alone would never let the event loop go on.
  while (turns < 3 && performance.now() - began < 5_000) await store.readStream('event-1');
  clearImmediate(next);
  assert.ok(turns >= 3, `${turns} turns`);
  await store.close();
});

test('ids of events are UUIDs that follow the time', () => {
  const before = Date.now();
  const ids = Array.from({ length: 100 }, newEventId);
  const after = Date.now();
  assert.is(new Set(ids).size, ids.length);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    assert.ok(before <= time && time <= after);
  }
});

test('a position of another kind of store is refused instead of finding nothing', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  assert.match(String(await failureOf(store.readAll({ after: 'C:12/P:12', limit: 1 }))), 'C:12/P:12');
  await store.close();
});

test('a waiting subscription notices what another connection to the file appends', async ({ file }) => {
  const [reader, writer] = [openSqliteEventStore({ file, pollIntervalMs: 5 }), openSqliteEventStore({ file })];
  const controller = new AbortController();
  const subscription = reader
    .subscribe({ after: LOG_START, prefixes: ['venue-'], batchSize: 10, signal: controller.signal })
    [Symbol.asyncIterator]();
  for (const stream of ['venue-1', 'venue-2']) {
    const next = subscription.next();
    await writer.append([{ stream: 'event-1', expected: await endOf(writer, 'event-1'), events: newEvents(1) }]);
    await writer.append([{ stream, expected: await endOf(writer, stream), events: newEvents(1) }]);
    const batch: readonly { stream: string }[] = (await next).value ?? [];
    assert.equal(
      batch.map((event) => event.stream),
      [stream],
    );
  }
  controller.abort();
  await Promise.all([reader.close(), writer.close()]);
});

test('a subscription that is busy while others notice what another connection has appended gets it as well', async ({
  file,
}) => {
  const [store, outside] = [openSqliteEventStore({ file, pollIntervalMs: 5 }), openSqliteEventStore({ file })];
  const ending = new AbortController();
  const follow = () =>
    store.subscribe({ after: LOG_START, batchSize: 10, signal: ending.signal })[Symbol.asyncIterator]();
  const begin = (by: typeof store, stream: string) =>
    by.append([{ stream, expected: 'no_stream', events: newEvents(1) }]);
  async function until(subscription: ReturnType<typeof follow>, stream: string): Promise<string[]> {
    const streams: string[] = [];
    while (!streams.includes(stream)) {
      const { value: batch, done } = await subscription.next();
      if (done) throw new Error(`${stream} did not come`);
      streams.push(...batch.map((event) => event.stream));
    }
    return streams;
  }
  const [waiting, busy] = [follow(), follow()];
  await begin(store, 'tag-1');
  assert.equal(await until(waiting, 'tag-1'), await until(busy, 'tag-1'));
  await begin(store, 'tag-2');
  await begin(outside, 'tag-3');
  assert.equal(await until(waiting, 'tag-3'), ['tag-2', 'tag-3']);
  const impatience = setTimeout(() => ending.abort(), 5_000);
  assert.equal(await until(busy, 'tag-3'), ['tag-2', 'tag-3']);
  clearTimeout(impatience);
  ending.abort();
  await Promise.all([store.close(), outside.close()]);
});

test('closing writes pending appends, ends subscriptions and refuses later calls', async ({ file }) => {
  const store = openSqliteEventStore({ file });
  const { signal } = new AbortController();
  const subscription = store.subscribe({ after: LOG_START, batchSize: 1, signal })[Symbol.asyncIterator]();
  const waiting = subscription.next();
  const written = store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  await store.close();
  assert.is((await written).kind, 'appended');
  assert.is((await waiting).done, true);
  assert.instance(await failureOf(store.head()), EventStoreUnavailable);
  const late = store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }]);
  assert.instance(await failureOf(late), EventStoreUnavailable);
  await store.close();
});

test.run();
