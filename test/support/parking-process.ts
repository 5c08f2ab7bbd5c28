// A projector in a process of its own that parks what it cannot fold, or folds it anew, until it is killed; see
// parking-killed.test.ts.
import { allProjections } from '../../projections/catalogue.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { upcasters } from '../../src/log/upcasting/upcast.ts';
import { startRunner } from '../../src/read-model/projector/runner.ts';
import { openViews } from './list-process.ts';
import { withUpcasting } from './pipelines.ts';
import { RENDERING } from './rebuild-process.ts';

export interface ParkingOrder {
  readonly log: string;
  /** A file, or `redis://…`. */
  readonly views: string;
  /** Whether its version can fold every fact. */
  readonly knows: 'everything' | 'not everything';
}

/** No version knows it, but one that knows everything passes over it. */
export const UNKNOWN_FACT = 'TagExploded';
/** Events at once: a kill comes between two batches, or in one. */
const BATCH_SIZE = 8;

export const openParkingLog = (file: string): EventStore =>
  withUpcasting(openSqliteEventStore({ file, pollIntervalMs: 5 }), upcasters);

export function projectionsThatKnow(what: ParkingOrder['knows']): readonly AnyProjection[] {
  const projections = allProjections(RENDERING);
  if (what === 'not everything') return projections;
  return projections.map((projection) => ({
    ...projection,
    fold: (state, event) => (event.type === UNKNOWN_FACT ? state : projection.fold(state, event)),
  }));
}

async function run({ log, views, knows }: ParkingOrder): Promise<void> {
  const say = (_details: object, message: string): void => void process.stdout.write(`${message}\n`);
  const [store, readModel] = [openParkingLog(log), await openViews(views)];
  process.stdout.write('began\n');
  const options = { store, readModel, batchSize: BATCH_SIZE, projections: projectionsThatKnow(knows) };
  startRunner({ ...options, log: { warn: say, error: say } });
}

const [, , order] = process.argv;
if (order !== undefined && import.meta.filename === process.argv[1])
  run(JSON.parse(order) as ParkingOrder).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
