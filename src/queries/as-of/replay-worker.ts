// The thread that replays the log up to an instant; see replay-thread.ts.
import { workerData } from 'node:worker_threads';
import { workOnLog } from '../../../projections/in-log-thread.ts';
import type { LogTask } from '../../../projections/log-threads.ts';
import { replayAsOf, replayPresent } from './replay-as-of.ts';
import type { ReplayMessage, ReplayTask } from './replay-thread.ts';

/** Portions. */
const MAX_AHEAD = 4;

const task = workerData as ReplayTask & LogTask; // As replay-thread.ts starts it.

await workOnLog<ReplayMessage>(task, MAX_AHEAD, async ({ store, projections, rendering }, send) => {
  const documents =
    'at' in task
      ? replayAsOf(store, projections, { ...task, rendering })
      : replayPresent(store, projections, task.upTo);
  for (;;) {
    const next = await documents.next();
    if (next.done) return send({ gathered: next.value });
    await send({ documents: next.value });
  }
});
