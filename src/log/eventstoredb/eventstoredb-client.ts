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
import { filterBy, flowOf, guard, makeClient } from './guarded-client.ts';
import { eventIn, requestFor } from './read-call.ts';

type StreamsClient = InstanceType<typeof streamServices.StreamsClient>;

/** Members of the client with which it begins calls itself. */
interface Internals {
  /** The client reconnects after failures of calls that it has begun, and ends them when it is disposed of. */
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
    subscribe: (from, prefixes) => flowOf(client, from, filterBy(streamNameFilter, prefixes)),
    close,
  };
}

/** The answer ends the read. */
function deliver(begin: () => Promise<ClientReadableStream<pb.ReadResp>>, listener: ReadListener): () => void {
  const begun = begin();
  begun.then(
    (call) =>
      call
        // A call may fail more than once, and after its caller has given up: an error without a listener ends the process.
        .on('error', listener.end)
        .on('data', (answer: pb.ReadResp) => {
          const event = eventIn(answer);
          if (event) listener.event(event);
        })
        .on('end', () => listener.end()),
    listener.end,
  );
  // In a turn of its own: a call that has just begun does not end otherwise.
  return () => void begun.then((call) => setImmediate(() => call.cancel())).catch(() => undefined);
}
