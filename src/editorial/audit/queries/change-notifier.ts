// Wakes readers that wait for changes of the log. However many wait, the process has one subscription; without any it
// has none.
// decision 14
import type { Position } from '../../../log/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../../../log/event-store.ts';
import { type LogReads, sharedReads } from './log-reads.ts';

/** A waiting reader. Events in the log before `attend` returns are not announced: read the log, then wait. */
interface Subscription {
  /** Grows with every change. Read it before the log, and wait for a greater one if you found nothing. */
  turn(): number;
  /** Reads of a log that includes everything of this turn; shared by all who read now. */
  reads(): LogReads;
  /**
   * Resolves once the turn is greater than `turn`, or one of the signals is aborted; at once if it already is. May
   * resolve early. Rejects with `EventStoreUnavailable` if no changes will come any more.
   */
  next(turn: number, until: readonly AbortSignal[]): Promise<void>;
  leave(): void;
}

/** Several changes in one batch wake each of them once. */
const BATCH = 500;

/** Notifies of changes in the streams whose names begin with one of `prefixes`. */
export function openChangeNotifier(store: Pick<EventStore, 'head' | 'readAll' | 'subscribe'>, prefixes: string[]) {
  const sleepers = new Set<() => void>();
  let attending = 0;
  let turn = 0;
  let reads: LogReads = sharedReads(store);
  let running: { readonly ending: AbortController; failure: unknown } | null = null;

  function wake(): void {
    const woken = [...sleepers];
    sleepers.clear();
    for (const resume of woken) resume();
  }

  function announce(): void {
    turn += 1;
    reads = sharedReads(store);
    wake();
  }

  async function listen({ signal }: AbortController): Promise<void> {
    const after: Position = await store.head();
    // Readers that read before the head was known have missed what came between.
    announce();
    for await (const _ of store.subscribe({
      after,
      prefixes,
      batchSize: BATCH,
      signal,
      occurrences: 'in their series',
    }))
      announce();
    if (!signal.aborted) throw new EventStoreUnavailable('The log tells no more news.');
  }

  function run(): void {
    const own = { ending: new AbortController(), failure: undefined as unknown };
    running = own;
    listen(own.ending).catch((failure: unknown) => {
      own.failure = failure;
      if (running === own) running = null;
      wake();
    });
  }

  return {
    attend(): Subscription {
      if (running === null) run();
      const own = running;
      let isPresent = true;
      attending += 1;
      return {
        turn: () => turn,
        reads: () => reads,
        async next(last, until) {
          while (turn <= last && !until.some(({ aborted }) => aborted)) {
            if (own?.failure !== undefined) throw own.failure;
            await sleep(sleepers, until);
          }
        },
        leave() {
          if (!isPresent) return;
          isPresent = false;
          attending -= 1;
          if (attending > 0) return;
          running?.ending.abort();
          running = null;
        },
      };
    },
  };
}

function sleep(sleepers: Set<() => void>, until: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    function resume(): void {
      sleepers.delete(resume);
      for (const signal of until) signal.removeEventListener('abort', resume);
      resolve();
    }
    sleepers.add(resume);
    for (const signal of until) signal.addEventListener('abort', resume);
  });
}

// A time-out as a signal, so that it can be awaited together with others.

export function startTimer(milliseconds: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return {
    /** Aborted when the time is up. */
    signal: controller.signal,
    stop: () => clearTimeout(timer),
  };
}
