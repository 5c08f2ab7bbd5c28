// The contract over EventStoreDB: the one in test/support, or a real one that DAYBOOK_TEST_ESDB names.
import { openEventStoreDb } from '../../src/event-store/eventstoredb.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { withOwnStreams } from '../support/own-streams.ts';
import { eventStoreContract } from './event-store.contract.ts';

const real = process.env.DAYBOOK_TEST_ESDB;

if (real === undefined) {
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
} else {
  eventStoreContract('EventStoreDB, a real one', async () => {
    let store = openEventStoreDb({ connectionString: real });
    const own = await withOwnStreams(store);
    return {
      store: own.around(store),
      batches: 'in order',
      async reopen() {
        await store.close();
        store = openEventStoreDb({ connectionString: real });
        return own.around(store);
      },
      cleanup: () => store.close(),
    };
  });
}
