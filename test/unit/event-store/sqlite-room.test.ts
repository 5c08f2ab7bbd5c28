import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreAdapter, EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { openSqliteRoom } from '../../../src/log/sqlite/disk-space.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { newEvents, temporaryDirectory } from '../../support/events.ts';

interface Context {
  file: string;
  store: EventStoreAdapter;
  remove(): Promise<void>;
}

const test = suite<Context>('room in a SQLite event store');

test.before.each(async (context) => {
  const { directory, remove } = await temporaryDirectory();
  context.file = join(directory, 'log.db');
  context.store = openSqliteEventStore({ file: context.file });
  await context.store.append([{ stream: 'event-1', expected: 'no_stream', events: newEvents(1) }]);
  context.remove = remove;
});
test.after.each(async ({ store, remove }) => {
  await store.close();
  await remove();
});

const schemaOf = (db: Sqlite.Database) => db.prepare('SELECT name FROM sqlite_schema ORDER BY name').all();

test('trying takes room on the disk for real, once, and leaves nothing in the log', async ({ file, store }) => {
  const db = new Sqlite(file, { readonly: true });
  const room = () => statSync(`${file}-wal`).size;
  const before = { room: room(), head: await store.head(), schema: schemaOf(db) };
  assert.is(await store.tryWriting?.(), 'possible');
  const taken = room();
  assert.ok(taken >= before.room + 100_000, `${taken - before.room} bytes`);
  assert.is(await store.tryWriting?.(), 'possible');
  assert.is(room(), taken);
  assert.is(await store.head(), before.head);
  assert.equal(schemaOf(db), before.schema);
  await store.append([{ stream: 'event-1', expected: 0, events: newEvents(1) }]);
  assert.is((await store.readStream('event-1')).length, 2);
  assert.is(db.pragma('integrity_check', { simple: true }), 'ok');
  db.close();
});

test('a lock of another process is not waited for', async ({ file, store }) => {
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  assert.is(await store.tryWriting?.(), 'busy');
  other.exec('ROLLBACK');
  other.close();
  assert.is(await store.tryWriting?.(), 'possible');
});

test('room that the journal took earlier does not hide that the disk is full', async ({ file }) => {
  let left: number | null = 2 ** 30;
  const room = openSqliteRoom(file, async () => left);
  assert.is(await room.tryWriting(), 'possible');
  left = 4_096;
  const refused = await room.tryWriting().catch((error: unknown) => error);
  assert.instance(refused, EventStoreUnavailable);
  left = null; // The file system does not say.
  assert.is(await room.tryWriting(), 'possible');
  room.close();
});

test('a log in memory cannot say', async () => {
  const inMemory = openSqliteEventStore({ file: ':memory:' });
  assert.is(inMemory.tryWriting, undefined);
  await inMemory.close();
});

test.run();
