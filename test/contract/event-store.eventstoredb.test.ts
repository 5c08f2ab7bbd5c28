// The contract over EventStoreDB: the one in test/support, or each of those that DAYBOOK_TEST_ESDB names.
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { withOwnStreams } from '../support/own-streams.ts';
import { nameOf, realEventStoreDbs } from '../support/real-eventstoredb.ts';
import { eventStoreContract } from './event-store.contract.ts';
import { BATCHES, contractOverEventStoreDb } from './event-store-engines.ts';

const real = realEventStoreDbs();

if (real.length === 0) {
  contractOverEventStoreDb(`EventStoreDB, batches ${BATCHES}`);
}

for (const connectionString of real) {
  eventStoreContract(`EventStoreDB at ${nameOf(connectionString)}`, async () => {
    let store = await openEventStoreDb({ connectionString });
    const own = await withOwnStreams(store);
    return {
      store: own.around(store),
      batches: connectionString.startsWith('esdb') ? 'in order' : 'atomic',
      async reopen() {
        await store.close();
        store = await openEventStoreDb({ connectionString });
        return own.around(store);
      },
      cleanup: () => store.close(),
    };
  });
}
