// The thread that replays the log up to an instant, as seen from the thread that answers requests: this one only writes
// documents into the read model, and answers others between two portions.
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ProjectionError } from '../../../projections/projection.ts';
import type { KeysAddress } from '../../event-store/encryption/open-keys.ts';
import type { Position } from '../../event-store/envelope.ts';
import { EventStoreUnavailable } from '../../event-store/event-store.ts';
import type { Document } from '../../read-model/documents.ts';
import type {
  AsOfOptions,
  DocumentPortion,
  PresentDocuments,
  ReplayedDocuments,
  ReplaySummary,
} from './replay-as-of.ts';

/** The stores that the thread opens. */
interface LogAddress {
  /** Of the log. */
  readonly file: string;
  /** Of its personal data. */
  readonly keys: KeysAddress;
}

/** Up to which position the whole documents of the present are built. */
export type PresentOptions = Pick<AsOfOptions, 'upTo' | 'rendering'>;

/** The input of the thread: plain data, so zones are given by name. */
export type ReplayTask = (Omit<AsOfOptions, 'rendering'> | Omit<PresentOptions, 'rendering'>) & {
  readonly log: LogAddress;
  readonly rendering: Omit<AsOfOptions['rendering'], 'siteZone'> & { readonly siteZone: string };
};

/** Its replies. Errors lose their class on the way. */
export type ReplayMessage =
  /** Packed: bytes cross between threads, and on to the one of the read model, without a copy. */
  | { readonly documents: Exclude<DocumentPortion, readonly Document[]> }
  /** Null for the present. */
  | { readonly gathered: ReplaySummary | null }
  | { readonly failure: { readonly name: string; readonly message: string; readonly position: Position | null } };

/** Portions that the thread may be ahead. */
export const MAX_AHEAD = 4;

/** Most allocations are short-lived: a large young generation collects them cheaply. In MiB. */
const NURSERY = 32;

const SCRIPT = new URL('./replay-worker.ts', import.meta.url);

/** Like `replayAsOf`, for a log in a file. The thread ends with the last document, or when no more are requested. */
export const documentsInThread = (log: LogAddress, options: AsOfOptions): ReplayedDocuments =>
  repliesTo<ReplaySummary>(log, options);

/** Like `replayPresent`. */
export const presentInThread = (log: LogAddress, options: PresentOptions): PresentDocuments =>
  repliesTo<null>(log, options);

async function* repliesTo<Summary extends ReplaySummary | null>(
  log: LogAddress,
  options: AsOfOptions | PresentOptions,
): AsyncGenerator<DocumentPortion, Summary> {
  const rendering = { ...options.rendering, siteZone: options.rendering.siteZone.name };
  const workerData: ReplayTask = { ...options, log, rendering };
  const worker = new Worker(SCRIPT, { workerData, resourceLimits: { maxYoungGenerationSizeMb: NURSERY } });
  const exit = new AbortController();
  worker.once('exit', () => exit.abort(new EventStoreUnavailable('The thread that replays the log has ended.')));
  try {
    for await (const [message] of on(worker, 'message', { signal: exit.signal })) {
      const reply = message as ReplayMessage; // As replay-worker.ts sends it.
      if ('gathered' in reply) return reply.gathered as Summary; // As the thread makes it for these options.
      if ('failure' in reply) throw errorOf(reply.failure);
      worker.postMessage('taken');
      yield reply.documents;
    }
  } catch (error) {
    throw exit.signal.aborted ? exit.signal.reason : error;
  } finally {
    await worker.terminate();
  }
  throw new EventStoreUnavailable('The thread that replays the log ended without a result.');
}

function errorOf({ name, message, position }: Extract<ReplayMessage, { failure: object }>['failure']): Error {
  if (position !== null) return new ProjectionError(position, new Error(message));
  return name === 'EventStoreUnavailable' ? new EventStoreUnavailable(message) : new Error(message);
}
