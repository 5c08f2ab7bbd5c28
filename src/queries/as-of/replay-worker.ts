// The thread that makes the documents of a look into the past; see past-thread.ts. It opens the log for itself.
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/catalogue.ts';
import { ProjectionError } from '../../../projections/fold.ts';
import { withPersonalData } from '../../event-store/encryption/encrypting-store.ts';
import { openKeyRing } from '../../event-store/encryption/key-ring.ts';
import { openKeys } from '../../event-store/encryption/open-keys.ts';
import { EventStoreUnavailable } from '../../event-store/event-store.ts';
import { openSqliteEventStore } from '../../event-store/sqlite/store.ts';
import { withUpcasting } from '../../event-store/upcasting/upcast.ts';
import { upcasters } from '../../event-store/upcasting/upcasters.ts';
import { resolveZone } from '../../time/zone.ts';
import { pastDocuments } from './replay-as-of.ts';
import { MOST_AHEAD, type PastMessage, type PastTask } from './replay-thread.ts';

const { log, ...task } = workerData as PastTask; // As past-thread.ts starts it.
const say = (message: PastMessage): void => parentPort?.postMessage(message);

let ahead = 0;
let goOn = (): void => {};
parentPort?.on('message', () => {
  ahead -= 1;
  goOn();
});

const taken = (): Promise<void> =>
  new Promise((resolve) => {
    goOn = resolve;
  });

async function tell(): Promise<PastMessage> {
  const siteZone = resolveZone(task.rendering.siteZone);
  if (!siteZone) throw new Error(`there is no zone ${task.rendering.siteZone}`);
  const rendering = { ...task.rendering, siteZone };
  const { file } = log;
  // Opening one that is gone would make an empty log.
  if (!existsSync(file)) throw new EventStoreUnavailable(`The event store ${file} is gone.`);
  if (log.keys.engine === 'sqlite' && log.keys.file !== ':memory:' && !existsSync(log.keys.file))
    throw new EventStoreUnavailable(`The keys ${log.keys.file} are gone.`);
  const keys = openKeyRing(await openKeys(log.keys), { elapsed: () => performance.now() });
  const store = withUpcasting(withPersonalData(openSqliteEventStore({ file }), keys), upcasters);
  try {
    const documents = pastDocuments(store, allProjections(rendering), { ...task, rendering });
    for (;;) {
      const next = await documents.next();
      if (next.done) return { gathered: next.value };
      ahead += 1;
      say({ documents: JSON.stringify(next.value) });
      while (ahead >= MOST_AHEAD) await taken();
    }
  } finally {
    await store.close();
  }
}

function failureOf(error: unknown): PastMessage {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { failure: { name, message, position: error instanceof ProjectionError ? error.position : null } };
}

// The one who started it ends it.
say(await tell().catch(failureOf));
