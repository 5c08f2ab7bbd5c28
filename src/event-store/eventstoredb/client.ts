// The only file that imports @eventstore/db-client. It hides the client's types and avoids its bugs that could end the
// process; eventstoredb-errors.ts decides what its errors mean.
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { EventStoreDBClient, jsonEvent, streamNameFilter } from '@eventstore/db-client';
import { ChannelCredentials } from '@grpc/grpc-js';
import type { ExpectedRevision } from '../event-store.ts';
import { BadConnectionString, type EventStoreDbAddress } from './address.ts';
import { StoreClosed } from './errors.ts';

/** A position in EventStoreDB's terms. */
export interface LogPlace {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event from the client; data and metadata are parsed if they are JSON. */
export interface RawEvent {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly position: LogPlace | undefined;
}

export interface RawAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
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

/** A stream of events: emits `data` with `{ event?: RawEvent }`, `end`, `error`; a subscription also `confirmation`. */
export interface Flow {
  readonly events: Readable;
  /** Ends the call and ignores whatever happens on it afterwards. */
  stop(): void;
}

export interface ReadRequest<From> {
  readonly from: From | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

export interface EventStoreDbConnection {
  append(request: RawAppend): Promise<RawAppendReply>;
  readStream(stream: string, request: ReadRequest<bigint>): Flow;
  /** Forwards from the position, inclusive; backwards exclusive. Not filtered: the client cannot. */
  readAll(request: ReadRequest<LogPlace>): Flow;
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

/** Private parts of the client that `tame` replaces. */
interface Internals {
  supports: (method: unknown, feature?: string) => Promise<boolean>;
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<Channel>;
}

/**
 * - Appends go one call each instead of over the client's batch stream. That stream has no deadline, and its table of
 *   pending appends is shared by all connections: a broken stream empties it, and the next reply on another one then
 *   throws out of a socket handler. Declaring that the server cannot do it also avoids the query whether it can, which
 *   has no deadline either and whose failure would be cached for good.
 * - The client reconnects in a promise that is never awaited; in a cluster without a leader it rejects.
 * - The client never closes its last channel; `hangUp` does, and prevents new ones.
 */
function tame(client: EventStoreDBClient): { hangUp(): void } {
  // Private in the type, plain properties of the instance at run time.
  const internals = client as unknown as Internals;
  const { handleError, createChannel } = internals;
  let latest: Channel | undefined;
  let isOver = false;
  internals.supports = async () => false;
  internals.handleError = (grpcClient, error) => handleError(grpcClient, error).catch(() => undefined);
  internals.createChannel = async () => {
    if (isOver) throw new StoreClosed('the store is closed');
    latest = await createChannel();
    if (isOver) latest.close();
    return latest;
  };
  return {
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
  const { hangUp } = tame(client);
  return {
    async append({ stream, expected, events, deadlineMs }) {
      const proposed = events.map(({ id, type, data, metadata }) =>
        // The client's type asks for objects; it serialises any JSON.
        jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: metadata as Record<string, unknown> }),
      );
      const expectedRevision = typeof expected === 'number' ? BigInt(expected) : expected;
      const options = { expectedRevision, deadline: deadlineMs, requiresLeader: true };
      const reply = await client.appendToStream(stream, proposed, options);
      return { success: reply.success, revision: reply.nextExpectedRevision, position: reply.position };
    },
    readStream(stream, { from, direction, maxCount }) {
      const options = { fromRevision: from, direction, maxCount, requiresLeader: true };
      return toFlow(client.readStream(stream, options, { highWaterMark: HELD_EVENTS }));
    },
    readAll({ from, direction, maxCount }) {
      const options = { fromPosition: from, direction, maxCount, requiresLeader: true };
      return toFlow(client.readAll(options, { highWaterMark: HELD_EVENTS }));
    },
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
