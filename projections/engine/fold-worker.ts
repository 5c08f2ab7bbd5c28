// A thread that folds its share of a log; see fold-threads.ts.
import { workerData } from 'node:worker_threads';
import type { DocumentChange } from '../../src/read-model/read-model.ts';
import { documentPacker } from '../../src/read-model/sqlite/fill-portion.ts';
import { workOnLog } from '../in-log-thread.ts';
import type { LogTask } from '../log-threads.ts';
import { withSkips } from '../projection.ts';
import { blocksIn, type FoldedPart, type FoldTask } from './fold-threads.ts';
import { earlier, type FoldedStreams, foldedHere, later, NOWHERE } from './folding.ts';

type Folded = FoldedStreams<readonly DocumentChange[]>;

/** Documents of a part. */
const PORTION = 128;
/** Parts: some megabytes. */
const MAX_AHEAD = 6;
const NOTHING: Folded = { documents: [], events: 0, last: NOWHERE, failure: null };

const task = workerData as FoldTask & LogTask; // As fold-threads.ts starts it.

await workOnLog<FoldedPart>(task, MAX_AHEAD, async ({ store, projections }, send) => {
  const { upTo, before, skips, thread, threads, lastStream } = task;
  const folding = withSkips(projections, new Map(skips.map((skip) => [skip.position, skip])));
  const pack = documentPacker();

  function sendPart({ documents, failure, ...folded }: Folded, isEndOfBlock: boolean): Promise<void> {
    const { bytes, lengths } = pack(documents);
    const plain = failure && { position: failure.position, message: failure.message };
    return send({ ...folded, bytes, lengths, failure: plain, isEndOfBlock }, [bytes.buffer, lengths.buffer]);
  }

  for (let block = thread; block < blocksIn(task); block += threads) {
    const after = block * task.block;
    const streams = { after, upTo: Math.min(after + task.block, lastStream) };
    let gathered = NOTHING;
    for await (const folded of foldedHere(store, folding, { upTo, before, streams })) {
      gathered = joined(gathered, folded);
      if (gathered.documents.length < PORTION) continue;
      await sendPart(gathered, false);
      gathered = NOTHING;
    }
    await sendPart(gathered, true);
  }
});

function joined(one: Folded, other: Folded): Folded {
  return {
    documents: [...one.documents, ...other.documents],
    events: one.events + other.events,
    last: later(one.last, other.last),
    failure: earlier(one.failure, other.failure),
  };
}
