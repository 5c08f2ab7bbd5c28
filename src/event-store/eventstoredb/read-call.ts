// One read of a stream or of the log, straight over gRPC: the client's own reads take twice the processor time.
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { type RawEvent, type ReadMessage, readMessage } from './wire.ts';

/** A position in EventStoreDB's terms. */
export interface LogPlace {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export interface ReadRequest<From> {
  readonly from: From | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

/** Of the log; with a filter, only events that match are sent and counted. */
export interface LogRequest extends ReadRequest<LogPlace> {
  readonly filter: LogFilter;
}

/** Prefixes of streams; none: all but those of the system. `nothing`: all streams. */
export type LogFilter = readonly string[] | 'nothing';

/** What comes of a read. */
export interface ReadListener {
  event(event: RawEvent): void;
  /** Once: at the end, also of a stream that does not exist, or with the error that ended it. */
  end(error?: unknown): void;
}

/** A read that has begun. */
export interface ReadCall {
  /** Ends it; the listener hears no more. */
  stop(): void;
}

/** The messages of a read, as gRPC delivers them. */
export type MessageStream = ClientReadableStream<ReadMessage>;

/** How such a read is asked for. */
export const READ = {
  path: '/event_store.client.streams.Streams/Read',
  serialize: (request: pb.ReadReq): Buffer => Buffer.from(request.serializeBinary()),
  deserialize: readMessage,
} as const;

/** `begin` sends the request; its failures, and those afterwards, are passed to `failed`, too. */
export function openReadCall(
  begin: () => Promise<MessageStream>,
  listener: ReadListener,
  failed: (error: unknown) => void,
): ReadCall {
  let messages: MessageStream | null = null;
  let isOver = false;

  function finish(error?: unknown): void {
    if (isOver) return;
    isOver = true;
    listener.end(error);
  }

  function listen(begun: MessageStream): void {
    messages = begun;
    begun
      // A call may fail more than once, and after its caller has given up: an error without a listener ends the process.
      .on('error', (error: Error) => {
        if (!isOver) failed(error);
        finish(convertToCommandError(error));
      })
      .on('data', (message: ReadMessage) => {
        if (isOver) return;
        if (message.kind === 'event') listener.event(message.event);
        else if (message.kind === 'missing stream') finish();
      })
      .on('end', () => finish());
    if (isOver) cancel();
  }

  /** In a turn of its own: a call that has just begun does not end otherwise. */
  function cancel(): void {
    setImmediate(() => messages?.cancel());
  }

  begin().then(listen, finish);
  return {
    stop() {
      if (isOver) return;
      isOver = true;
      cancel();
    },
  };
}

export function streamRequest(stream: string, request: ReadRequest<bigint>): pb.ReadReq {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new pb.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
  if (request.from === 'start') options.setStart(new shared.Empty());
  else if (request.from === 'end') options.setEnd(new shared.Empty());
  else options.setRevision(String(request.from));
  return requestFor(new pb.ReadReq.Options().setStream(options).setNoFilter(new shared.Empty()), request);
}

export function logRequest(request: LogRequest): pb.ReadReq {
  const { from, filter } = request;
  const options = new pb.ReadReq.Options.AllOptions();
  if (from === 'start') options.setStart(new shared.Empty());
  else if (from === 'end') options.setEnd(new shared.Empty());
  else {
    const position = new pb.ReadReq.Options.Position();
    position.setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare));
    options.setPosition(position);
  }
  const asked = new pb.ReadReq.Options().setAll(options);
  if (filter === 'nothing') asked.setNoFilter(new shared.Empty());
  else asked.setFilter(filterOf(filter));
  return requestFor(asked, request);
}

/** How many events the server looks at before it looks whether it is still asked. */
const SEARCH_WINDOW = 1_000;

function filterOf(prefixes: readonly string[]): pb.ReadReq.Options.FilterOptions {
  const expression = new pb.ReadReq.Options.FilterOptions.Expression();
  if (prefixes.length === 0) expression.setRegex('^[^$]');
  else expression.setPrefixList([...new Set(prefixes)]);
  return new pb.ReadReq.Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(1);
}

function requestFor(options: pb.ReadReq.Options, { direction, maxCount }: ReadRequest<unknown>): pb.ReadReq {
  const { FORWARDS, BACKWARDS } = pb.ReadReq.Options.ReadDirection;
  options
    .setResolveLinks(false)
    .setCount(String(maxCount))
    .setUuidOption(new pb.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  return new pb.ReadReq().setOptions(options);
}
