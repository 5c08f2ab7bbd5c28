// A store that encrypts personal data keeps every promise of the port. Hashes are taken off what it reads, as in
// event-store.hash-chain.test.ts, and so is the name of an actor who has an id: see test/unit/personal-data/store.test.ts.
import { join } from 'node:path';
import type { EventMetadata, RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openKeyRing } from '../../src/people/personal-data/facts/key-ring.ts';
import { openSqliteKeys } from '../../src/people/personal-data/facts/sqlite-keys.ts';
import { someMetadata } from '../support/events.ts';
import { withHashChain, withPersonalData } from '../support/pipelines.ts';
import { contractOverEventStoreDb, contractOverSqlite, reading } from './event-store-engines.ts';

const named = ({ hash: _, ...metadata }: EventMetadata): EventMetadata =>
  metadata.actor.id === someMetadata.actor.id ? { ...metadata, actor: someMetadata.actor } : metadata;

const bare = (event: RecordedEvent): RecordedEvent => ({ ...event, metadata: named(event.metadata) });

function encrypting(inner: EventStore, directory: string): EventStore {
  const keys = openKeyRing(openSqliteKeys({ file: join(directory, 'keys.db') }), { elapsed: () => performance.now() });
  return reading(withPersonalData(withHashChain(inner), keys), bare);
}

contractOverSqlite('with personal data, SQLite file', encrypting);
contractOverEventStoreDb('with personal data, EventStoreDB', encrypting);
