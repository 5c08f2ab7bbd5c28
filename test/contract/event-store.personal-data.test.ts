// A store that encrypts personal data keeps every promise of the port. Hashes are taken off what it reads, as in
// event-store.hash-chain.test.ts, and so is the name of whoever has an id: see test/unit/encryption/store.test.ts.
import { join } from 'node:path';
import { withPersonalData } from '../../src/event-store/encryption/encrypting-store.ts';
import { openKeyRing } from '../../src/event-store/encryption/key-ring.ts';
import { openSqliteKeys } from '../../src/event-store/encryption/sqlite-keys.ts';
import type { EventMetadata, RecordedEvent } from '../../src/event-store/envelope.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openEventStoreDb } from '../../src/event-store/eventstoredb/store.ts';
import { withHashChain } from '../../src/event-store/hash-chain/hash-chain.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { someMetadata, temporaryDirectory } from '../support/events.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { eventStoreContract } from './event-store.contract.ts';

const named = ({ hash: _, ...metadata }: EventMetadata): EventMetadata =>
  metadata.actor.id === someMetadata.actor.id ? { ...metadata, actor: someMetadata.actor } : metadata;

const bare = (event: RecordedEvent): RecordedEvent => ({ ...event, metadata: named(event.metadata) });

function encrypting(inner: EventStore, keysFile: string): EventStore {
  const keys = openKeyRing(openSqliteKeys({ file: keysFile }), { elapsed: () => performance.now() });
  const store = withPersonalData(withHashChain(inner), keys);
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

eventStoreContract('with personal data, SQLite file', async () => {
  const { directory, remove } = await temporaryDirectory();
  const open = () => encrypting(openSqliteEventStore({ file: join(directory, 'log.db') }), join(directory, 'keys.db'));
  let store = open();
  return {
    store,
    batches: 'atomic',
    async reopen() {
      await store.close();
      store = open();
      return store;
    },
    async cleanup() {
      await store.close();
      await remove();
    },
  };
});

eventStoreContract('with personal data, EventStoreDB', async () => {
  const server = await startEventStoreDb();
  const { directory, remove } = await temporaryDirectory();
  const open = () =>
    encrypting(openEventStoreDb({ connectionString: server.connectionString }), join(directory, 'keys.db'));
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
      await remove();
    },
  };
});
