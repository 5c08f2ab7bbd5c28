// The connection through the client that the card names, for EventStoreDB from 22.6 and for KurrentDB. Connections,
// credentials, the search for the leader and subscriptions are its own; appends and reads are made over its channel. The only
// file that imports it.
// decision 7
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import type { EventStoreDbAddress } from './address.ts';
import { openAppendStream } from './append-stream.ts';
import type { Connection, ReadListener } from './connection.ts';
import { flowOf, guard, makeClient } from './guarded-client.ts';
import { eventIn, requestFor } from './read-call.ts';

/** How many events a subscription buffers before it slows the server down. */
const HELD_EVENTS = 256;
/** How many events the server examines before it reports progress on a filtered subscription. */
const SEARCH_WINDOW = 1_000;

type StreamsClient = InstanceType<typeof streamServices.StreamsClient>;

/** Members of the client with which it begins calls itself. */
interface Internals {
  /** Of calls that it has begun it reconnects after failures, and ends them when it is disposed of. */
  GRPCStreamCreator: <Call>(
    service: typeof streamServices.StreamsClient,
    name: string,
    begin: (client: StreamsClient) => Call,
  ) => () => Promise<Call>;
  callArguments: (
    options: { readonly requiresLeader: boolean },
    callOptions: CallOptions,
  ) => [metadata: Metadata, options: CallOptions];
}

/** Creates the client; it connects on first use. Throws `BadConnectionString` (a missing certificate file). */
export function connectEventStoreDb({ connectionString }: EventStoreDbAddress, setting: string): Connection {
  const client = makeClient(() => EventStoreDBClient.connectionString(connectionString), setting);
  const close = guard(client);
  // Protected in the type, plain members of the instance at run time.
  const { GRPCStreamCreator, callArguments } = client as unknown as Internals;
  const leader = (): ReturnType<Internals['callArguments']> =>
    callArguments({ requiresLeader: true }, { deadline: Infinity });
  const { StreamsClient: service } = streamServices;
  const append = openAppendStream(GRPCStreamCreator(service, 'appends', (streams) => streams.batchAppend(...leader())));
  return {
    streamsAtOnce: 'one',
    async append([only], givenUp) {
      if (!only) throw new Error('There is nothing to append.');
      return append(only, givenUp);
    },
    read(request, listener) {
      const message = requestFor(request);
      return deliver(
        GRPCStreamCreator(service, 'reads', (streams) => streams.read(message, ...leader())),
        listener,
      );
    },
    subscribe(fromPosition, prefixes) {
      const window = { maxSearchWindow: SEARCH_WINDOW, checkpointInterval: 1 };
      const filter =
        prefixes.length > 0
          ? streamNameFilter({ ...window, prefixes: [...new Set(prefixes)] })
          : streamNameFilter({ ...window, regex: '^[^$]' });
      const options = { fromPosition, filter, requiresLeader: true };
      return flowOf(client.subscribeToAll(options, { highWaterMark: HELD_EVENTS }));
    },
    close,
  };
}

/** The answer ends the read. */
function deliver(begin: () => Promise<ClientReadableStream<pb.ReadResp>>, listener: ReadListener): () => void {
  let call: ClientReadableStream<pb.ReadResp> | null = null;
  let isOver = false;

  function finish(error?: unknown): void {
    if (isOver) return;
    isOver = true;
    listener.end(error);
  }

  /** In a turn of its own: a call that has just begun does not end otherwise. */
  const cancel = (): void => void setImmediate(() => call?.cancel());

  function listen(begun: ClientReadableStream<pb.ReadResp>): void {
    call = begun;
    begun
      // A call may fail more than once, and after its caller has given up: an error without a listener ends the process.
      .on('error', finish)
      .on('data', (answer: pb.ReadResp) => {
        const event = isOver ? undefined : eventIn(answer);
        if (event) listener.event(event);
      })
      .on('end', () => finish());
    if (isOver) cancel();
  }

  begin().then(listen, finish);
  return () => {
    if (isOver) return;
    isOver = true;
    cancel();
  };
}
