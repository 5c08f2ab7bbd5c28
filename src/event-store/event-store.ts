// The port of the append-only log. Adapters: sqlite.ts; others pass the same contract suite (test/contract).
import type { NewEvent, Position, RecordedEvent, Revision } from './envelope.ts';

/** What the writer believes of a stream: the revision of its last event, that it has none, or that it does not matter. */
export type ExpectedRevision = Revision | 'no_stream' | 'any';

export interface StreamAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      /** Per `StreamAppend`, in order: where its last event came to lie. */
      readonly written: readonly { readonly revision: Revision; readonly position: Position }[];
    }
  | { readonly kind: 'conflict'; readonly stream: string; readonly actual: Revision | 'no_stream' };

export interface ReadStreamOptions {
  /** First revision to deliver; default: the first event, or the last when reading backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive; `LOG_START` for everything. */
  readonly after: Position;
  /** Beginnings of stream names (`event-`); none given means every stream. */
  readonly prefixes?: readonly string[];
  readonly limit: number;
  /** A log in a file may end the page with the event that makes it this long: such a read holds the event loop. */
  readonly maxCharacters?: number;
  /** Told, every now and then, how many events were passed over since: of a log that others share, or of other prefixes. */
  readonly onPassed?: (events: number) => void;
}

export interface ReadByStreamOptions {
  /** Inclusive; `LOG_START` for nothing. Events that are appended meanwhile lie behind it. */
  readonly upTo: Position;
  readonly prefixes?: readonly string[];
}

export interface SubscribeOptions {
  readonly after: Position;
  readonly prefixes?: readonly string[];
  /** At most so many events in one batch. */
  readonly batchSize: number;
  /** Ends the subscription; the iteration then finishes without an error. */
  readonly signal: AbortSignal;
}

/** Rejections: `EventStoreUnavailable` when the store cannot be reached, `AppendOutcomeUnknown` when it is unknown whether it was written. */
export interface EventStore {
  /**
   * Appends to one or several streams, each at its expected revision. Streams are written in the order given; the first
   * conflict ends it with nothing written where the engine has transactions, and with the streams before it written
   * where it has none: callers order them so that every beginning of the list is harmless (reservations first).
   * Repeating an append with the same event ids answers as the first time.
   */
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome>;
  /** The events of one stream; an empty list when there is no such stream. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;
  /** The next events of the whole log in order; an empty list at its end. */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;
  /**
   * Everything up to a position, ordered by stream: a batch holds whole streams, one behind the other, each in the order
   * of its revisions. Streams come in no particular order, each in one batch. Memory grows with the longest stream, not
   * with the log.
   */
  readByStream(options: ReadByStreamOptions): AsyncIterable<readonly RecordedEvent[]>;
  /** Everything after a position, then everything as it happens, in order and without gaps, in batches of what is there. Never ends by itself. */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;
  /** The position of the last event, `LOG_START` when there is none. */
  head(): Promise<Position>;
  /** Closes files and connections; no call may follow. */
  close(): Promise<void>;
}

/**
 * Tells whether an append would find room, and leaves nothing behind. `busy`: another process is writing, so it cannot be
 * told now. Rejects with `EventStoreUnavailable` where an append would.
 */
export type TryWriting = () => Promise<'possible' | 'busy'>;

/** A store as its engine offers it. */
export interface EventStoreAdapter extends EventStore {
  /** Absent where the engine cannot tell without an append. */
  readonly tryWriting?: TryWriting;
}

/** The store cannot be reached, or refused for a reason that has nothing to do with the request. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/** The append was sent and it is unknown whether it arrived. Repeat it with the same event ids. */
export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
}
