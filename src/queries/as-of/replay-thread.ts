// The thread that replays the log up to an instant, as seen from the thread that answers requests: this one only writes
// documents into the read model, and answers others between two portions.
import { startLogThread } from '../../../projections/log-threads.ts';
import type { LogAddress } from '../../event-store/log-address.ts';
import type { Document } from '../../read-model/documents.ts';
import type { AsOfOptions, PresentDocuments, ReplayedDocuments, ReplaySummary } from './replay-as-of.ts';

/** Up to which position the whole documents of the present are built. */
export type PresentOptions = Pick<AsOfOptions, 'upTo' | 'rendering'>;

/** What the thread is to replay, besides its source. */
export type ReplayTask = Omit<AsOfOptions, 'rendering'> | Omit<PresentOptions, 'rendering'>;

/** What it sends. */
export type ReplayMessage =
  | { readonly documents: readonly Document[] }
  /** At the end; null for the present. */
  | { readonly gathered: ReplaySummary | null };

const SCRIPT = new URL('./replay-worker.ts', import.meta.url);

/** For a log in a file. A thread ends with the last document, or when no more are requested. */
export const replayInThread = (log: LogAddress) => ({
  replayAsOf: (options: AsOfOptions): ReplayedDocuments => sentBack<ReplaySummary>(log, options),
  replayPresent: (options: PresentOptions): PresentDocuments => sentBack<null>(log, options),
});

async function* sentBack<Summary extends ReplaySummary | null>(
  log: LogAddress,
  { rendering, ...task }: AsOfOptions | PresentOptions,
): AsyncGenerator<readonly Document[], Summary> {
  const thread = startLogThread<ReplayTask, ReplayMessage>(SCRIPT, { log, rendering }, task);
  try {
    for (;;) {
      const message = await thread.next();
      if ('gathered' in message) return message.gathered as Summary; // As the thread makes it for these options.
      yield message.documents;
    }
  } finally {
    await thread.end();
  }
}
