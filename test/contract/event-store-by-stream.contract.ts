// What every adapter of the event store must do when the log is read stream by stream.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type Position, type RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore, ReadByStreamOptions } from '../../src/log/event-store.ts';
import { endOf } from '../support/ends.ts';
import { newEvents } from '../support/events.ts';
import type { OpenedStore } from './event-store.contract.ts';

const MANY_STREAMS = 75;
const STREAM_LENGTH = 28;

/** Registers and runs the rules of `readByStream` for one adapter. */
export function byStreamContract(name: string, open: () => Promise<OpenedStore>): void {
  const test = suite<OpenedStore>(`event store, by stream: ${name}`);

  test.before.each(async (context) => {
    Object.assign(context, await open());
  });
  test.after.each(async (context) => {
    await context.cleanup();
  });

  test('an empty log has no streams', async ({ store }) => {
    assert.equal(await batchesOf(store, { upTo: LOG_START }), []);
    await write(store, 'event-1', 1);
    assert.equal(await batchesOf(store, { upTo: LOG_START }), []);
    assert.equal(await batchesOf(store, { upTo: await store.head(), prefixes: ['venue-'] }), []);
  });

  test('each stream comes in one piece, in order, with events as the log has them', async ({ store }) => {
    const streams = ['event-1', 'venue-1', 'event-2', 'event-10', 'Event-1', 'slug-event-é"🎷'];
    for (let round = 1; round <= 3; round++) for (const stream of streams) await write(store, stream, round);
    const batches = await batchesOf(store, { upTo: await store.head() });
    assertWhole(batches);
    const events = batches.flat();
    assert.equal(new Set(events.map(({ stream }) => stream)), new Set(streams));
    for (const stream of streams) assert.equal(ofStream(events, stream), await store.readStream(stream));
  });

  test('what lies behind the position is left out, and streams that only lie there', async ({ store }) => {
    await write(store, 'event-1', 2);
    await write(store, 'event-2', 1);
    const upTo = await store.head();
    await write(store, 'event-1', 2);
    await write(store, 'event-3', 1);
    const events = (await batchesOf(store, { upTo })).flat();
    assert.equal(ofStream(events, 'event-1'), (await store.readStream('event-1')).slice(0, 2));
    assert.equal(ofStream(events, 'event-2'), await store.readStream('event-2'));
    assert.is(events.length, 3);
  });

  test('a position within a stream cuts it there', async ({ store }) => {
    await write(store, 'event-1', 5);
    const written = await store.readStream('event-1');
    const upTo = written[2]?.position ?? '';
    assert.equal((await batchesOf(store, { upTo })).flat(), written.slice(0, 3));
  });

  test('prefixes choose streams by the beginning of their names, each once', async ({ store }) => {
    const streams = ['event-1', 'slug-event-a', 'venue-1', 'event-12', 'ids-post', 'eventless', 'slug-venue-b'];
    for (const stream of streams) await write(store, stream, 1);
    const upTo = await store.head();
    const read = async (...prefixes: string[]): Promise<string[]> =>
      (await batchesOf(store, { upTo, prefixes }))
        .flat()
        .map(({ stream }) => stream)
        .sort();
    assert.equal(await read(), [...streams].sort());
    assert.equal(await read('event-'), ['event-1', 'event-12']);
    assert.equal(await read('venue-', 'event-'), ['event-1', 'event-12', 'venue-1']);
    assert.equal(await read('event'), ['event-1', 'event-12', 'eventless']);
    assert.equal(await read('event-12', 'event-1', 'event-', 'event-'), ['event-1', 'event-12']);
    assert.equal(await read('slug-event-', 'ids-post'), ['ids-post', 'slug-event-a']);
    assert.equal(await read('organizer-', '_', '%'), []);
  });

  test('many and long streams come in several batches, none of which splits a stream', async ({ store }) => {
    const sizes = Array.from({ length: 70 }, (_, index) => [`event-${index}`, 1 + 15 * (index % 3)] as const);
    await Promise.all(sizes.map(([stream, count]) => write(store, stream, count)));
    await write(store, 'event-5', 2_500);
    await write(store, 'venue-5', 2_500);
    const batches = await batchesOf(store, { upTo: await store.head(), prefixes: ['event-', 'venue-'] });
    assert.ok(batches.length > 1);
    assertWhole(batches);
    const events = batches.flat();
    assert.is(
      events.length,
      sizes.reduce((sum, [, count]) => sum + count, 5_000),
    );
    for (const stream of ['event-5', 'venue-5', 'event-69'])
      assert.equal(ofStream(events, stream), await store.readStream(stream));
  });

  test('appends while it is read change nothing of what it delivers', async ({ store }) => {
    await writeMany(store);
    const upTo = await store.head();
    const seen: RecordedEvent[] = [];
    for await (const batch of store.readByStream({ upTo })) {
      if (seen.length === 0)
        for (let index = 0; index < MANY_STREAMS + 5; index += 5) await write(store, `event-${index}`, 1);
      seen.push(...batch);
    }
    assert.is(seen.length, MANY_STREAMS * STREAM_LENGTH);
    assert.ok(seen.every(({ revision, position }) => revision < STREAM_LENGTH && position <= upTo));
  });

  test('reading can stop early', async ({ store }) => {
    await writeMany(store);
    for await (const batch of store.readByStream({ upTo: await store.head() })) {
      assert.ok(batch.length > 0);
      break;
    }
    await write(store, 'event-1', 1);
    assert.is((await store.readStream('event-1')).length, STREAM_LENGTH + 1);
  });

  test.run();
}

/** More events than an adapter delivers in one batch. */
async function writeMany(store: EventStore): Promise<void> {
  const streams = Array.from({ length: MANY_STREAMS }, (_, index) => `event-${index}`);
  await Promise.all(streams.map((stream) => write(store, stream, STREAM_LENGTH)));
}

async function write(store: EventStore, stream: string, count: number): Promise<Position> {
  await store.append([{ stream, expected: await endOf(store, stream), events: newEvents(count) }]);
  return store.head();
}

async function batchesOf(store: EventStore, options: ReadByStreamOptions): Promise<(readonly RecordedEvent[])[]> {
  const batches: (readonly RecordedEvent[])[] = [];
  for await (const batch of store.readByStream(options)) batches.push(batch);
  return batches;
}

const ofStream = (events: readonly RecordedEvent[], wanted: string): RecordedEvent[] =>
  events.filter(({ stream }) => stream === wanted);

/** Every stream lies in one batch, in one piece, in the order of its revisions. */
function assertWhole(batches: readonly (readonly RecordedEvent[])[]): void {
  const ended = new Set<string>();
  for (const batch of batches) {
    assert.ok(batch.length > 0);
    for (const [index, { stream, revision }] of batch.entries()) {
      const before = batch[index - 1];
      if (before?.stream === stream) assert.is(revision, before.revision + 1);
      else assert.is(revision, 0);
      assert.not(ended.has(stream), stream);
      if (batch[index + 1]?.stream !== stream) ended.add(stream);
    }
  }
}
