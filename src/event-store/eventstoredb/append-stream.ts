// Appends over one long call, which takes a third of the time of a call for each. The client has this as well, but with one
// table of pending appends for all connections and no time-out; see client.ts.
import { randomUUID } from 'node:crypto';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { RawAppend, RawAppendReply } from './client.ts';
import { NoAnswer } from './errors.ts';
import { uuidOf } from './wire.ts';

export type AppendCall = ClientDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>;

interface AppendStream {
  /**
   * Writes are sent in the order of these calls. Rejects with an error of the client if the call breaks, and with
   * `NoAnswer` after the deadline of the append; the outcome is unknown then.
   */
  append(request: RawAppend): Promise<RawAppendReply>;
}

interface Pending {
  resolve(reply: RawAppendReply): void;
  reject(error: unknown): void;
}

/** One call, from its beginning to its end. */
interface Line {
  readonly call: AppendCall;
  readonly pending: Map<string, Pending>;
  /** When something came last, in milliseconds of a monotonic clock. */
  heardAt: number;
}

/** A refused append, as `kindOfFailure` tells it. */
class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** Of what the server answers instead of a success, by the last part of its name. All others: the outcome is unknown. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', 'access-denied'],
  ['StreamDeleted', 'stream-deleted'],
  ['MaximumAppendSizeExceeded', 'maximum-append-size-exceeded'],
  ['MaximumAppendEventSizeExceeded', 'maximum-append-size-exceeded'],
  ['BadRequest', 'invalid-argument'],
]);

/** What servers say without such a name, where nothing was written. */
const SAYINGS: readonly (readonly [saying: RegExp, type: string])[] = [
  [/^server is (?:not ready|(?:too )?busy)\b/i, 'not-ready'],
  [/^(?:no )?leader info available\b/i, 'not-leader'],
];

function typeOf(name: string, message: string): string {
  const saying = SAYINGS.find(([pattern]) => pattern.test(message));
  return TYPES.get(name.split('.').at(-1) ?? '') ?? saying?.[1] ?? 'unknown';
}

/** In bytes; servers refuse larger messages. A larger event has one of its own. */
const MAX_MESSAGE = 1_048_576;

/** `open` begins a call; it is asked again for the first append after one has ended. */
export function openAppendStream(open: () => Promise<AppendCall>): AppendStream {
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
      .on('data', (reply: pb.BatchAppendResp) => take(line, reply))
      .on('error', (error: Error) => end(convertToCommandError(error)))
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

  return {
    async append(request) {
      const line = await lineNow();
      const id = randomUUID();
      const sentAt = performance.now();
      const messages = messagesOf(request, id);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          line.pending.delete(id);
          reject(new NoAnswer(`no answer within ${request.deadlineMs} ms`));
          // A call on which nothing comes at all would hold up every later append as well.
          if (line.heardAt <= sentAt) line.call.cancel();
        }, request.deadlineMs);
        line.pending.set(id, {
          resolve(reply) {
            clearTimeout(timer);
            resolve(reply);
          },
          reject(error) {
            clearTimeout(timer);
            reject(error);
          },
        });
        for (const message of messages) line.call.write(message);
      });
    },
  };
}

function take(line: Line, reply: pb.BatchAppendResp): void {
  line.heardAt = performance.now();
  const id = textOf(reply.getCorrelationId());
  const pending = line.pending.get(id);
  // It may have been given up.
  if (!pending) return;
  line.pending.delete(id);
  try {
    pending.resolve(replyOf(reply));
  } catch (error) {
    pending.reject(error);
  }
}

function replyOf(reply: pb.BatchAppendResp): RawAppendReply {
  const success = reply.getSuccess();
  if (!success) return refusalOf(reply);
  const position = success.getPosition();
  return {
    success: true,
    revision: BigInt(success.getCurrentRevision()),
    position: position && {
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    },
  };
}

/** Throws unless the stream was at another revision. */
function refusalOf(reply: pb.BatchAppendResp): RawAppendReply {
  const status = reply.getError();
  const details = status?.getDetails();
  const name = details?.getTypeName() ?? '';
  const wrong = details?.unpack(
    shared.WrongExpectedVersion.deserializeBinary,
    'event_store.client.WrongExpectedVersion',
  );
  const message = status?.getMessage() ?? name;
  if (!wrong) throw new AppendRefused(typeOf(name, message), message);
  const revision = wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : -1n;
  return { success: false, revision, position: undefined };
}

/** Servers answer with the same id, as text or in two halves. */
function textOf(id: shared.UUID | undefined): string {
  const halves = id?.getStructured();
  if (!halves) return id?.getString() ?? '';
  const hex = (half: string): string => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0');
  return uuidOf(hex(halves.getMostSignificantBits()), hex(halves.getLeastSignificantBits()));
}

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
