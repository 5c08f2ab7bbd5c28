// A store that hashes keeps every promise of the port. Hashes are taken off what it reads: the contract says that an event is
// read as it was written, and test/unit/event-store/hash-chain.test.ts what is added.
import type { RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { withHashChain } from '../support/pipelines.ts';
import { contractOverEventStoreDb, contractOverSqlite, reading } from './event-store-engines.ts';

function bare({ metadata: { hash, ...metadata }, ...event }: RecordedEvent): RecordedEvent {
  if (hash === undefined) throw new Error(`${event.stream} ${event.revision} has no hash`);
  return { ...event, metadata };
}

const hashing = (inner: EventStore): EventStore => reading(withHashChain(inner), bare);

contractOverSqlite('hashed, SQLite file', hashing);
contractOverEventStoreDb('hashed, EventStoreDB', hashing);
