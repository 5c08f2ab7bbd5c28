// The newer protocol of appends as the server of the tests speaks it: several streams at once, all or none. Its messages are
// those of the newer client, which is optional: without it the server is one of before 25.1.
import grpc from '@grpc/grpc-js';
import type pb from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import status from '#event-store-messages/status_pb.js';
import type { EventLog, Part, UnitDecision } from './eventstoredb-log.ts';
import { failure } from './eventstoredb-messages.ts';
import type { Conduct } from './eventstoredb-streams.ts';

export const NEWER_SERVICE = 'kurrentdb.protocol.v2.streams.StreamsService';

/** The default of a server: one mebibyte. */
const MAX_BYTES = 1_048_576;

/** The generated files; null if they are not installed. */
async function protocol() {
  try {
    const [services, messages, errors] = await Promise.all([
      import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_grpc_pb.js'),
      import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js'),
      import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/errors_pb.js'),
    ]);
    return { services: services.default, messages: messages.default, errors: errors.default };
  } catch {
    return null;
  }
}

const newer = await protocol();

/** What the server says that it can. */
export const NEWER_METHODS: readonly string[] = newer ? ['appendsession'] : [];

export async function addNewerAppends(server: grpc.Server, log: EventLog, conduct: Conduct): Promise<void> {
  if (!newer) return;
  server.addService(newer.services.StreamsServiceService, {
    appendSession(call: grpc.ServerReadableStream<pb.AppendRequest, unknown>, answer: grpc.sendUnaryData<unknown>) {
      const requests: pb.AppendRequest[] = [];
      call.on('error', () => undefined);
      call.on('data', (request: pb.AppendRequest) => requests.push(request));
      call.on('end', () => {
        const refusal = conduct.isFollower() ? notLeader() : refusalOfSize(requests);
        if (refusal) return answer(refusal);
        const write = () => log.appendAll(requests.map(partOf));
        conduct.appendAll(call.metadata, write).then((decision) => answerWith(decision, requests, answer), answer);
      });
    },
  });
}

function answerWith(
  decision: UnitDecision,
  requests: readonly pb.AppendRequest[],
  answer: grpc.sendUnaryData<unknown>,
): void {
  if (!newer) return;
  if (decision.kind === 'wrong revision') {
    const { stream, expected, current } = decision;
    const details = new newer.errors.StreamRevisionConflictErrorDetails()
      .setStream(stream)
      .setExpectedRevision(String(expected))
      .setActualRevision(String(current));
    const why = `Append failed due to a revision conflict on stream '${stream}'.`;
    const name = 'StreamRevisionConflictErrorDetails';
    answer(detailed(grpc.status.FAILED_PRECONDITION, why, name, details.serializeBinary()));
    return;
  }
  const { AppendResponse, AppendSessionResponse } = newer.messages;
  const response = new AppendSessionResponse().setPosition(String(decision.position));
  for (const [index, request] of requests.entries())
    response.addOutput(
      new AppendResponse().setStream(request.getStream()).setStreamRevision(String(decision.revisions[index])),
    );
  answer(null, response);
}

const notLeader = (): Partial<grpc.ServiceError> =>
  detailed(
    grpc.status.FAILED_PRECONDITION,
    'This node is not the leader.',
    'NotLeaderNodeErrorDetails',
    new Uint8Array(),
  );

function refusalOfSize(requests: readonly pb.AppendRequest[]): Partial<grpc.ServiceError> | null {
  if (requests.length === 0) return failure(grpc.status.INVALID_ARGUMENT, 'No requests.');
  const size = requests.reduce((sum, request) => sum + request.serializeBinary().length, 0);
  if (!newer || size <= MAX_BYTES) return null;
  const details = new newer.errors.AppendTransactionSizeExceededErrorDetails().setSize(size).setMaxSize(MAX_BYTES);
  const name = 'AppendTransactionSizeExceededErrorDetails';
  return detailed(grpc.status.ABORTED, `The total size ${size} exceeds the maximum.`, name, details.serializeBinary());
}

/** An error with details, as the newer protocol tells what is wrong. */
function detailed(code: grpc.status, why: string, name: string, details: Uint8Array): Partial<grpc.ServiceError> {
  const any = new anyPb.Any();
  any.pack(details, `kurrentdb.protocol.v2.streams.errors.${name}`);
  const told = new status.Status().setMessage(why).setDetails(any);
  const error = failure(code, why);
  error.metadata?.set('grpc-status-details-bin', Buffer.from(told.serializeBinary()));
  return error;
}

/** Metadata of an event are texts, which readers get as one object. */
function partOf(request: pb.AppendRequest): Part {
  const expected = BigInt(request.getExpectedRevision() ?? -2);
  return {
    stream: request.getStream(),
    expected: expected === -2n ? 'any' : expected === -4n ? 'stream exists' : expected,
    proposed: request.getRecordsList().map((record) => {
      const properties: Record<string, unknown> = {
        '$schema.format': 'Json',
        '$schema.name': record.getSchema()?.getName(),
      };
      record.getPropertiesMap().forEach((value, name) => {
        properties[name] = value.getStringValue();
      });
      return {
        id: (record.getRecordId() ?? '').toLowerCase(),
        type: record.getSchema()?.getName() ?? '',
        contentType: 'application/json',
        data: record.getData_asU8(),
        metadata: Buffer.from(JSON.stringify(properties)),
      };
    }),
  };
}
