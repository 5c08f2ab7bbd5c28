// The Streams service of the EventStoreDB of the tests: append, batch append, read and subscribe.

import grpc from '@grpc/grpc-js';
import shared from '#event-store-messages/shared_pb.js';
import type { IStreamsServer } from '#event-store-messages/streams_grpc_pb.js';
import pb from '#event-store-messages/streams_pb.js';
import type { Decision, EventLog, StoredEvent, UnitDecision } from './eventstoredb-log.ts';
import {
  expectedOfAppend,
  expectedOfBatch,
  failure,
  streamName,
  toAppendResponse,
  toBatchResponse,
  toCheckpoint,
  toIdentifier,
  toProposedEvent,
  toReadResponse,
} from './eventstoredb-messages.ts';

/** How the server behaves at the moment; asked before and after everything it does. */
export interface Conduct {
  /** Waits while the server is stalled; throws when the call is to fail. */
  admit(headers: grpc.Metadata): Promise<void>;
  /** A call for several appends has begun. */
  beginAppends(): void;
  /** Waits as long as a server searches that has much to search in. */
  searches(): Promise<unknown>;
  /** An event is sent to a reader. */
  sends(): void;
  /** So many events of the log, or of a stream, were looked at for a read. */
  looksAt(events: number): void;
  /** Around an append: may refuse, lie, or cut the connection before or after it. */
  append(headers: grpc.Metadata, write: () => Decision): Promise<Decision>;
  /** The same around an append to several streams. */
  appendAll(headers: grpc.Metadata, write: () => UnitDecision): Promise<UnitDecision>;
  /** Whether another node is the leader. */
  isFollower(): boolean;
  /** Whether checkpoints of filtered subscriptions point far beyond the log. */
  hasBadCheckpoints(): boolean;
}

const EVENTS_PER_CHECKPOINT = 8;
const BEYOND_THE_LOG = 1_000_000_000_000n;

export function streamsService(log: EventLog, conduct: Conduct): IStreamsServer {
  return {
    append(call, answer) {
      const requests: pb.AppendReq[] = [];
      call.on('error', () => undefined);
      call.on('data', (request: pb.AppendReq) => requests.push(request));
      call.on('end', () => {
        const [options] = requests.flatMap((request) => request.getOptions() ?? []);
        if (!options) return answer(failure(grpc.status.INVALID_ARGUMENT, 'no options'));
        const proposed = requests.flatMap((request) => request.getProposedMessage() ?? []).map(toProposedEvent);
        const stream = streamName(options.getStreamIdentifier());
        const write = () => log.append(stream, expectedOfAppend(options), proposed);
        conduct.append(call.metadata, write).then((decision) => answer(null, toAppendResponse(decision)), answer);
      });
    },

    batchAppend(call) {
      conduct.beginAppends();
      const open = new Map<string, pb.BatchAppendReq[]>();
      call.on('error', () => undefined);
      call.on('end', () => call.end());
      call.on('data', (request: pb.BatchAppendReq) => {
        const correlation = request.getCorrelationId() ?? new shared.UUID();
        const id = correlation.getString();
        const requests = [...(open.get(id) ?? []), request];
        open.set(id, requests);
        const options = requests[0]?.getOptions();
        if (!request.getIsFinal() || !options) return;
        open.delete(id);
        // What servers take for none is nowhere said.
        const deadline = (options.getDeadline()?.getSeconds() ?? 0) * 1000;
        if (deadline <= Date.now())
          return void call.emit('error', failure(grpc.status.INVALID_ARGUMENT, 'no deadline ahead'));
        const stream = streamName(options.getStreamIdentifier());
        const proposed = requests.flatMap((part) => part.getProposedMessagesList()).map(toProposedEvent);
        const write = () => log.append(stream, expectedOfBatch(options), proposed);
        conduct.append(call.metadata, write).then(
          (decision) => call.write(toBatchResponse(correlation, stream, decision)),
          (error: unknown) => call.emit('error', error),
        );
      });
    },

    read(call) {
      call.on('error', () => undefined);
      const options = call.request.getOptions() ?? new pb.ReadReq.Options();
      conduct.admit(call.metadata).then(
        async () => {
          if (options.hasSubscription()) return subscribe(call, options, { log, conduct });
          if (options.hasFilter()) await conduct.searches();
          const sending = { ...conduct, log };
          if (options.hasAll()) return readAll(call, options, sending);
          return readStream(call, options, sending);
        },
        (error: unknown) => call.emit('error', error),
      );
    },

    delete: (_call, answer) => answer(failure(grpc.status.UNIMPLEMENTED, 'nothing is deleted here')),
    tombstone: (_call, answer) => answer(failure(grpc.status.UNIMPLEMENTED, 'nothing is deleted here')),
  };
}

