// What a client of the server does for this adapter: the port in front of the two clients, of which a process has one. What is
// read, retried, looked up and resubscribed stands above it, once.
// decision 7
import type { Readable } from 'node:stream';
import type { Json, Position, Revision } from '../envelope.ts';
import type { ExpectedRevision } from '../event-store.ts';

/** A position in the server's terms. */
export interface LogPlace {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as the server stores it; data and metadata are parsed if they are JSON. */
export interface RawEvent {
  readonly streamId: string;
  readonly id: string;
  readonly revision: Revision;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly position: Position;
}

export interface RawAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision | 'any';
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: Json;
    readonly metadata: object;
  }[];
}

/** `revisions`: of the last event of each stream. `position`: what the server says of the last event; null if it says nothing. */
export type AppendReply =
  | { readonly kind: 'appended'; readonly revisions: readonly Revision[]; readonly position: Position | null }
  | { readonly kind: 'wrong revision'; readonly stream: string; readonly actual: Revision | 'no_stream' };

/** A read of the log: forwards inclusive, backwards exclusive. With a filter, only events that match are sent and counted. */
interface LogRequest {
  readonly of: 'log';
  readonly from: LogPlace | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
  readonly filter: LogFilter;
}

/** A read of one stream, from a revision, inclusive. */
interface StreamRequest {
  readonly of: 'stream';
  readonly stream: string;
  readonly from: bigint | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

export type ReadRequest = LogRequest | StreamRequest;

/** Prefixes of streams; none: all but those of the system. `nothing`: all streams. */
export type LogFilter = readonly string[] | 'nothing';

/** What comes of a read. Once it has ended or was stopped, whatever comes is ignored. */
export interface ReadListener {
  readonly event: (event: RawEvent) => void;
  /** At the end, also of a stream that does not exist, or with the error that ended it. */
  readonly end: (error?: unknown) => void;
}

/** A subscription: emits `data` with `{ event?: ClientEvent }`, `confirmation`, `caughtUp`, `end`, `error`. */
export interface Flow {
  readonly events: Readable;
  /** Ends the call and ignores whatever happens on it afterwards. */
  stop(): void;
}

export interface Connection {
  /** How many streams the server writes at once, all or nothing. */
  readonly streamsAtOnce: 'one' | 'many';
  /** Streams in the given order, each once. `givenUp` is aborted when no caller waits for it. Rejects with errors of the client. */
  append(unit: readonly RawAppend[], givenUp: AbortSignal): Promise<AppendReply>;
  /** Asks the server for what the client needs of it; rejects with what is wrong. */
  probe?(): Promise<void>;
  /** Begins a read. The answer stops it. */
  read(request: ReadRequest, listener: ReadListener): () => void;
  /**
   * After the position, exclusive; the server omits streams of other prefixes, and system streams if there are none.
   */
  subscribe(from: LogPlace | 'start', prefixes: readonly string[]): Flow;
  close(): Promise<void>;
}
