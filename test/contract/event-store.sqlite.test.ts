import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { newEvent } from '../support/events.ts';
import { eventStoreContract } from './event-store.contract.ts';
import { contractOverSqlite } from './event-store-engines.ts';

contractOverSqlite('SQLite file', (store) => store);

eventStoreContract('SQLite in memory', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  return { store, batches: 'atomic', reopen: async () => store, cleanup: () => store.close() };
});

test('a log in a file ends a page with the text that makes it too long', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  const events = Array.from({ length: 6 }, () => newEvent('SomethingHappened', { text: 'x'.repeat(1_000) }));
  await store.append([{ stream: 'event-1', expected: 'no_stream', events }]);
  const pages = [1, 3_000, 1_000_000].map((maxCharacters) =>
    store.readAll({ after: LOG_START, limit: 10, prefixes: ['event-'], maxCharacters }),
  );
  assert.equal(
    (await Promise.all(pages)).map(({ length }) => length),
    [1, 3, 6],
  );
  await store.close();
});

test('a log in a file ends a batch of streams behind long texts, and splits no stream', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  for (const stream of ['event-1', 'event-2', 'event-3', 'event-4', 'event-5']) {
    const events = [1, 2].map(() => newEvent('SomethingHappened', { text: 'x'.repeat(250_000) }));
    await store.append([{ stream, expected: 'no_stream', events }]);
  }
  const batches: string[] = [];
  for await (const batch of store.readByStream({ upTo: await store.head(), prefixes: ['event-'] }))
    batches.push(batch.map(({ stream, revision }) => `${stream}@${revision}`).join(' '));
  assert.equal(
    batches,
    [1, 2, 3, 4, 5].map((id) => `event-${id}@0 event-${id}@1`),
  );
  await store.close();
});

test.run();
