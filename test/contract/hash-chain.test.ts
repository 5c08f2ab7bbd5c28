import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { canonicalJson, contentOf, GENESIS, hashOf } from '../../src/log/hash-chain/event-hash.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { newEvent, newEvents, someMetadata } from '../support/events.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { withHashChain } from '../support/pipelines.ts';

interface Context {
  raw: EventStore;
  store: EventStore;
  /** Reads that reached the store underneath. */
  reads: string[];
}

const test = suite<Context>('hash chain');

test.before.each((context) => {
  const raw = openSqliteEventStore({ file: ':memory:' });
  const reads: string[] = [];
  const watched: EventStore = {
    ...raw,
    readStream(stream, options) {
      reads.push(stream);
      return raw.readStream(stream, options);
    },
  };
  Object.assign(context, { raw, reads, store: withHashChain(watched) });
});
test.after.each(({ raw }) => raw.close());

/** The hashes that events should have, by the rule alone. */
function chainOf(events: readonly RecordedEvent[]): string[] {
  const hashes: string[] = [];
  for (const event of events) hashes.push(hashOf(hashes.at(-1) ?? GENESIS, event));
  return hashes;
}

const hashesOf = (events: readonly RecordedEvent[]) => events.map(({ metadata }) => metadata.hash);

async function isChained({ raw }: Context, stream: string): Promise<void> {
  const events = await raw.readStream(stream);
  assert.ok(events.length > 0);
  assert.equal(hashesOf(events), chainOf(events), stream);
}

test('canonical JSON orders members by code unit at every level and drops what JSON drops', () => {
  const value = { b: [{ z: 1, a: undefined, Z: null }], a: -0, é: 'é\u2028\ud800\u0001', '10': 1e21, '9': 0.1 };
  const text = '{"10":1e+21,"9":0.1,"a":0,"b":[{"Z":null,"z":1}],"é":"é\u2028\\ud800\\u0001"}';
  assert.is(canonicalJson(value), text);
  assert.is(canonicalJson([undefined, true]), '[null,true]');
  assert.is(canonicalJson(JSON.parse('{"__proto__":{"x":1}}')), '{"__proto__":{"x":1}}');
});

test('strings and numbers are spelled as JSON.stringify does', () => {
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
  );
  fc.assert(fc.property(values, (value) => assert.is(canonicalJson(value), JSON.stringify(value))));
  for (let code = 0; code < 0x100; code += 1) {
    const text = String.fromCharCode(code);
    assert.is(canonicalJson({ [text]: text }), JSON.stringify({ [text]: text }));
  }
});

for (const value of [Number.NaN, Number.POSITIVE_INFINITY, () => 1, undefined, 1n]) {
  test(`${String(value)} is no JSON`, () => assert.throws(() => canonicalJson(value), TypeError));
}

test('a hash can be made with any tool from the rule', () => {
  const event = {
    id: '5f0c',
    type: 'VenueRenamed',
    schemaVersion: 2,
    data: { name: 'Hall' },
    metadata: { ...someMetadata, hash: 'not part of it' },
    stream: 'venue-1',
    revision: 0,
  };
  const content =
    '{"data":{"name":"Hall"},"id":"5f0c","metadata":{"actor":{"id":1,"name":"Ada"},"causationId":"request-1",' +
    '"correlationId":"request-1","instant":"2026-03-01T10:00:00Z"},"revision":0,"schemaVersion":2,' +
    '"stream":"venue-1","type":"VenueRenamed"}';
  assert.is(contentOf(event), content);
  const digest = createHash('sha256')
    .update(`sha256:${'0'.repeat(64)}\n${content}`)
    .digest('hex');
  assert.is(hashOf(GENESIS, event), `sha256:${digest}`);
});

test('each event carries the hash of itself behind the one before it', async (context) => {
  const { store } = context;
  await store.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(3) }]);
  await store.append([{ stream: 'venue-1', expected: 2, events: newEvents(2) }]);
  await isChained(context, 'venue-1');
  assert.is((await store.readStream('venue-1')).length, 5);
});

test('a hash that the writer brings is replaced', async (context) => {
  const event = { ...newEvent(), metadata: { ...someMetadata, hash: 'sha256:made up' } };
  await context.store.append([{ stream: 'venue-1', expected: 'no_stream', events: [event] }]);
  await isChained(context, 'venue-1');
});

test('a stream that was read or written is appended to without a further read', async (context) => {
  const { raw, store, reads } = context;
  const elsewhere = withHashChain(raw);
  await elsewhere.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(3) }]);
  await store.readStream('venue-1');
  reads.length = 0;
  await store.append([{ stream: 'venue-1', expected: 2, events: newEvents(1) }]);
  await store.append([
    { stream: 'venue-1', expected: 3, events: newEvents(1) },
    { stream: 'venue-2', expected: 'no_stream', events: newEvents(1) },
  ]);
  assert.equal(reads, []);
  await isChained(context, 'venue-1');
});

