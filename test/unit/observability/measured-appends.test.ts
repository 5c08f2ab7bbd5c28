import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  AppendOutcomeUnknown,
  type EventStore,
  EventStoreUnavailable,
  type StreamAppend,
} from '../../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/store.ts';
import { type AppendObserver, measureAppends } from '../../../src/observability/measured-appends.ts';
import { newEvents } from '../../support/events.ts';

interface Context {
  store: EventStore;
  told: Parameters<AppendObserver>[0][];
  measured(store?: EventStore): EventStore;
}

const test = suite<Context>('measured store');

test.before.each((context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
  context.told = [];
  let milliseconds = 0;
  const elapsed = (): number => {
    milliseconds += 250;
    return milliseconds;
  };
  context.measured = (store = context.store) =>
    measureAppends(store, (append) => void context.told.push(append), elapsed);
});
test.after.each(({ store }) => store.close());

const toTwoStreams: readonly StreamAppend[] = [
  { stream: 'event-1', expected: 'no_stream', events: newEvents(2) },
  { stream: 'venue-2', expected: 'no_stream', events: newEvents(1) },
];

test('an append is measured by its duration and its number of events', async ({ measured, told }) => {
  const outcome = await measured().append(toTwoStreams);
  assert.is(outcome.kind, 'appended');
  assert.equal(told, [{ outcome: 'appended', seconds: 0.25, events: 3 }]);
});

test('a conflict wrote nothing', async ({ measured, told }) => {
  const outcome = await measured().append([{ stream: 'event-1', expected: 7, events: newEvents(1) }]);
  assert.is(outcome.kind, 'conflict');
  assert.equal(told, [{ outcome: 'conflict', seconds: 0.25, events: 0 }]);
});

test('a failure is counted by its kind and thrown unchanged', async ({ store, measured, told }) => {
  const failures = [new EventStoreUnavailable('away'), new AppendOutcomeUnknown('silent'), new TypeError('a fault')];
  for (const failure of failures) {
    const failing = measured({ ...store, append: () => Promise.reject(failure) });
    assert.is(await failing.append(toTwoStreams).catch((error: unknown) => error), failure);
  }
  assert.equal(
    told.map(({ outcome }) => outcome),
    ['unavailable', 'unknown', 'unknown'],
  );
});

test('everything else passes unchanged', async ({ measured }) => {
  const store = measured();
  await store.append(toTwoStreams);
  assert.is((await store.readStream('event-1')).length, 2);
  const all = await store.readAll({ after: '', limit: 9 });
  assert.is(all.length, 3);
  assert.is(await store.head(), all.at(-1)?.position);
});

test.run();
