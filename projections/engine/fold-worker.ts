// A thread that folds its share of a log; see fold-threads.ts. It opens the log itself.
import { existsSync } from 'node:fs';
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { withPersonalData } from '../../src/event-store/encryption/encrypting-store.ts';
import { openKeyRing } from '../../src/event-store/encryption/key-ring.ts';
import { type KeysAddress, openKeys } from '../../src/event-store/encryption/open-keys.ts';
import { LOG_START } from '../../src/event-store/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/event-store/event-store.ts';
import { withOccurrences } from '../../src/event-store/occurrences.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/store.ts';
import { upcasters, withUpcasting } from '../../src/event-store/upcasting/upcast.ts';
import type { DocumentChange } from '../../src/read-model/read-model.ts';
import { packer } from '../../src/read-model/sqlite/fill-portion.ts';
import { resolveZone } from '../../src/time/zone.ts';
import { allProjections } from '../catalogue.ts';
import { type AnyProjection, ProjectionError, withSkips } from '../projection.ts';
import { blocksIn, type FoldFailure, type FoldMessage, type FoldTask, MAX_AHEAD } from './fold-messages.ts';
import { earlier, type FoldedStreams, foldedHere, later, NOWHERE } from './folding.ts';

/** What it opens: the file of the log, and the keys of its personal data. */
export interface LogAddress {
  readonly file: string;
  readonly keys: KeysAddress;
}

type Folded = FoldedStreams<readonly DocumentChange[]>;

/** Documents of a part. */
const PORTION = 128;
const NOTHING: Folded = { documents: [], events: 0, last: NOWHERE, failure: null };

const task = workerData as FoldTask<LogAddress>; // As the composition root has it started.
const pack = packer();
const say = (message: FoldMessage, transfer: readonly Transferable[] = []): void =>
  parentPort?.postMessage(message, transfer);

let ahead = 0;
let goOn = (): void => {};
parentPort?.on('message', () => {
  ahead -= 1;
  goOn();
});

async function send({ documents, events, last, failure }: Folded, isEndOfBlock: boolean): Promise<void> {
  const { bytes, lengths } = pack({ after: LOG_START, upTo: LOG_START, changes: documents });
  const part = { bytes, lengths, events, last, failure: failure && failureOf(failure), isEndOfBlock };
  say({ part }, [bytes.buffer, lengths.buffer]);
  ahead += 1;
  while (ahead >= MAX_AHEAD)
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
}

async function openLog({ file, keys }: LogAddress): Promise<EventStore> {
  // Opening a missing file would create an empty log.
  if (!existsSync(file)) throw new EventStoreUnavailable(`The event store ${file} is missing.`);
  const ring = openKeyRing(await openKeys(keys), { elapsed: () => performance.now() });
  return withOccurrences(withUpcasting(withPersonalData(openSqliteEventStore({ file }), ring), upcasters));
}

async function foldShare(store: EventStore, projections: readonly AnyProjection[]): Promise<void> {
  const { upTo, before, thread, threads, lastStream } = task;
  for (let block = thread; block < blocksIn(task); block += threads) {
    const after = block * task.block;
    const streams = { after, upTo: Math.min(after + task.block, lastStream) };
    let gathered = NOTHING;
    for await (const folded of foldedHere(store, projections, { upTo, before, streams })) {
      gathered = joined(gathered, folded);
      if (gathered.documents.length < PORTION) continue;
      await send(gathered, false);
      gathered = NOTHING;
    }
    await send(gathered, true);
  }
}

const joined = (one: Folded, other: Folded): Folded => ({
  documents: [...one.documents, ...other.documents],
  events: one.events + other.events,
  last: later(one.last, other.last),
  failure: earlier(one.failure, other.failure),
});

function failureOf(error: unknown): FoldFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message, position: error instanceof ProjectionError ? error.position : null };
}

async function fold(): Promise<void> {
  const siteZone = resolveZone(task.rendering.siteZone);
  if (!siteZone) throw new Error(`there is no zone ${task.rendering.siteZone}`);
  const skips = new Map(task.skips.map((skip) => [skip.position, skip]));
  const store = await openLog(task.log);
  try {
    await foldShare(store, withSkips(allProjections({ ...task.rendering, siteZone }), skips));
  } finally {
    await store.close();
  }
}

// Its parent thread ends it.
await fold().catch((error: unknown) => say({ failure: failureOf(error) }));
