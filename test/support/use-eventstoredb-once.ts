// Run as a process of its own: uses an event store in every way, closes it, and has nothing left to wait for.
import { LOG_START } from '../../src/log/envelope.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { endOf } from './ends.ts';
import { newEvents } from './events.ts';

const store = await openEventStoreDb({ connectionString: process.argv[2] ?? '' });
await store.probe();
await store.append([{ stream: 'event-1', expected: await endOf(store, 'event-1'), events: newEvents(2) }]);
await store.readStream('event-1');
const { signal } = new AbortController();
const subscription = store.subscribe({ after: LOG_START, batchSize: 10, signal })[Symbol.asyncIterator]();
await subscription.next();
const waiting = subscription.next();
await store.close();
if ((await waiting).done !== true) process.exitCode = 1;
