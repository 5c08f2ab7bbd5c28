// What threads that apply projections to a log have in common, as seen from within; see log-threads.ts.
import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { legible } from '../src/event-store/encryption/encrypting-store.ts';
import { openKeyRing } from '../src/event-store/encryption/key-ring.ts';
import { openKeys } from '../src/event-store/encryption/open-keys.ts';
import { type EventStore, EventStoreUnavailable } from '../src/event-store/event-store.ts';
import type { LogAddress } from '../src/event-store/log-address.ts';
import { withOccurrences } from '../src/event-store/occurrences.ts';
import { pipeline } from '../src/event-store/pipeline.ts';
import { openSqliteEventStore } from '../src/event-store/sqlite/store.ts';
import { elapsed } from '../src/time/system.ts';
import { resolveZone } from '../src/time/zone.ts';
import { allProjections } from './catalogue.ts';
import { type FromThread, failureOf, type LogSource, type LogTask } from './log-threads.ts';
import type { AnyProjection } from './projection.ts';

/** Resolves when the other thread is no more than a few messages behind. */
type Send<Sent> = (sent: Sent) => Promise<void>;

interface OpenedLog {
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly rendering: LogSource['rendering'];
}

/**
 * Opens the log, works on it and closes it. Sends at most `maxAhead` messages that were not taken, and as the last one
 * why the work failed. The parent thread ends this one.
 */
export async function workOnLog<Sent>(
  { log, rendering: { siteZone: zone, ...rest } }: LogTask,
  maxAhead: number,
  work: (opened: OpenedLog, send: Send<Sent>) => Promise<void>,
): Promise<void> {
  const send = sender<Sent>(maxAhead);
  try {
    const siteZone = resolveZone(zone);
    if (!siteZone) throw new Error(`there is no zone ${zone}`);
    const rendering = { ...rest, siteZone };
    const store = await openLog(log);
    try {
      await work({ store, projections: allProjections(rendering), rendering }, send);
    } finally {
      await store.close();
    }
  } catch (error) {
    post({ failure: failureOf(error) });
  }
}

const post = (message: FromThread<unknown>): void => parentPort?.postMessage(message);

function sender<Sent>(maxAhead: number): Send<Sent> {
  let ahead = 0;
  let goOn = (): void => {};
  parentPort?.on('message', () => {
    ahead -= 1;
    goOn();
  });
  return async (sent) => {
    post({ sent });
    ahead += 1;
    while (ahead >= maxAhead)
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
  };
}

/** Opening a missing file would create an empty one: nothing would be found in the log, or nothing be readable. */
async function openLog({ file, keys }: LogAddress): Promise<EventStore> {
  if (!existsSync(file)) throw new EventStoreUnavailable(`The event store ${file} is missing.`);
  if (keys.engine === 'sqlite' && keys.file !== ':memory:' && !existsSync(keys.file))
    throw new EventStoreUnavailable(`The keys ${keys.file} are missing.`);
  const ring = openKeyRing(await openKeys(keys), { elapsed });
  return withOccurrences(pipeline(openSqliteEventStore({ file }), legible(ring)));
}
