// Reads a log from its beginning to its present end and passes it to a checker.
import { LOG_START, type Position, type RecordedEvent } from '../envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../event-store.ts';
import type { LogChecker, LogFinding } from './verify.ts';

/** Access to events that the store cannot read. */
export type EventPlace = Pick<LogFinding, 'position' | 'stream' | 'revision' | 'type'>;

export interface ReplayOptions {
  /** As stored: below the upcasters. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  readonly checker: LogChecker;
  /** Called with every readable event, after the checker. */
  readonly observe: (event: RecordedEvent) => void;
  /** The position of the first event after another position; absent if the store cannot tell. Null: there is none. */
  readonly placeAfter?: (position: Position) => EventPlace | null;
  /** Called every now and then with the number of events passed, including those of others in the same log. */
  readonly onProgress: (events: number) => void;
}

const PAGE = 1_000;

/**
 * Returns `complete`, or `cut short` if an event cannot be read and the store cannot say what comes after it. Rejects
 * with `EventStoreUnavailable`.
 */
export async function replayLog(options: ReplayOptions): Promise<'complete' | 'cut short'> {
  const { log, checker, observe, onProgress } = options;
  const head = await log.head();
  let after = LOG_START;
  let seen = 0;
  while (after < head) {
    const page = await readPage(options, after, (passed) => {
      seen += passed;
      onProgress(seen);
    });
    if ('failure' in page) {
      const place = options.placeAfter?.(after) ?? null;
      checker.unreadable(place ?? unknownBehind(after), page.failure);
      if (place === null) return 'cut short';
      seen += 1;
      after = place.position;
      continue;
    }
    const events = page.filter(({ position }) => position <= head);
    for (const event of events) {
      checker.check(event);
      observe(event);
    }
    seen += events.length;
    onProgress(seen);
    after = page.at(-1)?.position ?? head;
  }
  return 'complete';
}

/** A bad event makes its page unreadable; reading event by event finds it and checks those before it. */
async function readPage(
  { log }: ReplayOptions,
  after: Position,
  onPassed: (events: number) => void,
): Promise<readonly RecordedEvent[] | { readonly failure: string }> {
  let failure = '';
  for (const limit of [PAGE, 1]) {
    try {
      return await log.readAll({ after, limit, onPassed });
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  return { failure };
}

/** Later than the position after which it was searched: how much is missing is unknown. */
const unknownBehind = (after: Position): EventPlace => ({ position: after, stream: null, revision: null, type: null });
