// The only file that imports @eventstore/db-client. It hides the client's types and avoids its bugs that could end the
// process; eventstoredb-errors.ts decides what its errors mean.
// decision 7
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import { type CallOptions, ChannelCredentials, type Metadata } from '@grpc/grpc-js';
import { CompressionFilter } from '@grpc/grpc-js/build/src/compression-filter.js';
import type { ExpectedRevision } from '../event-store.ts';
import { BadConnectionString, type EventStoreDbAddress } from './address.ts';
import { type AppendCall, openAppendStream } from './append-stream.ts';
import { StoreClosed } from './errors.ts';
import {
  type LogPlace,
  type LogRequest,
  logRequest,
  type MessageStream,
  openReadCall,
  READ,
  type ReadCall,
  type ReadListener,
  type ReadRequest,
  streamRequest,
} from './read-call.ts';
import type { RawEvent } from './wire.ts';

export interface RawAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision | 'any';
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: unknown;
    readonly metadata: unknown;
  }[];
  readonly deadlineMs: number;
}

/** `revision`: of the stream's last event; -1 if a refused append found no stream. */
export interface RawAppendReply {
  readonly success: boolean;
  readonly revision: bigint;
  readonly position: LogPlace | undefined;
}

/** A subscription: emits `data` with `{ event?: FollowedEvent }`, `confirmation`, `caughtUp`, `end`, `error`. */
export interface Flow {
  readonly events: Readable;
  /** Ends the call and ignores whatever happens on it afterwards. */
  stop(): void;
}

/** An event from the client; data and metadata are parsed if they are JSON. */
export interface FollowedEvent extends Omit<RawEvent, 'revision' | 'position'> {
  readonly revision: bigint;
  readonly position: LogPlace | undefined;
}

export interface EventStoreDbConnection {
  append(request: RawAppend): Promise<RawAppendReply>;
  readStream(stream: string, request: ReadRequest<bigint>, listener: ReadListener): ReadCall;
  /** Forwards from the position, inclusive; backwards exclusive. */
  readAll(request: LogRequest, listener: ReadListener): ReadCall;
  /**
   * After the position, exclusive; the server omits streams of other prefixes, and system streams if there are none.
   */
  subscribe(from: LogPlace | 'start', prefixes: readonly string[]): Flow;
  close(): Promise<void>;
}

/** How many events a subscription buffers before it slows the server down. */
const HELD_EVENTS = 256;
/** How many events the server examines before it reports progress on a filtered subscription. */
const SEARCH_WINDOW = 1_000;
const CLOSE_MS = 2_000;

interface Channel {
  close(): void;
}

type StreamsClient = InstanceType<typeof streamServices.StreamsClient>;

/** Private parts of the client: what `withOwnCalls` replaces, and what begins calls. */
interface Internals {
  getGRPCClient: (service: typeof streamServices.StreamsClient, name: string) => Promise<StreamsClient>;
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
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<Channel>;
}

/**
 * - Appends go over a stream of our own instead of the client's. That one has no deadline, and its table of pending
 *   appends is shared by all connections: a broken stream empties it, and the next reply on another one then throws out
 *   of a socket handler. Its query what the server can has no deadline either, and its failure would be cached for good.
 * - The client reconnects in a promise that is never awaited; in a cluster without a leader it rejects.
 * - The client never closes its last channel; `hangUp` does, and prevents new ones.
 */
