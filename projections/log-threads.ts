// Threads that apply projections to a log in a file, as seen from the thread that starts them. Each opens the log itself
// (in-log-thread.ts), and sends what it has made of it, a few messages ahead of those that were taken.
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Position } from '../src/event-store/envelope.ts';
import { EventStoreUnavailable } from '../src/event-store/event-store.ts';
import type { LogAddress } from '../src/event-store/log-address.ts';
import type { RenderingSettings } from '../src/rendering/post-fragment.ts';
import { ProjectionError } from './projection.ts';

/** What a thread works on. */
export interface LogSource {
  readonly log: LogAddress;
  readonly rendering: RenderingSettings;
}

/** The same as plain data: the zone is given by name. */
export interface LogTask {
  readonly log: LogAddress;
  readonly rendering: Omit<RenderingSettings, 'siteZone'> & { readonly siteZone: string };
}

/** An error: it would lose its class on the way. */
interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  /** Of an event that cannot be folded. */
  readonly position: Position | null;
}

/** A message of a thread. */
export type FromThread<Sent> = { readonly sent: Sent } | { readonly failure: ThreadFailure };

export interface LogThread<Sent> {
  /** What it sends next. Rejects with `ProjectionError`, and with `EventStoreUnavailable`, also if the thread ends. */
  next(): Promise<Sent>;
  end(): Promise<unknown>;
}

/** Most allocations are short-lived: a large young generation collects them cheaply. In MiB. */
const YOUNG_GENERATION_MB = 32;

/** `Task`: plain data, and what the script is told besides its source. The thread goes on until it is ended. */
export function startLogThread<Task extends object, Sent>(
  script: URL,
  { log, rendering }: LogSource,
  task: Task,
): LogThread<Sent> {
  const source: LogTask = { log, rendering: { ...rendering, siteZone: rendering.siteZone.name } };
  const worker = new Worker(script, {
    workerData: { ...task, ...source },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const exit = new AbortController();
  const ended = new EventStoreUnavailable('A thread that reads the log has ended.');
  worker.once('exit', () => exit.abort());
  const messages = on(worker, 'message', { signal: exit.signal });
  return {
    async next() {
      const { value } = await messages.next().catch((error: unknown) => {
        throw exit.signal.aborted ? ended : error;
      });
      const [message] = value as [FromThread<Sent>]; // As in-log-thread.ts sends them.
      if ('failure' in message) throw errorOf(message.failure);
      worker.postMessage('taken');
      return message.sent;
    },
    end: () => worker.terminate(),
  };
}

export function failureOf(error: unknown): ThreadFailure {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message, position: error instanceof ProjectionError ? error.position : null };
}

function errorOf({ name, message, position }: ThreadFailure): Error {
  if (position !== null) return new ProjectionError(position, new Error(message));
  return name === 'EventStoreUnavailable' ? new EventStoreUnavailable(message) : new Error(message);
}
