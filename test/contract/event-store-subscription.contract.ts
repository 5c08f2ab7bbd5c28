// The part of the event store's contract that is about subscriptions; run through event-store.contract.ts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type Position, type RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { endOf } from '../support/ends.ts';
import { newEvents } from '../support/events.ts';
import type { OpenedStore } from './event-store.contract.ts';

export function subscriptionContract(name: string, open: () => Promise<OpenedStore>): void {
  const test = suite<OpenedStore>(`event store, subscriptions: ${name}`);

  test.before.each(async (context) => {
    Object.assign(context, await open());
  });
  test.after.each(async (context) => {
    await context.cleanup();
  });

  test('a subscription delivers what is stored, then new events, in order and without gaps', async ({ store }) => {
    await write(store, 'event-1', 5);
    const reading = read(store, { count: 9 });
    await write(store, 'venue-1', 1);
    await write(store, 'event-1', 3);
    const events = (await reading).flat();
    assert.equal(events, await store.readAll({ after: LOG_START, limit: 100 }));
  });

  test('a subscription at the end of the log is woken by each append', async ({ store }) => {
    await write(store, 'event-1', 1);
    const subscription = subscribe(store, { after: await store.head() });
    for (const stream of ['event-2', 'event-3', 'event-4']) {
      const next = subscription.next();
      await write(store, stream, 1);
      assert.equal(((await next).value ?? []).map(streamOf), [stream]);
    }
    await subscription.end();
  });

  test('a subscription starts after the position it is given', async ({ store }) => {
    await write(store, 'event-1', 4);
    const [, second] = await store.readAll({ after: LOG_START, limit: 2 });
    const events = (await read(store, { after: second?.position ?? '', count: 2 })).flat();
    assert.equal(
      events.map((event) => event.revision),
      [2, 3],
    );
  });

  test('no batch is longer than asked for, and none is empty', async ({ store }) => {
    await write(store, 'event-1', 25);
    const batches = await read(store, { batchSize: 10, count: 25 });
    assert.ok(batches.every((batch) => batch.length > 0 && batch.length <= 10));
    assert.is(batches.flat().length, 25);
  });

  test('a subscription with prefixes passes over everything else, before and after it is live', async ({ store }) => {
    await write(store, 'slug-event-a', 3);
    await write(store, 'event-1', 1);
    const subscription = subscribe(store, { prefixes: ['event-', 'venue-'] });
    assert.equal(((await subscription.next()).value ?? []).map(streamOf), ['event-1']);
    const next = subscription.next();
    await write(store, 'slug-event-a', 3);
    await write(store, 'venue-1', 1);
    assert.equal(((await next).value ?? []).map(streamOf), ['venue-1']);
    await subscription.end();
  });

  test('events of a kind that is new to the log reach a subscription that waits for that kind', async ({ store }) => {
    const subscription = subscribe(store, { prefixes: ['organizer-'] });
    const next = subscription.next();
    await write(store, 'event-1', 1);
    await write(store, 'organizer-1', 1);
    assert.equal(((await next).value ?? []).map(streamOf), ['organizer-1']);
    await subscription.end();
  });

  test('two subscriptions each get everything', async ({ store }) => {
    const readings = [read(store, { count: 20 }), read(store, { count: 20, batchSize: 3 })];
    for (let index = 0; index < 10; index += 1) await write(store, `event-${index}`, 2);
    for (const batches of await Promise.all(readings)) {
      assert.equal(batches.flat(), await store.readAll({ after: LOG_START, limit: 100 }));
    }
  });

  test('aborting ends a waiting subscription without an error', async ({ store }) => {
    const subscription = subscribe(store, {});
    const next = subscription.next();
    subscription.abort();
    assert.is((await next).done, true);
  });

  test('aborting between two batches ends the subscription before the next one', async ({ store }) => {
    await write(store, 'event-1', 4);
    const subscription = subscribe(store, { batchSize: 2 });
    assert.is((await subscription.next()).value?.length, 2);
    subscription.abort();
    assert.is((await subscription.next()).done, true);
  });

  test('a subscription with a signal that is aborted already delivers nothing', async ({ store }) => {
    await write(store, 'event-1', 1);
    const subscription = subscribe(store, {});
    subscription.abort();
    assert.is((await subscription.next()).done, true);
  });

  test('leaving the loop ends a subscription and leaves the store usable', async ({ store }) => {
    await write(store, 'event-1', 4);
    const signal = new AbortController().signal;
    for await (const batch of store.subscribe({ after: LOG_START, batchSize: 1, signal })) {
      assert.is(batch.length, 1);
      break;
    }
    await write(store, 'event-1', 1);
    assert.is((await store.readStream('event-1')).length, 5);
  });

  test.run();
}

interface Wanted {
  readonly after?: Position;
  readonly prefixes?: readonly string[];
  readonly batchSize?: number;
}

function subscribe(store: EventStore, { after = LOG_START, batchSize = 100, ...rest }: Wanted) {
  const controller = new AbortController();
  const options = { after, batchSize, signal: controller.signal, ...rest };
  const iterator = store.subscribe(options)[Symbol.asyncIterator]();
  return {
    next: (): Promise<IteratorResult<readonly RecordedEvent[], undefined>> => iterator.next(),
    abort: () => controller.abort(),
    async end(): Promise<void> {
      controller.abort();
      await iterator.next();
    },
  };
}

/** Batches until `count` events have come. */
async function read(store: EventStore, { count, ...wanted }: Wanted & { readonly count: number }) {
  const subscription = subscribe(store, wanted);
  const batches: (readonly RecordedEvent[])[] = [];
  while (batches.flat().length < count) {
    const { value } = await subscription.next();
    if (value === undefined) throw new Error('the subscription has ended');
    batches.push(value);
  }
  await subscription.end();
  return batches;
}

async function write(store: EventStore, stream: string, count: number): Promise<void> {
  await store.append([{ stream, expected: await endOf(store, stream), events: newEvents(count) }]);
}

const streamOf = (event: RecordedEvent) => event.stream;
