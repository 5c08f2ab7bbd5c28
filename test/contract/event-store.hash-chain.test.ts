// A sealed store keeps every promise of the port. Hashes are taken off what it reads: the contract says that an event is
// read as it was written, and test/unit/event-store/hash-chain.test.ts what is added.
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/event-store/envelope.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openEventStoreDb } from '../../src/event-store/eventstoredb/store.ts';
import { withHashChain } from '../../src/event-store/hash-chain/hash-chain.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { temporaryDirectory } from '../support/events.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { eventStoreContract } from './event-store.contract.ts';

function bare({ metadata: { hash, ...metadata }, ...event }: RecordedEvent): RecordedEvent {
  if (hash === undefined) throw new Error(`${event.stream} ${event.revision} is not sealed`);
  return { ...event, metadata };
}

function sealed(inner: EventStore): EventStore {
  const store = withHashChain(inner);
  return {
    append: store.append,
    head: store.head,
    close: store.close,
    readStream: async (stream, options) => (await store.readStream(stream, options)).map(bare),
    readAll: async (options) => (await store.readAll(options)).map(bare),
    async *readByStream(options) {
      for await (const batch of store.readByStream(options)) yield batch.map(bare);
    },
    async *subscribe(options) {
      for await (const batch of store.subscribe(options)) yield batch.map(bare);
    },
  };
}

eventStoreContract('sealed, SQLite file', async () => {
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'log.db');
  let store = sealed(openSqliteEventStore({ file }));
  return {
    store,
    batches: 'atomic',
    async reopen() {
      await store.close();
      store = sealed(openSqliteEventStore({ file }));
      return store;
    },
    async cleanup() {
      await store.close();
      await remove();
    },
  };
});

eventStoreContract('sealed, EventStoreDB', async () => {
  const server = await startEventStoreDb();
  const open = () => sealed(openEventStoreDb({ connectionString: server.connectionString }));
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
