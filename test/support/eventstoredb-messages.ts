// Between the log of the tests and the messages of the EventStoreDB protocol, as its client's own code defines them.

import grpc from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import shared from '#event-store-messages/shared_pb.js';
import status from '#event-store-messages/status_pb.js';
import pb from '#event-store-messages/streams_pb.js';
import type { Decision, Expected, ProposedEvent, StoredEvent } from './eventstoredb-log.ts';

/** Of a repeated append servers tell the right position, a wrong one or none; here it is wrong. */
const SOMEWHERE_BEFORE = 1n;

/** A failure as the server reports it: `exception` is what the client goes by. */
export function failure(
  code: grpc.status,
  details: string,
  headers: Readonly<Record<string, string>> = {},
): Partial<grpc.ServiceError> {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function toIdentifier(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));
}

type Proposed = pb.AppendReq.ProposedMessage | pb.BatchAppendReq.ProposedMessage;

export function toProposedEvent(message: Proposed): ProposedEvent {
  const metadata = message.getMetadataMap();
  return {
    id: (message.getId()?.getString() ?? '').toLowerCase(),
    type: metadata.get('type') ?? '',
    contentType: metadata.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function expectedOfAppend(options: pb.AppendReq.Options): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream exists';
  return options.hasNoStream() ? -1n : BigInt(options.getRevision());
}

export function expectedOfBatch(options: pb.BatchAppendReq.Options): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream exists';
  return options.hasNoStream() ? -1n : BigInt(options.getStreamPosition());
}

export function toAppendResponse(decision: Decision): pb.AppendResp {
  if (decision.kind === 'wrong revision') {
    const wrong = new pb.AppendResp.WrongExpectedVersion();
    if (decision.current < 0n) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(decision.current));
    return new pb.AppendResp().setWrongExpectedVersion(wrong);
  }
  const success = new pb.AppendResp.Success().setCurrentRevision(String(decision.revision));
  const position = String(decision.kind === 'repeated' ? SOMEWHERE_BEFORE : decision.position);
  success.setPosition(new pb.AppendResp.Position().setCommitPosition(position).setPreparePosition(position));
  return new pb.AppendResp().setSuccess(success);
}

export function toBatchResponse(correlation: shared.UUID, stream: string, decision: Decision): pb.BatchAppendResp {
  const response = new pb.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(toIdentifier(stream));
  if (decision.kind === 'wrong revision') {
    const wrong = new shared.WrongExpectedVersion();
    if (decision.current < 0n) wrong.setCurrentNoStream(new emptyPb.Empty());
    else wrong.setCurrentStreamRevision(String(decision.current));
    const details = new anyPb.Any();
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
    return response.setError(new status.Status().setMessage('wrong expected version').setDetails(details));
  }
  const success = new pb.BatchAppendResp.Success().setCurrentRevision(String(decision.revision));
  if (decision.kind === 'repeated') return response.setSuccess(success.setNoPosition(new emptyPb.Empty()));
  const position = String(decision.position);
  success.setPosition(new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position));
  return response.setSuccess(success);
}

export function toReadResponse(event: StoredEvent): pb.ReadResp {
  const position = String(event.position);
  const recorded = new pb.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(toIdentifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded.getMetadataMap().set('type', event.type).set('content-type', event.contentType).set('created', '0');
  return new pb.ReadResp().setEvent(new pb.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position));
}

export function toCheckpoint(position: bigint): pb.ReadResp {
  const text = String(position);
  return new pb.ReadResp().setCheckpoint(new pb.ReadResp.Checkpoint().setCommitPosition(text).setPreparePosition(text));
}