type ReadCall = grpc.ServerWritableStream<pb.ReadReq, pb.ReadResp>;

const isBackwards = (options: pb.ReadReq.Options): boolean =>
  options.getReadDirection() === pb.ReadReq.Options.ReadDirection.BACKWARDS;

/** At most as many as are asked for and wanted, of those from the first index up to the second, which is not among them. */
function send(
  call: ReadCall,
  events: readonly StoredEvent[],
  options: pb.ReadReq.Options,
  { sends, looksAt }: Pick<Conduct, 'sends' | 'looksAt'>,
  [from, to]: readonly [from: number, to: number] = [0, events.length],
): void {
  const isWanted = filterOf(options);
  const step = isBackwards(options) ? -1 : 1;
  let left = Number(options.getCount());
  let index = step > 0 ? from : to - 1;
  for (; index >= from && index < to && left > 0; index += step) {
    const event = events[index];
    if (!event || !isWanted(event.stream)) continue;
    left -= 1;
    sends();
    call.write(toReadResponse(event));
  }
  looksAt(Math.abs(index - (step > 0 ? from : to - 1)));
  call.end();
}

type Sending = Pick<Conduct, 'sends' | 'looksAt'> & { readonly log: EventLog };

function readStream(call: ReadCall, options: pb.ReadReq.Options, sending: Sending): void {
  const where = options.getStream();
  const name = streamName(where?.getStreamIdentifier());
  const all = sending.log.streamOf(name);
  if (all.length === 0) {
    const missing = new pb.ReadResp.StreamNotFound().setStreamIdentifier(toIdentifier(name));
    call.write(new pb.ReadResp().setStreamNotFound(missing));
    call.end();
    return;
  }
  send(call, chosenOfStream(where, all, options), options, sending);
}

function chosenOfStream(
  where: pb.ReadReq.Options.StreamOptions | undefined,
  all: readonly StoredEvent[],
  options: pb.ReadReq.Options,
): readonly StoredEvent[] {
  if (!where?.hasRevision()) return where?.hasEnd() && !isBackwards(options) ? [] : all;
  const from = Number(where.getRevision());
  if (!isBackwards(options)) return all.slice(from);
  // From beyond the end there is nothing, not even the last event.
  return from >= all.length ? [] : all.slice(0, from + 1);
}

/** Forwards from a position includes it, backwards it does not. */
function readAll(call: ReadCall, options: pb.ReadReq.Options, sending: Sending): void {
  const where = options.getAll();
  const at = where?.getPosition();
  const { events } = sending.log;
  if (!at) {
    const range = where?.hasEnd() && !isBackwards(options) ? ([0, 0] as const) : ([0, events.length] as const);
    send(call, events, options, sending, range);
    return;
  }
  const index = firstFrom(events, BigInt(at.getPreparePosition()));
  send(call, events, options, sending, isBackwards(options) ? [0, index] : [index, events.length]);
}

interface Serving {
  readonly log: EventLog;
  readonly conduct: Conduct;
}

/** From a position does not include it. */
function subscribe(call: ReadCall, options: pb.ReadReq.Options, { log, conduct }: Serving): void {
  const where = options.getAll();
  const isWanted = filterOf(options);
  const at = where?.getPosition();
  const after = at ? BigInt(at.getPreparePosition()) : -1n;
  let next = where?.hasEnd() ? log.events.length : firstFrom(log.events, after + 1n);
  let passed = 0;

  function checkpoint(position: bigint): void {
    passed = 0;
    call.write(toCheckpoint(conduct.hasBadCheckpoints() ? position + BEYOND_THE_LOG : position));
  }

  function catchUp(): void {
    for (; next < log.events.length; next += 1) {
      const event = log.events[next];
      if (!event) return;
      if (isWanted(event.stream)) {
        conduct.sends();
        call.write(toReadResponse(event));
      }
      passed += 1;
      if (options.hasFilter() && passed >= EVENTS_PER_CHECKPOINT) checkpoint(event.position);
    }
  }

  const confirmation = new pb.ReadResp.SubscriptionConfirmation().setSubscriptionId('subscription');
  call.write(new pb.ReadResp().setConfirmation(confirmation));
  catchUp();
  call.write(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()));
  const stop = log.onAppend(catchUp);
  call.on('cancelled', stop);
  call.on('close', stop);
}

/** The index of the first event at a position or behind it; how many there are if there is none. */
function firstFrom(events: readonly StoredEvent[], position: bigint): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.position ?? 0n) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function filterOf(options: pb.ReadReq.Options): (stream: string) => boolean {
  const expression = options.getFilter()?.getStreamIdentifier();
  if (!expression) return () => true;
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (stream) => prefixes.some((prefix) => stream.startsWith(prefix));
  const pattern = new RegExp(expression.getRegex(), 'u');
  return (stream) => pattern.test(stream);
}
