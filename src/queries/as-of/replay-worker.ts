// The thread that replays the log up to an instant; see replay-thread.ts.
import { workerData } from 'node:worker_threads';
import { workOnLog } from '../../../projections/in-log-thread.ts';
import type { LogTask } from '../../../projections/log-threads.ts';
import { documentPacker } from '../../read-model/sqlite/fill-portion.ts';
import { replayAsOf, replayPresent } from './replay-as-of.ts';
import type { ReplayMessage, ReplayTask } from './replay-thread.ts';
import { packedRevisions } from './revisions.ts';

/** Portions. */
const MAX_AHEAD = 4;

const task = workerData as ReplayTask & LogTask; // As replay-thread.ts starts it.

await workOnLog<ReplayMessage>(task, MAX_AHEAD, async ({ store, projections, rendering }, send) => {
  const documents =
    'at' in task
      ? replayAsOf(store, projections, { ...task, rendering })
      : replayPresent(store, projections, task.upTo);
  const pack = documentPacker();
  for (;;) {
    const next = await documents.next();
    if (next.done) return send({ gathered: next.value });
    const { bytes, lengths } = pack(next.value.map((document) => ({ document })));
    const revisions = packedRevisions(next.value);
    await send({ documents: { bytes, lengths, revisions } }, [bytes.buffer, lengths.buffer, revisions.buffer]);
  }
});
