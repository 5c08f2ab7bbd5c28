// What the client of EventStoreDB does by itself against a server: the yardstick of what is written to and read from one.
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { percentile } from './load.ts';

export interface BareRun {
  readonly perSecond: number;
  /** Milliseconds; of appends only. */
  readonly p50: number;
  /** Milliseconds of processor time of this process, for each. */
  readonly work: number;
}

/** As large as the fact of an event that `POST` creates. */
const DATA = { title: 'Event', description: 'First set at eight.', note: 'x'.repeat(700) };
const METADATA = { actor: { id: 1, name: '' }, note: 'x'.repeat(250) };

const workOfProcess = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Appends of one event, a new stream each time, `clients` at once. */
export async function bareAppends(connectionString: string, clients: number, seconds: number): Promise<BareRun> {
  const client = EventStoreDBClient.connectionString(connectionString);
  const durations: number[] = [];
  const began = performance.now();
  const before = workOfProcess();
  const appendOn = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1_000) {
      const started = performance.now();
      const event = jsonEvent({ id: randomUUID(), type: 'BareAppend', data: DATA, metadata: METADATA });
      await client.appendToStream(`bare-${randomUUID()}`, event, { expectedRevision: NO_STREAM });
      durations.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, appendOn));
  const elapsed = (performance.now() - began) / 1_000;
  const work = workOfProcess() - before;
  await client.dispose();
  return { perSecond: durations.length / elapsed, p50: percentile(durations, 0.5), work: work / durations.length };
}

/** Reads the whole log. */
export async function bareReadAll(connectionString: string): Promise<BareRun> {
  const client = EventStoreDBClient.connectionString(connectionString);
  const began = performance.now();
  const before = workOfProcess();
  let count = 0;
  for await (const _ of client.readAll()) count += 1;
  const elapsed = (performance.now() - began) / 1_000;
  const work = workOfProcess() - before;
  await client.dispose();
  return { perSecond: count / elapsed, p50: 0, work: work / count };
}
