// Appends over one long call, which takes a third of the time of a call for each. The client has this as well, but with one
// table of pending appends for all connections and no time-out: a broken stream empties it, and the next reply on another one
// throws out of a socket handler, which ends the process.
import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { toPosition } from './codec.ts';
import type { AppendReply, RawAppend } from './connection.ts';
import { CallFailed } from './errors.ts';
import { uuidOf } from './read-call.ts';

export type AppendCall = ClientDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>;

/**
 * Writes are sent in the order of these calls. Rejects with the error that broke the call; the outcome is unknown then. Once it
 * is given up, nothing more comes of it.
 */
type AppendOver = (append: RawAppend, givenUp: AbortSignal) => Promise<AppendReply>;

interface Pending {
  resolve(reply: pb.BatchAppendResp): void;
  reject(error: unknown): void;
}

/** One call, from its beginning to its end. */
interface Line {
  readonly call: AppendCall;
  readonly pending: Map<string, Pending>;
  /** When something came last, in milliseconds of a monotonic clock. */
  heardAt: number;
}

/** `open` begins a call; it is asked again for the first append after one has ended. */
export function openAppendStream(open: () => Promise<AppendCall>): AppendOver {
  let current: Promise<Line> | null = null;

  async function begin(isOver: () => void): Promise<Line> {
    const line: Line = { call: await open(), pending: new Map(), heardAt: performance.now() };
    const end = (error: unknown): void => {
      isOver();
      for (const { reject } of line.pending.values()) reject(error);
      line.pending.clear();
    };
    const onEnd = (): void => end(new Error('the server ended the call for appends'));
    line.call
      .on('data', (reply: pb.BatchAppendResp) => {
        line.heardAt = performance.now();
        const id = textOf(reply.getCorrelationId());
        // It may have been given up.
        line.pending.get(id)?.resolve(reply);
        line.pending.delete(id);
      })
      .on('error', end)
      .on('end', onEnd)
      .on('close', onEnd);
    return line;
  }

  function lineNow(): Promise<Line> {
    if (current) return current;
    const isOver = (): void => {
      if (current === line) current = null;
    };
    const line = begin(isOver);
    line.catch(isOver);
    current = line;
    return line;
  }

  return async (append, givenUp) => {
    const line = await lineNow();
    const id = randomUUID();
    const sentAt = performance.now();
    const messages = messagesOf(append, id);
    const reply = await new Promise<pb.BatchAppendResp>((resolve, reject) => {
      line.pending.set(id, { resolve, reject });
      givenUp.addEventListener('abort', () => {
        line.pending.delete(id);
        // A call on which nothing comes at all would hold up every later append as well.
        if (line.heardAt <= sentAt) line.call.cancel();
      });
      for (const message of messages) line.call.write(message);
    });
    return replyTo(append, reply);
  };
}

function replyTo({ stream }: RawAppend, reply: pb.BatchAppendResp): AppendReply {
  const success = reply.getSuccess();
  if (!success) return refusalOf(stream, reply);
  const position = success.getPosition();
  return {
    kind: 'appended',
    revisions: [Number(success.getCurrentRevision())],
    position: position
      ? toPosition({ commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) })
      : null,
  };
}

/** Throws unless the stream was at another revision. */
function refusalOf(stream: string, reply: pb.BatchAppendResp): AppendReply {
  const status = reply.getError();
  const details = status?.getDetails();
  const name = details?.getTypeName().split('.').at(-1) ?? '';
  const wrong = details?.unpack(
    shared.WrongExpectedVersion.deserializeBinary,
    'event_store.client.WrongExpectedVersion',
  );
  // As the clients name it: `AccessDenied` is `access-denied`.
  if (!wrong) throw new CallFailed(name.replace(/\B[A-Z]/g, '-$&').toLowerCase(), status?.getMessage() ?? '');
  const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : 'no_stream';
  return { kind: 'wrong revision', stream, actual };
}

/** Servers answer with the same id, as text or in two halves. */
const textOf = (id: shared.UUID | undefined): string => (id ? uuidOf(id) : '');

/** In bytes; servers refuse larger messages. A larger event has one of its own. */
const MAX_MESSAGE = 1_048_576;

function messagesOf({ stream, expected, events }: RawAppend, id: string): pb.BatchAppendReq[] {
  const correlation = new shared.UUID().setString(id);
  const next = (): pb.BatchAppendReq => new pb.BatchAppendReq().setCorrelationId(correlation).setIsFinal(false);
  let message = next().setOptions(optionsOf(stream, expected));
  const messages = [message];
  let size = 0;
  for (const event of events) {
    const data = Buffer.from(JSON.stringify(event.data));
    const metadata = Buffer.from(JSON.stringify(event.metadata));
    if (size > 0 && size + data.length + metadata.length > MAX_MESSAGE) {
      message = next();
      messages.push(message);
      size = 0;
    }
    size += data.length + metadata.length;
    const proposed = message
      .addProposedMessages()
      .setId(new shared.UUID().setString(event.id))
      .setData(data)
      .setCustomMetadata(metadata);
    proposed.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  }
  message.setIsFinal(true);
  return messages;
}

/** The last second of the year 9999, the latest instant that the protocol has. */
const NEVER = new timestamp.Timestamp().setSeconds(253_402_300_799);

/** The server's deadline is an instant, and clocks differ: ours is kept here. Clients always send one, so it has one. */
function optionsOf(stream: string, expected: RawAppend['expected']): pb.BatchAppendReq.Options {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new pb.BatchAppendReq.Options().setStreamIdentifier(identifier).setDeadline(NEVER);
  if (typeof expected === 'number') return options.setStreamPosition(String(expected));
  return expected === 'any' ? options.setAny(new shared.Empty()) : options.setNoStream(new shared.Empty());
}
