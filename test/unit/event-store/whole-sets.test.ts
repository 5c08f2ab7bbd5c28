// Readers of the log see nothing of a set before all of it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENDA, streamsOfNow, wholeHead, withWholeSets } from '../../../src/editorial/change-sets/facts/whole-sets.ts';
import { type EventMetadata, LOG_START, type NewEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent, someMetadata } from '../../support/events.ts';

const test = suite<{ store: EventStore; whole: EventStore }>('sets that are being written');
test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
  context.whole = withWholeSets(context.store);
});
test.after.each(({ store }) => store.close());

const OF_SET: Partial<EventMetadata> = { correlationId: 'the-set', proposal: { id: 1, author: 1 } };

const append = async (store: EventStore, stream: string, type: string, metadata: Partial<EventMetadata> = {}) => {
  const event: NewEvent = { ...newEvent(type), metadata: { ...someMetadata, ...metadata } };
  return store.append([{ stream, expected: await endOf(store, stream), events: [event] }]);
};
const begin = (store: EventStore) => append(store, AGENDA, 'ChangeSetBegun', { correlationId: 'the-set' });
const end = (store: EventStore) => append(store, AGENDA, 'ChangeSetEnded', { correlationId: 'the-set' });
const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);

test('a stream ends before what a set has written, however it is read', async ({ store, whole }) => {
  await append(store, 'event-1', 'Before');
  await begin(store);
  await append(store, 'event-1', 'OfSet', OF_SET);
  await append(store, 'event-1', 'Behind');
  assert.equal(types(await whole.readStream('event-1')), ['Before']);
  assert.equal(types(await whole.readStream('event-1', { from: 1 })), []);
  assert.equal(types(await whole.readStream('event-1', { direction: 'backwards', limit: 2 })), ['Before']);
  await end(store);
  assert.equal(types(await whole.readStream('event-1')), ['Before', 'OfSet', 'Behind']);
});

test('what others write meanwhile is shown where it is not behind the set', async ({ store, whole }) => {
  await begin(store);
  await append(store, 'event-1', 'OfSet', OF_SET);
  await append(store, 'event-2', 'OfOthers', { proposal: { id: 2, author: 1 } });
  assert.equal(types(await whole.readStream('event-2')), ['OfOthers']);
});

test('a page of the log ends before the set in both directions, and so does the log', async ({ store, whole }) => {
  await append(store, 'event-1', 'Before');
  await begin(store);
  await append(store, 'event-1', 'OfSet', OF_SET);
  await append(store, 'event-2', 'OfOthers');
  const prefixes = ['event-'];
  const read = async (direction: 'forwards' | 'backwards') =>
    types(await whole.readAll({ after: LOG_START, prefixes, limit: 10, direction }));
  assert.equal([await read('forwards'), await read('backwards')], [['Before'], ['Before']]);
  const upTo = await whole.head();
  assert.is((await store.readStream(AGENDA))[0]?.position, upTo);
  await end(store);
  assert.equal(await read('backwards'), ['OfOthers', 'OfSet', 'Before']);
  assert.is(await whole.head(), await store.head());
});

test('the beginning of a set is found behind others that have been scheduled since', async ({ store, whole }) => {
  await append(store, 'event-1', 'Before');
  await begin(store);
  for (let other = 0; other < 20; other++) await append(store, AGENDA, 'ChangeSetAnnounced');
  await append(store, 'event-1', 'OfSet', OF_SET);
  assert.equal(types(await whole.readStream('event-1')), ['Before']);
});

test('an end that came after the end was asked for does not count', async ({ store }) => {
  await append(store, 'event-1', 'Before');
  await begin(store);
  await append(store, 'event-1', 'OfSet', OF_SET);
  const head = await store.head();
  await end(store);
  const late = { head: async () => head, readStream: store.readStream };
  assert.is(await wholeHead(late), (await store.readStream(AGENDA))[0]?.position);
});

test('streams of one moment stay as they were, however they are read and whatever is written', async ({ store }) => {
  await append(store, 'event-1', 'Before');
  const then = await streamsOfNow(store);
  await append(store, 'event-1', 'Later');
  await append(store, 'event-2', 'Later');
  assert.equal(types(await then.readStream('event-1')), ['Before']);
  assert.equal(types(await then.readStream('event-1', { direction: 'backwards', limit: 1 })), ['Before']);
  assert.equal(types(await then.readStream('event-2')), []);
  const now = await streamsOfNow(store);
  assert.equal(types(await now.readStream('event-1')), ['Before', 'Later']);
});

test('of a set that ends behind that moment they show nothing, and of what others wrote before it all', async ({
  store,
}) => {
  await append(store, 'event-1', 'Before');
  await begin(store);
  await append(store, 'event-1', 'OfSet', OF_SET);
  await append(store, 'event-2', 'OfOthers', { proposal: { id: 2, author: 1 } });
  const amid = await streamsOfNow(store);
  await append(store, 'event-3', 'OfSet', OF_SET);
  await end(store);
  for (let other = 0; other < 20; other++) await append(store, AGENDA, 'ChangeSetAnnounced');
  assert.equal(types(await amid.readStream('event-1')), ['Before']);
  assert.equal(types(await amid.readStream('event-2')), ['OfOthers']);
  assert.equal(types(await amid.readStream('event-3')), []);
  const behind = await streamsOfNow(store);
  assert.equal(types(await behind.readStream('event-1')), ['Before', 'OfSet']);
  assert.equal(types(await behind.readStream('event-3')), ['OfSet']);
});

test.run();
