import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/event-store/envelope.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
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

test.run();
