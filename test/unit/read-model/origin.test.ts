import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import { type EventStore, markOf } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { originOf } from '../../../src/read-model/trust.ts';
import { newEvent } from '../../support/events.ts';

interface Context {
  store: EventStore;
  last: RecordedEvent;
}

const test = suite<Context>('origin of a read model');
test.before.each(async (context) => {
  context.store = openSqliteEventStore({ file: ':memory:' });
  await context.store.append([{ stream: 'event-1', expected: 'no_stream', events: [newEvent(), newEvent()] }]);
  const last = (await context.store.readAll({ after: LOG_START, limit: 10 })).at(-1);
  assert.ok(last);
  context.last = last;
});
test.after.each(({ store }) => store.close());

test('an empty read model is of any log', async ({ store }) =>
  assert.is(await originOf(store, { checkpoint: LOG_START, mark: '' }), 'this log'));

test('a read model whose last event the log has at its checkpoint is of this log', async ({ store, last }) =>
  assert.is(await originOf(store, { checkpoint: last.position, mark: markOf(last) }), 'this log'));

test('another event at the checkpoint reveals another log', async ({ store, last }) => {
  const other = { ...last, id: newEvent().id };
  assert.is(await originOf(store, { checkpoint: last.position, mark: markOf(other) }), 'another log');
});

test('an event unknown to the log reveals an earlier copy', async ({ store, last }) => {
  const later = { ...last, revision: last.revision + 1 };
  assert.is(await originOf(store, { checkpoint: last.position, mark: markOf(later) }), 'another log');
});

test('the event at another position reveals another log', async ({ store, last }) =>
  assert.is(await originOf(store, { checkpoint: `${last.position}0`, mark: markOf(last) }), 'another log'));

test('a read model that was found damaged has no mark, and counts as of another log', async ({ store, last }) =>
  assert.is(await originOf(store, { checkpoint: last.position, mark: '' }), 'another log'));

test.run();
