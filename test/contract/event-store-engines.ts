// The contract of the event store over both engines, with a layer around each.
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { temporaryDirectory } from '../support/events.ts';
import { SCHEME, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { eventStoreContract } from './event-store.contract.ts';

/** `directory`: for files of the layer. */
type Layer = (inner: EventStore, directory: string) => EventStore;

export function contractOverSqlite(name: string, around: Layer): void {
  eventStoreContract(name, async () => {
    const { directory, remove } = await temporaryDirectory();
    return reopened(
      'atomic',
      async () => around(openSqliteEventStore({ file: join(directory, 'log.db') }), directory),
      remove,
    );
  });
}

/** What the client of the tests leaves of a unit that meets a conflict. */
export const BATCHES = SCHEME === 'kurrentdb' ? 'atomic' : 'in order';

export function contractOverEventStoreDb(name: string, around: Layer = (inner) => inner): void {
  eventStoreContract(name, async () => {
    const { connectionString, stop } = await startEventStoreDb();
    const { directory, remove } = await temporaryDirectory();
    const end = () => Promise.all([stop(), remove()]);
    return reopened(BATCHES, async () => around(await openEventStoreDb({ connectionString }), directory), end);
  });
}

async function reopened<Batches extends string>(
  batches: Batches,
  open: () => Promise<EventStore>,
  end: () => Promise<unknown>,
) {
  let store = await open();
  return {
    store,
    batches,
    async reopen() {
      await store.close();
      store = await open();
      return store;
    },
    async cleanup() {
      await store.close();
      await end();
    },
  };
}

/** The store, with every event that it reads as `change` makes it. */
export function reading(store: EventStore, change: (event: RecordedEvent) => RecordedEvent): EventStore {
  return {
    append: store.append,
    head: store.head,
    close: store.close,
    readStream: async (stream, options) => (await store.readStream(stream, options)).map(change),
    readAll: async (options) => (await store.readAll(options)).map(change),
    async *readByStream(options) {
      for await (const batch of store.readByStream(options)) yield batch.map(change);
    },
    async *subscribe(options) {
      for await (const batch of store.subscribe(options)) yield batch.map(change);
    },
  };
}
