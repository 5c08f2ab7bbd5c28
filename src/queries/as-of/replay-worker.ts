// The thread that replays the log up to an instant; see replay-thread.ts. It opens the log itself.
import { existsSync } from 'node:fs';
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/catalogue.ts';
import { ProjectionError } from '../../../projections/projection.ts';
import { withPersonalData } from '../../event-store/encryption/encrypting-store.ts';
import { openKeyRing } from '../../event-store/encryption/key-ring.ts';
import { openKeys } from '../../event-store/encryption/open-keys.ts';
import { LOG_START } from '../../event-store/envelope.ts';
import { EventStoreUnavailable } from '../../event-store/event-store.ts';
import { withOccurrences } from '../../event-store/occurrences.ts';
import { openSqliteEventStore } from '../../event-store/sqlite/store.ts';
import { upcasters, withUpcasting } from '../../event-store/upcasting/upcast.ts';
import type { Document } from '../../read-model/documents.ts';
import type { Batch } from '../../read-model/read-model.ts';
import { packer } from '../../read-model/sqlite/fill-portion.ts';
import { elapsed } from '../../time/system.ts';
import { resolveZone } from '../../time/zone.ts';
import { replayAsOf, replayPresent } from './replay-as-of.ts';
import { MAX_AHEAD, type ReplayMessage, type ReplayTask } from './replay-thread.ts';
import { packedRevisions } from './revisions.ts';

const { log, ...task } = workerData as ReplayTask; // As replay-thread.ts starts it.
const send = (message: ReplayMessage, transfer: readonly Transferable[] = []): void =>
  parentPort?.postMessage(message, transfer);

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

async function replay(): Promise<ReplayMessage> {
  const siteZone = resolveZone(task.rendering.siteZone);
  if (!siteZone) throw new Error(`there is no zone ${task.rendering.siteZone}`);
  const rendering = { ...task.rendering, siteZone };
  const { file } = log;
  // Opening a missing file would create an empty log.
  if (!existsSync(file)) throw new EventStoreUnavailable(`The event store ${file} is missing.`);
  if (log.keys.engine === 'sqlite' && log.keys.file !== ':memory:' && !existsSync(log.keys.file))
    throw new EventStoreUnavailable(`The keys ${log.keys.file} are missing.`);
  const keys = openKeyRing(await openKeys(log.keys), { elapsed });
  const store = withOccurrences(withUpcasting(withPersonalData(openSqliteEventStore({ file }), keys), upcasters));
  try {
    const projections = allProjections(rendering);
    const documents =
      'at' in task
        ? replayAsOf(store, projections, { ...task, rendering })
        : replayPresent(store, projections, task.upTo);
    const pack = packer();
    for (;;) {
      const next = await documents.next();
      if (next.done) return { gathered: next.value };
      ahead += 1;
      const { bytes, lengths } = pack(batchOf(next.value));
      const revisions = packedRevisions(next.value);
      send({ documents: { bytes, lengths, revisions } }, [bytes.buffer, lengths.buffer, revisions.buffer]);
      while (ahead >= MAX_AHEAD) await taken();
    }
  } finally {
    await store.close();
  }
}

/** For the packer; where it belongs is said by the thread that hands it on. */
const batchOf = (documents: readonly Document[]): Batch => ({
  after: LOG_START,
  upTo: LOG_START,
  changes: documents.map((document) => ({ key: document, document })),
});

function failureOf(error: unknown): ReplayMessage {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { failure: { name, message, position: error instanceof ProjectionError ? error.position : null } };
}

// Its parent thread ends it.
send(await replay().catch(failureOf));
