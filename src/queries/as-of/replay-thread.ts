// The thread that replays the log up to an instant, seen from the one that answers requests: that one only
// writes them into the read model, and answers others between two portions.
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ProjectionError } from '../../../projections/fold.ts';
import type { KeysAddress } from '../../event-store/encryption/open-keys.ts';
import type { Position } from '../../event-store/envelope.ts';
import { EventStoreUnavailable } from '../../event-store/event-store.ts';
import type { Document } from '../../read-model/documents.ts';
import type { AsOfOptions, ReplayedDocuments, ReplaySummary } from './replay-as-of.ts';

/** Where the thread finds what it reads. */
export interface LogAddress {
  /** Of the log. */
  readonly file: string;
  /** Of the personal data in it. */
  readonly keys: KeysAddress;
}

/** What the thread is given: plain data, so zones go by their names. */
export type ReplayTask = Omit<AsOfOptions, 'rendering'> & {
  readonly log: LogAddress;
  readonly rendering: Omit<AsOfOptions['rendering'], 'siteZone'> & { readonly siteZone: string };
};

/** What it answers. Errors lose their class on the way. */
export type ReplayMessage =
  /** As JSON: one text crosses from thread to thread several times faster than the many objects in it. */
  | { readonly documents: string }
  | { readonly gathered: ReplaySummary }
  | { readonly failure: { readonly name: string; readonly message: string; readonly position: Position | null } };

/** Portions that the thread may be ahead. */
export const MAX_AHEAD = 4;

/** Much is thrown away soon: in a large nursery little of it is ever looked at. In MiB. */
const NURSERY = 32;

const SCRIPT = new URL('./replay-worker.ts', import.meta.url);

/** As `replayAsOf`, of a log in a file. The thread ends with the last document, or when no more are asked for. */
export async function* documentsInThread(log: LogAddress, options: AsOfOptions): ReplayedDocuments {
  const rendering = { ...options.rendering, siteZone: options.rendering.siteZone.name };
  const workerData: ReplayTask = { ...options, log, rendering };
  const worker = new Worker(SCRIPT, { workerData, resourceLimits: { maxYoungGenerationSizeMb: NURSERY } });
  const exit = new AbortController();
  worker.once('exit', () => exit.abort(new EventStoreUnavailable('The thread that replays the log has ended.')));
  try {
    for await (const [message] of on(worker, 'message', { signal: exit.signal })) {
      const said = message as ReplayMessage; // As replay-worker.ts sends it.
      if ('gathered' in said) return said.gathered;
      if ('failure' in said) throw errorOf(said.failure);
      worker.postMessage('taken');
      yield JSON.parse(said.documents) as Document[]; // Plain data, as the thread has made it.
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
