// What the tests of the EventStoreDB adapter share: a store over a server, and waiting that ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite, type Test } from 'uvu';
import { LOG_START, type RecordedEvent } from '../../src/log/envelope.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { type EventStoreDb, openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { endOf } from './ends.ts';
import { newEvents } from './events.ts';
import { type EventStoreDbServer, startEventStoreDb } from './eventstoredb-server.ts';

/** What waits for it takes so long; an answer of a healthy server comes far sooner, also on a busy machine. */
const DEADLINE_MS = 4_000;
/** Far beyond anything that is to be expected; only a test that hangs gets there. */
const PATIENCE_MS = 60_000;

/** A store over the server, with a short deadline. */
export const open = (server: EventStoreDbServer): Promise<EventStoreDb> =>
  openEventStoreDb({ connectionString: server.connectionString, deadlineMs: DEADLINE_MS });

export interface ServerContext {
  server: EventStoreDbServer;
  store: EventStoreDb;
}

/** Each test has a server of its own and a store over it. */
export function suiteOverServer(name: string): Test<ServerContext> {
  const test = suite<ServerContext>(name);
  test.before.each(async (context) => {
    context.server = await startEventStoreDb();
    context.store = await open(context.server);
  });
  test.after.each(async ({ server, store }) => {
    await store.close();
    await server.stop();
  });
  return test;
}

/** The error that work ends with; it is an error when there is none. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await within(work);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing failed');
}

/** Waits for work that may hang. */
export async function within<Result>(work: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const over = sleep(PATIENCE_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not done within ${PATIENCE_MS} ms`);
  });
  over.catch(() => undefined);
  return Promise.race([work, over]).finally(() => timer.abort());
}

/** Appends one event of its own to a stream. */
export const write = async (store: EventStore, stream: string) =>
  store.append([{ stream, expected: await endOf(store, stream), events: newEvents(1) }]);

/** Collects what a subscription delivers until it is ended. */
export function collect(store: EventStore, prefixes: readonly string[] = []) {
  const controller = new AbortController();
  const events: RecordedEvent[] = [];
  const reading = (async () => {
    const options = { after: LOG_START, prefixes, batchSize: 10, signal: controller.signal };
    for await (const batch of store.subscribe(options)) events.push(...batch);
  })();
  return {
    events,
    async until(count: number): Promise<void> {
      await within(waitFor(() => events.length >= count));
    },
    async end(): Promise<void> {
      controller.abort();
      await within(reading);
    },
  };
}

export async function waitFor(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(5);
}
