// The contract over EventStoreDB: the one in test/support, or each of those that DAYBOOK_TEST_ESDB names.
import { openEventStoreDb } from '../../src/event-store/eventstoredb/store.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { withOwnStreams } from '../support/own-streams.ts';
import { nameOf, realEventStoreDbs } from '../support/real-eventstoredb.ts';
import { eventStoreContract } from './event-store.contract.ts';

const real = realEventStoreDbs();

if (real.length === 0) {
  eventStoreContract('EventStoreDB', async () => {
    const server = await startEventStoreDb();
    const open = () => openEventStoreDb({ connectionString: server.connectionString });
    let store = open();
    return {
      store,
      batches: 'in order',
      async reopen() {
        await store.close();
        store = open();
        return store;
      },
      async cleanup() {
        await store.close();
        await server.stop();
      },
    };
  });
}

for (const connectionString of real) {
  eventStoreContract(`EventStoreDB at ${nameOf(connectionString)}`, async () => {
    let store = openEventStoreDb({ connectionString });
    const own = await withOwnStreams(store);
    return {
      store: own.around(store),
      batches: 'in order',
      async reopen() {
        await store.close();
        store = openEventStoreDb({ connectionString });
        return own.around(store);
      },
      cleanup: () => store.close(),
    };
  });
}
