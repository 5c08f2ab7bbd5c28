// Reads of a stream or of the log: requests and answers as messages of the protocol. The client's own reads of the log know no
// filter, so a log that is shared would be sent whole.
import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { type ClientEvent, toRawEvent } from './codec.ts';
import type { LogFilter, RawEvent, ReadRequest } from './connection.ts';
import { NO_SYSTEM, WINDOW } from './guarded-client.ts';

export function requestFor(request: ReadRequest): pb.ReadReq {
  const { FORWARDS, BACKWARDS } = pb.ReadReq.Options.ReadDirection;
  const options = request.of === 'stream' ? ofStream(request) : ofLog(request);
  options
    .setResolveLinks(false)
    .setCount(String(request.maxCount))
    .setUuidOption(new pb.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setReadDirection(request.direction === 'forwards' ? FORWARDS : BACKWARDS);
  return new pb.ReadReq().setOptions(options);
}

function ofStream({ stream, from }: Extract<ReadRequest, { of: 'stream' }>): pb.ReadReq.Options {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new pb.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
  if (from === 'start') options.setStart(new shared.Empty());
  else if (from === 'end') options.setEnd(new shared.Empty());
  else options.setRevision(String(from));
  return new pb.ReadReq.Options().setStream(options).setNoFilter(new shared.Empty());
}

function ofLog({ from, filter }: Extract<ReadRequest, { of: 'log' }>): pb.ReadReq.Options {
  const options = new pb.ReadReq.Options.AllOptions();
  if (from === 'start') options.setStart(new shared.Empty());
  else if (from === 'end') options.setEnd(new shared.Empty());
  else {
    const position = new pb.ReadReq.Options.Position();
    position.setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare));
    options.setPosition(position);
  }
  const message = new pb.ReadReq.Options().setAll(options);
  return filter === 'nothing' ? message.setNoFilter(new shared.Empty()) : message.setFilter(filterOf(filter));
}

function filterOf(prefixes: Exclude<LogFilter, 'nothing'>): pb.ReadReq.Options.FilterOptions {
  const expression = new pb.ReadReq.Options.FilterOptions.Expression();
  if (prefixes.length === 0) expression.setRegex(NO_SYSTEM);
  else expression.setPrefixList([...new Set(prefixes)]);
  return new pb.ReadReq.Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setMax(WINDOW.maxSearchWindow)
    .setCheckpointintervalmultiplier(WINDOW.checkpointInterval);
}

/** The event of an answer; undefined for other answers, and for a link to an event that is gone. */
export function eventIn(answer: pb.ReadResp): RawEvent | undefined {
  const recorded = answer.getEvent()?.getEvent();
  return recorded && toRawEvent(clientEvent(recorded));
}

function clientEvent(recorded: pb.ReadResp.ReadEvent.RecordedEvent): ClientEvent {
  const beside = recorded.getMetadataMap();
  const isJson = beside.get('content-type') === 'application/json';
  return {
    streamId: Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    id: uuidOf(recorded.getId() ?? new shared.UUID()),
    type: beside.get('type') ?? '',
    isJson,
    data: isJson ? parsed(recorded.getData_asU8()) : undefined,
    metadata: parsed(recorded.getCustomMetadata_asU8()),
    revision: BigInt(recorded.getStreamRevision()),
    position: { commit: BigInt(recorded.getCommitPosition()), prepare: BigInt(recorded.getPreparePosition()) },
  };
}

/** Undefined for what is not JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Servers give an id as text or in two halves. */
export function uuidOf(id: shared.UUID): string {
  const halves = id.getStructured();
  if (!halves) return id.getString();
  const [most, least] = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()].map((half) =>
    BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'),
  ) as [string, string]; // Of two halves.
  return `${most.slice(0, 8)}-${most.slice(8, 12)}-${most.slice(12)}-${least.slice(0, 4)}-${least.slice(4)}`;
}