function withOwnCalls(client: EventStoreDBClient): {
  hangUp(): void;
  appendCall(): Promise<AppendCall>;
  read(request: pb.ReadReq, listener: ReadListener): ReadCall;
} {
  // Private in the type, plain properties of the instance at run time.
  const internals = client as unknown as Internals;
  const { handleError, createChannel } = internals;
  let latest: Channel | undefined;
  let isOver = false;
  internals.handleError = (grpcClient, error) => handleError(grpcClient, error).catch(() => undefined);
  internals.createChannel = async () => {
    if (isOver) throw new StoreClosed('the store is closed');
    latest = await createChannel();
    if (isOver) latest.close();
    return latest;
  };
  return {
    read(request, listener) {
      let grpcClient: StreamsClient | undefined;
      const begin = async (): Promise<MessageStream> => {
        grpcClient = await internals.getGRPCClient(streamServices.StreamsClient, 'reads');
        const [metadata, options] = internals.callArguments({ requiresLeader: true }, { deadline: Infinity });
        const { path, serialize, deserialize } = READ;
        return grpcClient.makeServerStreamRequest(path, serialize, deserialize, request, metadata, options);
      };
      return openReadCall(begin, listener, (error) => {
        if (error instanceof Error) void internals.handleError(grpcClient, error);
      });
    },
    appendCall: internals.GRPCStreamCreator(streamServices.StreamsClient, 'appends', (grpcClient) =>
      grpcClient.batchAppend(...internals.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    ),
    hangUp() {
      isOver = true;
      latest?.close();
    },
  };
}

interface SecureConnector {
  readonly connectionOptions?: { servername?: string };
}

/** Creates the TLS connections of every channel; private in the type. */
interface SecureCredentials {
  _createSecureConnector: (...args: unknown[]) => SecureConnector;
}

/**
 * TLS server names are host names. For a server that is given by its IP address gRPC sends the address, and Node warns
 * about that on standard error. Without a name the certificate is checked against the address as before.
 */
function nameNoAddresses(): void {
  const credentials: SecureCredentials = Object.getPrototypeOf(ChannelCredentials.createSsl());
  const create = credentials._createSecureConnector;
  credentials._createSecureConnector = function (...args) {
    const connector = create.apply(this, args);
    const { connectionOptions } = connector;
    if (connectionOptions && isIP(connectionOptions.servername ?? '') !== 0) connectionOptions.servername = '';
    return connector;
  };
}

nameNoAddresses();

/**
 * Messages are to come as they are. gRPC offers gzip by itself, and a KurrentDB from 25.1 on then compresses each event: the
 * same server gave 3,900–7,900 events a second without, and 870–1,560 with it.
 */
function offerNoCompression(): void {
  const { sendMetadata } = CompressionFilter.prototype;
  CompressionFilter.prototype.sendMetadata = async function (this: CompressionFilter, metadata) {
    const headers = await sendMetadata.call(this, metadata);
    headers.set('grpc-accept-encoding', 'identity');
    return headers;
  };
}

offerNoCompression();

interface Endable {
  readonly cancel?: () => Promise<void>;
  readonly unsubscribe?: () => Promise<void>;
}

function toFlow(call: Endable): Flow {
  // Every stream of the client is a Readable; its types follow those of an older Node, which differ in one symbol.
  const events = call as Endable & Readable;
  // A call may fail more than once, and after its caller has given up: an error without a listener ends the process.
  events.on('error', () => undefined);
  return {
    events,
    stop() {
      const ended = events.unsubscribe?.() ?? events.cancel?.();
      ended?.catch(() => undefined);
      // Pending events are read and dropped: a call with unread events never finishes, and the client keeps it.
      events.resume();
    },
  };
}

/** Creates the client; it connects on first use. Throws `BadConnectionString` (a missing certificate file). */
export function connectEventStoreDb(address: EventStoreDbAddress, setting: string): EventStoreDbConnection {
  const client = createClient(address, setting);
  const { hangUp, appendCall, read } = withOwnCalls(client);
  const { append } = openAppendStream(appendCall);
  return {
    append,
    readStream: (stream, request, listener) => read(streamRequest(stream, request), listener),
    readAll: (request, listener) => read(logRequest(request), listener),
    subscribe(from, prefixes) {
      const window = { maxSearchWindow: SEARCH_WINDOW, checkpointInterval: 1 };
      const filter =
        prefixes.length > 0
          ? streamNameFilter({ ...window, prefixes: [...new Set(prefixes)] })
          : streamNameFilter({ ...window, regex: '^[^$]' });
      const options = { fromPosition: from, filter, requiresLeader: true };
      return toFlow(client.subscribeToAll(options, { highWaterMark: HELD_EVENTS }));
    },
    async close() {
      await atMost(CLOSE_MS, client.dispose());
      hangUp();
    },
  };
}

function createClient(address: EventStoreDbAddress, setting: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(address.connectionString);
  } catch (error) {
    // Not the error's own words: they may quote the connection string.
    const isFile = error instanceof Error && /certificate|userCertFile/.test(error.message);
    const why = isFile
      ? 'a file that tlsCAFile, userCertFile or userKeyFile names cannot be read, or one of the last two is missing'
      : 'the client of EventStoreDB does not understand it';
    throw new BadConnectionString(`${setting} cannot be used: ${why}.`);
  }
}

/** Waits for work whose outcome does not matter, for a limited time. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), over]).finally(() => clearTimeout(timer));
}