test('a stream whose end was read backwards is appended to without a further read', async (context) => {
  const { raw, store, reads } = context;
  await withHashChain(raw).append([{ stream: 'ids-post', expected: 'no_stream', events: newEvents(3) }]);
  await store.readStream('ids-post', { direction: 'backwards', limit: 1 });
  reads.length = 0;
  await store.append([{ stream: 'ids-post', expected: 2, events: newEvents(1) }]);
  assert.equal(reads, []);
  await isChained(context, 'ids-post');
});

test('a stream that was not read costs a read of one event', async (context) => {
  const { raw, store, reads } = context;
  await withHashChain(raw).append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(3) }]);
  await store.append([{ stream: 'venue-1', expected: 2, events: newEvents(1) }]);
  assert.equal(reads, ['venue-1']);
  await isChained(context, 'venue-1');
});

test('two processes that append in turn make one chain', async (context) => {
  const other = withHashChain(context.raw);
  await context.store.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(1) }]);
  for (let revision = 0; revision < 10; revision += 1) {
    const store = revision % 3 === 0 ? other : context.store;
    await store.append([{ stream: 'venue-1', expected: revision, events: newEvents(1) }]);
  }
  await isChained(context, 'venue-1');
});

test('an append at a future revision is a conflict, even if that revision is written meanwhile', async (context) => {
  const { raw } = context;
  await withHashChain(raw).append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(1) }]);
  const racing: EventStore = {
    ...raw,
    async readStream(stream, options) {
      const events = await raw.readStream(stream, options);
      if (events.length === 0)
        await withHashChain(raw).append([{ stream: 'venue-1', expected: 0, events: newEvents(1) }]);
      return events;
    },
  };
  const outcome = await withHashChain(racing).append([{ stream: 'venue-1', expected: 1, events: newEvents(1) }]);
  assert.equal(outcome, { kind: 'conflict', stream: 'venue-1', actual: 1 });
  await isChained(context, 'venue-1');
});

test('one append may name a stream twice', async (context) => {
  await context.store.append([
    { stream: 'venue-1', expected: 'no_stream', events: newEvents(2) },
    { stream: 'venue-2', expected: 'no_stream', events: newEvents(1) },
    { stream: 'venue-1', expected: 1, events: newEvents(1) },
    { stream: 'venue-1', expected: 2, events: newEvents(1) },
  ]);
  await isChained(context, 'venue-1');
  assert.is((await context.raw.readStream('venue-1')).length, 4);
});

test('units of one turn that share an append hash it alike, whichever of them is written', async (context) => {
  const { store } = context;
  await store.append([{ stream: 'ids-post', expected: 'no_stream', events: newEvents(1) }]);
  const shared = { stream: 'ids-post', expected: 0, events: newEvents(1) } as const;
  const unit = (stream: string, expected: 'no_stream' | 7) =>
    store.append([shared, { stream, expected, events: newEvents(1) }]);
  const kinds = (
    await Promise.all([unit('event-1', 7), unit('event-2', 'no_stream'), unit('event-3', 'no_stream')])
  ).map(({ kind }) => kind);
  assert.equal(kinds, ['conflict', 'appended', 'appended']);
  for (const stream of ['ids-post', 'event-2', 'event-3']) await isChained(context, stream);
  assert.is((await context.raw.readStream('ids-post')).length, 2);
});

test('the first hash of an old stream seals everything that was recorded before', async (context) => {
  const { raw, store } = context;
  await raw.append([{ stream: 'venue-1', expected: 'no_stream', events: newEvents(1_100) }]);
  await store.readStream('venue-1');
  await store.append([{ stream: 'venue-1', expected: 1_099, events: newEvents(1) }]);
  const events = await raw.readStream('venue-1');
  assert.is(events.at(-1)?.metadata.hash, chainOf(events).at(-1));
  assert.is(events.at(-2)?.metadata.hash, undefined);
});

test('values that are not JSON are refused before anything is written', async ({ store, raw }) => {
  try {
    await store.append([{ stream: 'venue-1', expected: 'no_stream', events: [newEvent('X', { at: Number.NaN })] }]);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TypeError);
  }
  assert.equal(await raw.readStream('venue-1'), []);
});

test('hashes survive EventStoreDB, and ids in capitals do', async () => {
  const server = await startEventStoreDb();
  const raw = await openEventStoreDb({ connectionString: server.connectionString });
  try {
    const store = withHashChain(raw);
    const data = { text: 'Grüße 🎷 \u0000 \ud800', number: 1e-7, nested: { b: [null, -0], a: 12.5 } };
    const events = [newEvent('VenueRenamed', data), { ...newEvent(), id: crypto.randomUUID().toUpperCase() }];
    await store.append([{ stream: 'venue-1', expected: 'no_stream', events }]);
    await store.append([{ stream: 'venue-1', expected: 1, events: newEvents(1) }]);
    const read = await raw.readStream('venue-1');
    assert.equal(hashesOf(read), chainOf(read));
    assert.is(read.length, 3);
  } finally {
    await raw.close();
    await server.stop();
  }
});

test.run();
