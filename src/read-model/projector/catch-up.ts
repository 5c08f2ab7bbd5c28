// Brings a read model up to the end of the log, then stops: at startup, and for commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { changesOf } from '../../../projections/changes.ts';
import { type AnyProjection, prefixesRead, withSkips } from '../../../projections/projection.ts';
import { cutAtOpenSet, wholeHead } from '../../editorial/change-sets/facts/whole-sets.ts';
import { LOG_START } from '../../log/envelope.ts';
import { type EventStore, markOf } from '../../log/event-store.ts';
import type { ReadModel } from '../read-model.ts';
import { readControl } from './control.ts';
import { isInstructed, replayParked } from './parking.ts';
import { replay } from './replay.ts';

const BATCH_SIZE = 1000;

/** Beyond this many events the end of a set is not looked for in one batch. */
const MAX_SET_SIZE = 1_024_000;

/** An empty read model is filled stream by stream if the log has at least this many events. */
const WORTH_A_REPLAY = 3_000;

/** The pause between checks of a read model that another process fills, and how many checks may find no progress. */
const PAUSE_MS = 250;
const PATIENCE = 20;

/**
 * Applies events until the end of the log. `onBatch` gets the number of events of each batch. Another projector at the
 * same time is harmless: this one continues from the newer checkpoint. Skipped events are passed over.
 */
export async function catchUp(
  store: EventStore,
  readModel: ReadModel,
  projections: readonly AnyProjection[],
  onBatch: (events: number) => void = () => {},
): Promise<void> {
  const { skips } = await readControl(store);
  const folding = withSkips(projections, skips);
  const prefixes = prefixesRead(projections);
  let size = BATCH_SIZE;
  for (;;) {
    const after = await readModel.checkpoint();
    const limit = after === LOG_START ? WORTH_A_REPLAY : size;
    const page = await store.readAll({ after, prefixes, limit });
    const { whole: events, rest } = cutAtOpenSet(page);
    const last = events.at(-1);
    // A set that is larger than a batch is read whole; one without an end is left to the runner.
    if (!last && rest.length === limit && size < MAX_SET_SIZE) {
      size *= 2;
      continue;
    }
    if (!last) return;
    size = BATCH_SIZE;
    if (page.length === WORTH_A_REPLAY) {
      const upTo = await wholeHead(store);
      if ((await replay(store, readModel, folding, { upTo, onProgress: onBatch })) === 'stale')
        await untilFilled(readModel);
      continue;
    }
    const changes = await changesOf(events, folding, readModel, store);
    const outcome = await readModel.apply({ after, upTo: last.position, mark: markOf(last), changes });
    if (outcome === 'stale') continue;
    onBatch(events.length);
    if (isInstructed(events)) await replayParked({ store, readModel, projections: folding });
  }
}

/** Waits while another process fills the read model: until it has a checkpoint, or stops changing. */
async function untilFilled(readModel: ReadModel): Promise<void> {
  let version = '';
  for (let waited = 0; waited < PATIENCE; waited++) {
    if ((await readModel.checkpoint()) !== LOG_START) return;
    const now = await readModel.version();
    if (now !== version) waited = 0;
    version = now;
    await sleep(PAUSE_MS);
  }
}
