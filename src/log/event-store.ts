// The port of the append-only log. Adapters: sqlite.ts; others pass the same contract suite (test/contract).
import type { NewEvent, Position, RecordedEvent, Revision } from './envelope.ts';

/** The writer's expectation of a stream: the revision of its last event, or that it does not exist. */
export type ExpectedRevision = Revision | 'no_stream';

export interface StreamAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      /** Per `StreamAppend`, in order: where its last event was stored; `position`: of that, or of a later event of the same append. */
      readonly written: readonly { readonly revision: Revision; readonly position: Position }[];
    }
  | { readonly kind: 'conflict'; readonly stream: string; readonly actual: Revision | 'no_stream' };

/**
 * Told of every append: its duration, in seconds, and how many events it has written. `unknown`: it is unknown whether it was
 * written, because no answer came, or an unexpected error.
 */
export type AppendObserver = (append: {
  readonly outcome: 'appended' | 'conflict' | 'unavailable' | 'unknown';
  readonly seconds: number;
  readonly events: number;
  /** The trace of the request that appends, where requests are traced. */
  readonly traceparent?: string | undefined;
}) => void;

export interface ReadStreamOptions {
  /** First revision to return; default: the first event, or the last when reading backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  /** An event of an unknown shape is read as by reads of the log, instead of ending the read; see upcasting/upcast.ts. */
  readonly unknown?: 'in place';
}

export interface ReadAllOptions {
  /** Exclusive, in the direction of the read; `LOG_START` for everything. */
  readonly after: Position;
  readonly direction?: 'forwards' | 'backwards';
  /** Prefixes of stream names (`event-`); none means every stream. */
  readonly prefixes?: readonly string[];
  readonly limit: number;
  /** What happens to the dates of a series is told by the series alone; see occurrences.ts. */
  readonly occurrences?: 'in their series';
  /** A log in a file may end the page with the event that reaches this length: such a read blocks the event loop. */
  readonly maxCharacters?: number;
  /**
   * Called every now and then with the number of events passed over: those of others in a shared log, or of other
   * prefixes.
   */
  readonly onPassed?: (events: number) => void;
}

export interface ReadByStreamOptions {
  /** Inclusive; `LOG_START` for nothing. Events appended meanwhile come after it. */
  readonly upTo: Position;
  readonly prefixes?: readonly string[];
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly prefixes?: readonly string[];
  readonly occurrences?: 'in their series';
  /** At most this many events per batch. */
  readonly batchSize: number;
  /** Ends the subscription; the iteration then finishes without an error. */
  readonly signal: AbortSignal;
}

/**
 * Rejections: `EventStoreUnavailable` if the store cannot be reached, `AppendOutcomeUnknown` if it is unknown whether
 * the append was written.
 */
export interface EventStore {
  /**
   * Appends to one or several streams, each at its expected revision. Streams are written in the given order. The first
   * conflict ends the append: with nothing written if the engine has transactions, otherwise with the streams before it
   * written. Callers order streams so that every beginning of the list is harmless (reservations first). Repeating an
   * append with the same event ids returns the first result.
   */
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome>;
  /** The events of one stream; an empty list if there is no such stream. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly RecordedEvent[]>;
  /** The next events of the whole log, in the order of the direction; an empty list at its end. */
  readAll(options: ReadAllOptions): Promise<readonly RecordedEvent[]>;
  /**
   * Everything up to a position, ordered by stream: each stream is complete within one batch, in the order of its
   * revisions. Streams come in no particular order. Memory grows with the longest stream, not with the log.
   */
  readByStream(options: ReadByStreamOptions): AsyncIterable<readonly RecordedEvent[]>;
  /**
   * Everything after a position, then everything as it happens, in order and without gaps, in batches of what is
   * available. Never ends by itself.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;
  /** The position of the last event, `LOG_START` if there is none. */
  head(): Promise<Position>;
  /** Closes files and connections; make no calls afterwards. */
  close(): Promise<void>;
}

/**
 * Tests whether an append would find space, without a trace. `busy`: another process is writing, so it cannot be tested
 * now. Rejects with `EventStoreUnavailable` where an append would.
 */
export type TryWriting = () => Promise<'possible' | 'busy'>;

/** `disordered`: the log has them all, but not in the given order. `last`: of the last event. */
export type OrderedOutcome =
  | { readonly kind: 'appended'; readonly last: Position }
  | { readonly kind: 'disordered'; readonly stream: string }
  | Extract<AppendOutcome, { readonly kind: 'conflict' }>;

/** A store as provided by its engine. */
export interface EventStoreAdapter extends EventStore {
  /**
   * Appends to a log that has no other writer, in the given order and several at a time; at least one. After a conflict or a
   * rejection some behind the one that failed may be written as well. Absent if the engine is no faster this way.
   */
  readonly appendInOrder?: (appends: readonly StreamAppend[]) => Promise<OrderedOutcome>;
  /** Absent if the engine cannot test it without an append. */
  readonly tryWriting?: TryWriting;
  /** A text beside the events, for the mark of the store; absent if the engine keeps it elsewhere. */
  readonly mark?: { read(): Promise<string | null>; write(text: string): Promise<void> };
}

/** The store cannot be reached, or refused for a reason unrelated to the request. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/** It may be reached later, as it is: a server that is down, starting or overloaded. */
export class EventStoreAway extends EventStoreUnavailable {}

/** The append was sent and it is unknown whether it arrived. Repeat it with the same event ids. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}

// The mark of an event: identifies the log that a read model was built from, and how far.

/**
 * Stream, revision and id of an event. Ids are unique and logs are append-only, so two logs that have the same mark at
 * the same position are the same log up to there. It is derived: nothing has to be written into a log to identify it.
 */
export type EventMark = string;

export const markOf = ({ stream, revision, id }: RecordedEvent): EventMark => `${stream} ${revision} ${id}`;

/** Whether the log has the event of a mark at a position. Rejections: those of the store. */
export async function hasEvent(store: StreamReader, mark: EventMark, position: Position): Promise<boolean> {
  const [stream = '', revision = ''] = mark.split(' ');
  if (stream === '' || revision === '') return false;
  const [event] = await store.readStream(stream, { from: Number(revision), limit: 1 });
  return event !== undefined && markOf(event) === mark && event.position === position;
}

/** What reads single streams. */
export type StreamReader = Pick<EventStore, 'readStream'>;

/** The events of each stream in some of a log. */
export const byStream = (events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> =>
  Map.groupBy(events, ({ stream }) => stream);

/** The last event of a stream; undefined: it has none. */
export const lastEvent = (store: StreamReader, stream: string): Promise<RecordedEvent | undefined> =>
  store.readStream(stream, { direction: 'backwards', limit: 1 }).then(([last]) => last);
