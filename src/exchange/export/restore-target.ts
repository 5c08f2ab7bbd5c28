// The target of a restore. What is written is what was read, including hashes.
import { LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import { AppendOutcomeUnknown, type EventStoreAdapter, EventStoreUnavailable } from '../../log/event-store.ts';
import { runsOf } from '../../log/runs.ts';
import { eventsUpTo, type LogSource } from './log-source.ts';
import { Unusable } from './unusable.ts';

export interface RestoreTarget {
  /** Whether it is empty. */
  isEmpty(): Promise<boolean>;
  /** How many events of the source are there already, left by an interrupted restore; null if there are others. */
  begunWith(source: LogSource): Promise<number | null>;
  /** Starts writing after this many events. Throws `Unusable` if the target has changed since. */
  begin(): Promise<void>;
  append(events: readonly RecordedEvent[]): Promise<void>;
  /** Makes it permanent. */
  commit(): Promise<void>;
  /** Closes it; rolls back what has not been committed if the engine can. */
  close(): Promise<void>;
  /** What remains of a restore that fails half-way. */
  readonly remains: 'nothing' | 'a beginning';
}

const NOT_EMPTY = 'another process is writing to the event store: stop every service first';

/** A transaction that fills an empty log. */
interface Filling {
  /** Appends further events in log order, unchanged. */
  append(events: readonly RecordedEvent[]): void;
  commit(): void;
  /** Rolls back what has not been committed; call it at the end in any case. */
  close(): void;
}

interface FillableLog {
  isEmpty(): boolean;
  /** Null if the log is not empty, or another process is writing to it. */
  begin(): Filling | null;
}

/** All or nothing, in one transaction. */
export function openFileTarget(log: FillableLog): RestoreTarget {
  let filling: Filling | null = null;
  return {
    remains: 'nothing',
    isEmpty: async () => log.isEmpty(),
    begunWith: async () => null,
    async begin() {
      filling = log.begin();
      if (!filling) throw new Unusable(NOT_EMPTY);
    },
    async append(events) {
      filling?.append(events);
    },
    async commit() {
      filling?.commit();
    },
    async close() {
      filling?.close();
      filling = null;
    },
  };
}

/** A server accepts at most 1 MiB at a time, including metadata. */
const AT_ONCE = { events: 200, size: 200_000 };

const DISORDERED =
  'the server has written events in another order than those of the log, as it may after a failure: empty it and begin again';

/** In log order: an interrupted run may leave a beginning of it, after which another run continues. */
export function openServerTarget(log: EventStoreAdapter): RestoreTarget {
  const append = log.appendInOrder ?? oneByOne(log);
  let last: Position = LOG_START;

  async function expectOurs(): Promise<void> {
    if ((await log.head()) !== last) throw new Unusable(NOT_EMPTY);
  }

  return {
    remains: 'a beginning',
    isEmpty: async () => (await log.head()) === LOG_START,
    async begunWith(source) {
      const head = await log.head();
      const there = eventsIn(eventsUpTo(log, head));
      let count = 0;
      for await (const page of source.read()) {
        for (const event of page) {
          const next = await there.next();
          if (next.done) {
            last = head;
            return count;
          }
          if (!isSame(event, next.value)) return null;
          count += 1;
        }
      }
      last = head;
      return (await there.next()).done ? count : null;
    },
    begin: expectOurs,
    async append(events) {
      await expectOurs();
      const outcome = await append(runsOf(events, AT_ONCE)).catch(explain);
      if (outcome.kind === 'conflict') throw new Unusable(`${NOT_EMPTY} (stream ${outcome.stream})`);
      if (outcome.kind === 'disordered') throw new Unusable(`${DISORDERED} (stream ${outcome.stream})`);
      last = outcome.last;
    },
    commit: expectOurs,
    close: () => log.close(),
  };
}

const oneByOne =
  (log: Pick<EventStoreAdapter, 'append'>): NonNullable<EventStoreAdapter['appendInOrder']> =>
  async (appends) => {
    const outcome = await log.append(appends);
    return outcome.kind === 'conflict' ? outcome : { kind: 'appended', last: outcome.written.at(-1)?.position ?? '' };
  };

function explain(error: unknown): never {
  if (error instanceof AppendOutcomeUnknown) throw new EventStoreUnavailable(error.message, { cause: error });
  throw error;
}

async function* eventsIn(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<RecordedEvent> {
  for await (const page of pages) yield* page;
}

const isSame = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.id.toLowerCase() === other.id.toLowerCase() &&
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.metadata.hash === other.metadata.hash;
