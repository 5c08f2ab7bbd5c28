// The thread that reads a source for the service: parsing a large file would hold up all requests, and what it makes of
// memory ends with the thread.

import { on } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openThreads } from '../../../kernel/event-loop/spare-thread.ts';
import { shareOf } from '../../../kernel/memory/limit.ts';
import type { ReadEnd, ReadingMessage, ReadingTask, ReadPortion } from './reading-worker.ts';

const MEBIBYTE = 1_048_576;
/** The heap of the thread, in MiB. */
const HEAP = Math.floor(shareOf(512 * MEBIBYTE, 1 / 6) / MEBIBYTE);

/** Bytes of the heap with which a thread may wait for another source. It has 27 million when all of its modules are loaded. */
const LIGHT = 40 * MEBIBYTE;

const threads = openThreads(new URL('./reading-worker.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: HEAP },
});

/** The source makes more of memory, or takes longer, than is allowed. */
export class ReadingEnded extends Error {
  override readonly name = 'ReadingEnded';
}

/** What a source holds, in portions; another one is read when one was taken. Throws `ReadingEnded`. */
export async function* readInThread(
  task: ReadingTask,
  reach: (records: number) => void,
  signal: AbortSignal,
): AsyncGenerator<ReadPortion, ReadEnd> {
  const worker = threads.take();
  worker.postMessage(task);
  let isSpare = false;
  const exit = new AbortController();
  const onExit = (): void => exit.abort(new ReadingEnded('The thread that reads the source has ended.'));
  worker.once('error', onExit).once('exit', onExit);
  try {
    for await (const [message] of on(worker, 'message', { signal: AbortSignal.any([exit.signal, signal]) })) {
      const payload = message as ReadingMessage; // As reading-worker.ts sends it.
      if ('reached' in payload) reach(payload.reached);
      else if ('end' in payload) {
        isSpare = payload.heap <= LIGHT;
        return payload.end;
      } else if ('failure' in payload) throw new Error(payload.failure);
      else {
        yield JSON.parse(payload.portion) as ReadPortion; // Plain data, as the thread has made it.
        await nextTurn();
        worker.postMessage('taken');
      }
    }
  } catch (error) {
    throw signal.aborted || exit.signal.aborted ? new ReadingEnded('The reading was ended.', { cause: error }) : error;
  } finally {
    worker.off('error', onExit).off('exit', onExit);
    if (isSpare) threads.keep(worker);
    else await worker.terminate();
  }
  throw new ReadingEnded('The thread that reads the source ended without a result.');
}
