import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDryRunStore } from '../../../src/commands/dry-run-store.ts';
import { openCachingStore } from '../../../src/exchange/import/write/caching-store.ts';
import type { RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore, StreamAppend } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';

const test = suite<{ store: EventStore }>('stores that stand in for the store during an import');

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
});
test.after.each(({ store }) => store.close());

const metadata = {
  actor: { id: null, name: 'test' },
  instant: '2030-01-01T00:00:00Z',
  correlationId: 'c',
  causationId: 'c',
};

const append = (stream: string, expected: StreamAppend['expected'], ...types: string[]): StreamAppend => ({
  stream,
  expected,
  events: types.map((type) => ({ id: randomUUID(), type, schemaVersion: 1, data: {}, metadata })),
});

const types = async (store: EventStore, stream: string) => (await store.readStream(stream)).map(({ type }) => type);

test('a cached stream is continued by appends through the same store', async ({ store }) => {
  const remembering = openCachingStore(store);
  await remembering.append([append('slug-event-a', 'no_stream', 'One')]);
  assert.equal(await types(remembering, 'slug-event-a'), ['One']);
  await remembering.append([append('slug-event-a', 0, 'Two', 'Three')]);
  assert.equal(await remembering.readStream('slug-event-a'), await withPositionOfLast(store, 'slug-event-a'));
});

test('a stream that was begun through the same store is not read', async ({ store }) => {
  const read: string[] = [];
  const remembering = openCachingStore({
    ...store,
    readStream(stream, options) {
      read.push(stream);
      return store.readStream(stream, options);
    },
  });
  await remembering.append([append('venue-1', 'no_stream', 'One', 'Two')]);
  assert.equal(await types(remembering, 'venue-1'), ['One', 'Two']);
  assert.equal(read, []);
  assert.equal(await remembering.readStream('venue-1'), (await store.readStream('venue-1')).map(withLast));

  function withLast(event: RecordedEvent, _: number, all: readonly RecordedEvent[]): RecordedEvent {
    return { ...event, position: all.at(-1)?.position ?? '' };
  }
});

/** As the log has it, except that events of one append lie where its last does. */
async function withPositionOfLast(store: EventStore, stream: string) {
  const events = await store.readStream(stream);
  const last = events.at(-1)?.position ?? '';
  return events.map((event) => ({ ...event, position: event.revision === 0 ? event.position : last }));
}

test('appends of other processes are noticed by the conflict', async ({ store }) => {
  const remembering = openCachingStore(store);
  assert.equal(await types(remembering, 'name-venue-a'), []);
  await store.append([append('name-venue-a', 'no_stream', 'Theirs')]);
  const outcome = await remembering.append([append('name-venue-a', 'no_stream', 'Ours')]);
  assert.is(outcome.kind, 'conflict');
  assert.equal(await types(remembering, 'name-venue-a'), ['Theirs']);
});

test('sequences of ids are always read anew', async ({ store }) => {
  const remembering = openCachingStore(store);
  assert.equal(await types(remembering, 'ids-post'), []);
  await store.append([append('ids-post', 'no_stream', 'Theirs')]);
  assert.equal(await types(remembering, 'ids-post'), ['Theirs']);
});

test('a rehearsal goes on from the log, and leaves it as it is', async ({ store }) => {
  await store.append([append('event-1', 'no_stream', 'Real')]);
  const rehearsal = openDryRunStore(store);
  const outcome = await rehearsal.append([append('event-1', 0, 'Tried'), append('event-2', 'no_stream', 'New')]);
  assert.is(outcome.kind, 'appended');
  assert.equal(await types(rehearsal, 'event-1'), ['Real', 'Tried']);
  assert.equal(
    (await rehearsal.readStream('event-1', { direction: 'backwards', limit: 1 })).map(({ revision }) => revision),
    [1],
  );
  assert.equal(await types(store, 'event-1'), ['Real']);
  assert.equal(await types(store, 'event-2'), []);
});

test('a dry run conflicts like the log, and discards the append', async ({ store }) => {
  const rehearsal = openDryRunStore(store);
  await rehearsal.append([append('event-1', 'no_stream', 'First')]);
  const outcome = await rehearsal.append([
    append('event-2', 'no_stream', 'New'),
    append('event-1', 'no_stream', 'Late'),
  ]);
  assert.equal(outcome, { kind: 'conflict', stream: 'event-1', actual: 0 });
  assert.equal(await types(rehearsal, 'event-2'), []);
});

test.run();
