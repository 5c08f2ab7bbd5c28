import { join } from 'node:path';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { temporaryDirectory } from '../support/events.ts';
import { eventStoreContract } from './event-store.contract.ts';

eventStoreContract('SQLite file', async () => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'log.db');
  let store = openSqliteEventStore({ file });
  return {
    store,
    batches: 'atomic',
    async reopen() {
      await store.close();
      store = openSqliteEventStore({ file });
      return store;
    },
    async cleanup() {
      await store.close();
      await remove();
    },
  };
});

eventStoreContract('SQLite in memory', async () => {
  const store = openSqliteEventStore({ file: ':memory:' });
  return { store, batches: 'atomic', reopen: async () => store, cleanup: () => store.close() };
});
