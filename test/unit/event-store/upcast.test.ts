import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Json, LOG_START, type NewEvent, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import {
  currentSchemaVersion,
  newestVersion,
  UnknownSchemaVersion,
  type Upcasters,
  upcasters,
} from '../../../src/log/upcasting/upcast.ts';
import { endOf } from '../../support/ends.ts';
import { newEvent } from '../../support/events.ts';
import { withUpcasting } from '../../support/pipelines.ts';

interface Context {
  store: EventStore;
}

const test = suite<Context>('upcasting');
const threeVersions: Upcasters = {
  Named: {
    1: (data) => ({ title: data }),
    2: (data) => ({ ...(data as { title: string }), language: 'en' }),
  },
};

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
});
test.after.each((context) => context.store.close());

async function put(store: EventStore, type: string, schemaVersion: number, data: Json): Promise<void> {
  await store.append([
    {
      stream: 'venue-1',
      expected: await endOf(store, 'venue-1'),
      events: [{ ...newEvent(type, data), schemaVersion }],
    },
  ]);
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('nothing failed'),
    (error: Error) => error,
  );
}

const shapeOf = ({ schemaVersion, data }: RecordedEvent) => [schemaVersion, data];

test('a relocation of version 1 is read as version 2 with its region', async ({ store }) => {
  const fixture = new URL('../../fixtures/events/venue-relocated.v1.json', import.meta.url);
  const event = JSON.parse(await readFile(fixture, 'utf8')) as NewEvent;
  await store.append([{ stream: 'venue-1', expected: 'no_stream', events: [event] }]);
  const [read] = await withUpcasting(store, upcasters).readStream('venue-1');
  assert.is(read?.schemaVersion, 2);
  assert.equal(read?.data, { ...(event.data as object), stateprovince: 'West Yorkshire' });
  assert.equal(read?.metadata, event.metadata);
  assert.equal((await store.readStream('venue-1'))[0]?.data, event.data);
});

test('a rescheduling of version 1 is read as it was: it had no notice', async ({ store }) => {
  const fixture = new URL('../../fixtures/events/event-rescheduled.v1.json', import.meta.url);
  const event = JSON.parse(await readFile(fixture, 'utf8')) as NewEvent;
  await store.append([{ stream: 'event-1', expected: 'no_stream', events: [event] }]);
  const [read] = await withUpcasting(store, upcasters).readStream('event-1');
  assert.equal(read && shapeOf(read), [2, event.data]);
});

const regions: readonly [country: string, state: string, province: string, expected: string][] = [
  ['', 'Ohio', 'Ontario', 'Ohio'],
  ['US', 'Ohio', 'Ontario', 'Ohio'],
  ['United States', 'Ohio', '', 'Ohio'],
  ['United States', '', 'Ontario', ''],
  ['Canada', 'Ohio', 'Ontario', 'Ontario'],
  ['Canada', 'Ohio', '', ''],
];
for (const [country, state, province, expected] of regions) {
  test(`the region of "${country}" with state "${state}" and province "${province}" is "${expected}"`, () => {
    const lifted = upcasters.VenueRelocated?.[1]?.({ country, state, province }) as { stateprovince: string };
    assert.is(lifted.stateprovince, expected);
  });
}

test('writers store the version after the last step, and version 1 of what never changed', () => {
  assert.is(currentSchemaVersion('VenueRelocated'), 2);
  assert.is(currentSchemaVersion('EventPublished'), 1);
  assert.is(currentSchemaVersion('constructor'), 1);
  assert.is(newestVersion(threeVersions, 'Named'), 3);
});

test('every way of reading lifts step by step from whatever version is stored', async ({ store }) => {
  await put(store, 'Named', 1, 'Hall');
  await put(store, 'Named', 2, { title: 'Barn' });
  await put(store, 'Named', 3, { title: 'Grange', language: 'fr' });
  await put(store, 'Other', 1, 'untouched');
  const lifting = withUpcasting(store, threeVersions);
  const expected = [
    [3, { title: 'Hall', language: 'en' }],
    [3, { title: 'Barn', language: 'en' }],
    [3, { title: 'Grange', language: 'fr' }],
    [1, 'untouched'],
  ];
  assert.equal((await lifting.readStream('venue-1')).map(shapeOf), expected);
  assert.equal((await lifting.readAll({ after: LOG_START, limit: 10 })).map(shapeOf), expected);
  const { signal } = new AbortController();
  for await (const batch of lifting.subscribe({ after: LOG_START, batchSize: 10, signal })) {
    assert.equal(batch.map(shapeOf), expected);
    break;
  }
  assert.is(await lifting.head(), await store.head());
});

test('an event of a version from the future ends the read of its stream, naming type, version and place', async ({
  store,
}) => {
  await put(store, 'Named', 4, {});
  const failure = await failureOf(withUpcasting(store, threeVersions).readStream('venue-1'));
  assert.instance(failure, UnknownSchemaVersion);
  assert.match(failure.message, /Named in version 4 \(venue-1 revision 0.*up to version 3.*or a newer one/);
  assert.is((failure as UnknownSchemaVersion).position, await store.head());
});

test('a type without steps has version 1 only', async ({ store }) => {
  await put(store, 'Other', 2, {});
  assert.instance(await failureOf(withUpcasting(store, threeVersions).readStream('venue-1')), UnknownSchemaVersion);
});

/** Every way of reading the log as a whole. */
const readsOfTheLog: readonly (readonly [
  name: string,
  read: (store: EventStore) => Promise<readonly RecordedEvent[]>,
])[] = [
  ['readAll', (store) => store.readAll({ after: LOG_START, limit: 10 })],
  ['readByStream', async (store) => firstOf(store.readByStream({ upTo: await store.head() }))],
  [
    'subscribe',
    (store) => firstOf(store.subscribe({ after: LOG_START, batchSize: 10, signal: new AbortController().signal })),
  ],
];

const breaks = (): never => {
  throw new TypeError('no such member');
};

async function firstOf(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> {
  for await (const batch of batches) return batch;
  return [];
}

for (const [name, read] of readsOfTheLog)
  test(`${name} delivers what cannot be lifted, with everything but its data, and what follows`, async ({ store }) => {
    await put(store, 'Named', 3, 'first');
    await put(store, 'Named', 4, 'of the future');
    await put(store, 'Broken', 1, 'unlike its version');
    await put(store, 'Named', 3, 'last');
    const breaking: Upcasters = { ...threeVersions, Broken: { 1: breaks } };
    const events = await read(withUpcasting(store, breaking));
    assert.equal(
      events.map(({ type, schemaVersion, revision }) => [type, schemaVersion, revision]),
      [
        ['Named', 3, 0],
        ['Named', 4, 1],
        ['Broken', 1, 2],
        ['Named', 3, 3],
      ],
    );
    assert.equal([events[0]?.data, events[3]?.data], ['first', 'last']);
    assert.throws(() => events[1]?.data, /Named in version 4/);
    assert.throws(() => events[2]?.data, /no such member/);
    assert.throws(() => ({ ...events[1] }), /Named in version 4/, 'no copy goes without a word either');
  });

test('steps with a gap are refused before anything is read', ({ store }) => {
  assert.throws(() => withUpcasting(store, { Named: { 2: (data) => data } }), /Named from version 1/);
});

test.run();
