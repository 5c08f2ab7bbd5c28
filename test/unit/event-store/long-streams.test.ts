import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventStore, ReadStreamOptions } from '../../../src/event-store/event-store.ts';
import { withLongStreams } from '../../../src/event-store/long-streams.ts';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/store.ts';
import { eventStoreContract } from '../../contract/event-store.contract.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, newEvents } from '../../support/events.ts';

const SMALL = { minEvents: 3, maxCharacters: 1_000 };

/** A store, and how many events were read from what lies below it. */
function watched(inner: EventStore = openSqliteEventStore({ file: ':memory:' })) {
  const read: number[] = [];
  const below = { ...inner };
  const watching: EventStore = {
    ...inner,
    async readStream(stream: string, options?: ReadStreamOptions) {
      const events = await below.readStream(stream, options);
      // Ends are looked for by the test itself.
      if (options?.direction !== 'backwards') read.push(events.length);
      return events;
    },
  };
  return { store: withLongStreams(watching, SMALL), below, read };
}

async function append(store: EventStore, stream: string, count: number, size = 0): Promise<void> {
  const events = Array.from({ length: count }, () => newEvent('Told', 'x'.repeat(size)));
  await store.append([{ stream, expected: await endOf(store, stream), events }]);
}

eventStoreContract('SQLite in memory, with cached streams', async () => {
  const store = withLongStreams(openSqliteEventStore({ file: ':memory:' }), { minEvents: 1, maxCharacters: 10_000 });
  return { store, batches: 'atomic', reopen: async () => store, cleanup: () => store.close() };
});

test('of a long stream only what has come since is read again', async () => {
  const { store, read } = watched();
  await append(store, 'event-1', 5);
  const first = await store.readStream('event-1');
  await append(store, 'event-1', 2);
  const second = await store.readStream('event-1');
  assert.equal([first.length, second.length], [5, 7]);
  assert.equal(second.slice(0, 5), first);
  assert.equal(
    second.map(({ revision }) => revision),
    [0, 1, 2, 3, 4, 5, 6],
  );
  await store.readStream('event-1');
  assert.equal(read, [5, 3, 1]);
});

test('what a reader does to the events that it was given is its own', async () => {
  const { store } = watched();
  await append(store, 'event-1', 5);
  (await store.readStream('event-1')).length = 0;
  assert.is((await store.readStream('event-1')).length, 5);
});

test('of a stream of thousands of events a few hundred are read at once, and others have their turn', async () => {
  const { store, read } = watched();
  await append(store, 'event-1', 1_000);
  await append(store, 'event-1', 100);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const events = await store.readStream('event-1');
  clearImmediate(next);
  assert.is(events.length, 1_100);
  assert.equal(read, [250, 250, 250, 250, 100]);
  assert.ok(turns >= 4, `${turns} turns`);
});

test('short streams, and parts of streams, are read as they are asked for', async () => {
  const { store, read } = watched();
  await append(store, 'event-1', 2);
  await store.readStream('event-1');
  await store.readStream('event-1');
  await append(store, 'event-2', 5);
  await store.readStream('event-2', { from: 1, limit: 2 });
  await store.readStream('event-2', { from: 4, limit: 1 });
  assert.equal(read, [2, 2, 2, 1]);
});

test('the least recently read stream is dropped first, and too large ones are not cached', async () => {
  const { store, read } = watched();
  for (const stream of ['event-1', 'event-2', 'event-3']) {
    await append(store, stream, 4, 100);
    await store.readStream(stream);
  }
  await append(store, 'event-4', 4, 1_000);
  await store.readStream('event-4');
  read.length = 0;
  for (const stream of ['event-3', 'event-2', 'event-1', 'event-4']) await store.readStream(stream);
  assert.equal(read, [1, 1, 4, 4]);
});

test('a log that another one has taken the place of is read anew', async () => {
  const { store, below } = watched();
  await append(store, 'event-1', 5);
  await store.readStream('event-1');
  const other = openSqliteEventStore({ file: ':memory:' });
  await other.append([{ stream: 'event-1', expected: await endOf(other, 'event-1'), events: newEvents(4) }]);
  below.readStream = other.readStream;
  assert.equal(await store.readStream('event-1'), await other.readStream('event-1'));
});

test.run();
