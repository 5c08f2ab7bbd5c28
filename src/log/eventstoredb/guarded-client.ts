// What both clients need so that a failing server never ends the process, and what their transport needs so that events come
// as they are. Both are built alike: what is changed here are plain members of their instances.
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { EventStoreDBClient, Filter, streamNameFilter } from '@eventstore/db-client';
import { ChannelCredentials, Metadata } from '@grpc/grpc-js';
import { BadConnectionString } from './address.ts';
import type { Flow, LogPlace } from './connection.ts';
import { CallFailed } from './errors.ts';

const CLOSE_MS = 2_000;

interface Channel {
  close(): void;
}

/** Members that the types of the clients keep to themselves. */
interface Internals {
  dispose: () => Promise<void>;
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<Channel>;
}

/**
 * - The clients reconnect in a promise that is never awaited; in a cluster without a leader it rejects, which would end the
 *   process.
 * - They close a channel that has failed at once; a call that was just to begin on it throws where nothing catches that.
 * - They never close their last channel.
 *
 * The answer closes the client, within two seconds.
 */
export function guard(client: object): () => Promise<void> {
  const internals = client as Internals;
  const { handleError, createChannel } = internals;
  let latest: Channel | undefined;
  let isOver = false;
  internals.handleError = (failed, error) => handleError(failed, error).catch(() => undefined);
  internals.createChannel = async () => {
    if (isOver) throw new CallFailed('closed', 'the store is closed');
    const channel = await createChannel();
    const close = channel.close.bind(channel);
    channel.close = () => void setImmediate(close);
    if (isOver) channel.close();
    latest = channel;
    return channel;
  };
  return async () => {
    await atMost(CLOSE_MS, internals.dispose());
    isOver = true;
    latest?.close();
  };
}

/** Makes a client. Throws `BadConnectionString`, in words of our own: those of the clients quote the password. */
export function makeClient<Client>(make: () => Client, setting: string): Client {
  try {
    return make();
  } catch (error) {
    const isFile = error instanceof Error && /certificate|userCertFile/.test(error.message);
    const why = isFile
      ? 'a file that tlsCAFile, userCertFile or userKeyFile names cannot be read, or one of the last two is missing'
      : 'the client of the server does not understand it';
    throw new BadConnectionString(`${setting} cannot be used: ${why}.`);
  }
}

/** How many events the server examines before it looks whether it is still asked, and tells a subscription how far it is. */
export const WINDOW = { maxSearchWindow: 1_000, checkpointInterval: 1 };
/** All streams but those of the system. */
export const NO_SYSTEM = '^[^$]';

/** Streams of these prefixes; none: all but those of the system. */
export const filterBy = (filter: typeof streamNameFilter, prefixes: readonly string[]): Filter =>
  prefixes.length > 0
    ? filter({ ...WINDOW, prefixes: [...new Set(prefixes)] })
    : filter({ ...WINDOW, regex: NO_SYSTEM });

/** How many events a subscription buffers before it slows the server down. */
const HELD_EVENTS = { highWaterMark: 256 };

/** A subscription of a client. */
export function flowOf(
  client: Pick<EventStoreDBClient, 'subscribeToAll'>,
  fromPosition: LogPlace | 'start',
  filter: Filter,
): Flow {
  const subscription = client.subscribeToAll({ fromPosition, filter, requiresLeader: true }, HELD_EVENTS);
  // Their types follow those of an older Node.
  const events = subscription as typeof subscription & Readable;
  // It may fail more than once, and after its caller has given up: an error without a listener ends the process.
  events.on('error', () => undefined);
  return {
    events,
    stop() {
      subscription.unsubscribe().catch(() => undefined);
      // Pending events are read and dropped: a call with unread events never finishes, and the client keeps it.
      events.resume();
    },
  };
}

/** Waits for work whose outcome does not matter, for a limited time. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), over]).finally(() => clearTimeout(timer));
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

const ENCODINGS = 'grpc-accept-encoding';

/**
 * gRPC offers gzip by itself, and a KurrentDB from 25.1 on then compresses each event: the same server gave 3,900–7,900 events
 * a second without, and 870–1,560 with it.
 */
function offerNoCompression(): void {
  const { set } = Metadata.prototype;
  Metadata.prototype.set = function (key, value) {
    set.call(this, key, key === ENCODINGS ? 'identity' : value);
  };
}

nameNoAddresses();
offerNoCompression();
