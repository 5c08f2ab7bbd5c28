// The connection through the newer client, for KurrentDB from 25.1 on: its own calls throughout, and one append for all
// streams of a unit. The only file that imports it. It is native in part and does not live in one process with the other one.
// decision 7
import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { BadConnectionString, type EventStoreDbAddress } from './address.ts';
import { type ClientEvent, PROPERTY, toPosition, toRawEvent } from './codec.ts';
import type { AppendReply, Connection, LogFilter, RawAppend, ReadListener, ReadRequest } from './connection.ts';
import { CallFailed, isPassing, kindOfFailure } from './errors.ts';
import { filterBy, flowOf, guard, makeClient } from './guarded-client.ts';

/** Creates the client; it connects on first use. Throws `BadConnectionString`, also if the package is not installed. */
export async function connectKurrentDb(
  { connectionString, credentials }: EventStoreDbAddress,
  setting: string,
): Promise<Connection> {
  const { KurrentDBClient: Client, streamNameFilter } = await import('@kurrent/kurrentdb-client').catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      throw new BadConnectionString(
        `${setting} cannot be used: kurrentdb:// needs the optional package @kurrent/kurrentdb-client, which cannot be loaded (${why}). ` +
          'Install it with npm, or write esdb:// for the client that is always there.',
      );
    },
  );
  const newClient = (): KurrentDBClient => makeClient(() => Client.connectionString(connectionString), setting);
  const begin = () => {
    const client = newClient();
    return { client, close: guard(client) };
  };
  let current = begin();
  /** Its reads have a connection of their own, in the native part; a lost one is not always found again after many failures. */
  let reads = newClient();

  /** It looks for the leader, and asks what the server can, once: after such an answer it has to do so again. */
  function begunAnew(failed: typeof current): void {
    if (failed !== current) return;
    void failed.close();
    current = begin();
  }

  const eventsOf = (client: KurrentDBClient, request: ReadRequest) => {
    const { direction, maxCount } = request;
    // Its reads take what stands in the connection string without decoding it.
    const options = { direction, maxCount, requiresLeader: true, ...(credentials && { credentials }) };
    if (request.of === 'stream') return client.readStream(request.stream, { ...options, fromRevision: request.from });
    const filter: LogFilter = request.filter;
    return client.readAll({
      ...options,
      fromPosition: request.from,
      ...(filter !== 'nothing' && { filter: filterBy(streamNameFilter, filter) }),
    });
  };

  return {
    streamsAtOnce: 'many',
    async append(unit) {
      const used = current;
      try {
        const { position, responses } = await used.client.multiStreamAppend(unit.map(requestOf));
        const revisions = responses.map(({ revision }) => Number(revision));
        return { kind: 'appended', revisions, position: toPosition({ commit: position, prepare: position }) };
      } catch (error) {
        const reason = toldBy(error);
        if ('kind' in reason) return reason;
        const kind = kindOfFailure(reason);
        if (kind === 'not leader' || kind === 'refused') begunAnew(used);
        throw reason;
      }
    },
    /** An append of nothing: a server that is too old is not even asked, one that can refuses it. */
    async probe() {
      await current.client.multiStreamAppend([]).catch((error: unknown) => {
        if (!INVALID.has((error as ClientError).code ?? -1)) throw toldBy(error);
      });
    },
    read(request, listener) {
      let isOver = false;
      const used = reads;
      const failed = (error: unknown): void => {
        if (isPassing(kindOfFailure(error)) && used === reads) reads = newClient();
      };
      void deliver(eventsOf(used, request), listener, () => isOver, failed);
      return () => {
        isOver = true;
      };
    },
    subscribe: (from, prefixes) => flowOf(current.client, from, filterBy(streamNameFilter, prefixes)),
    close: () => current.close(),
  };
}

/** The server takes texts only as metadata. */
const requestOf = ({ stream, expected, events }: RawAppend) => ({
  streamName: stream,
  expectedState: typeof expected === 'number' ? BigInt(expected) : expected,
  events: events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data,
    contentType: 'application/json' as const,
    metadata: { [PROPERTY]: JSON.stringify(metadata) },
  })),
});

async function deliver(
  events: AsyncIterable<{ readonly event?: ClientEvent }>,
  listener: ReadListener,
  isOver: () => boolean,
  failed: (error: unknown) => void,
): Promise<void> {
  let failure: unknown;
  try {
    for await (const { event } of events) {
      if (isOver()) return;
      if (event) listener.event(toRawEvent(event));
    }
  } catch (error) {
    if (kindOfFailure(error) !== 'missing stream') failure = error;
    failed(error);
  }
  listener.end(failure);
}

/** An error of the client, as far as this adapter looks at it. */
interface ClientError {
  readonly code?: number;
  readonly type?: string;
  readonly message: string;
  readonly streamName?: string;
  readonly actualState?: bigint | 'no_stream';
  readonly _raw?: { readonly metadata?: { get(name: string): readonly (string | Buffer)[] } };
}

/** How servers say that a request is none: an argument, or a precondition. */
const INVALID: ReadonlySet<number> = new Set([3, 9]);

/** The client knows no leader in an answer to an append. */
const NOT_LEADER = 'NotLeaderNodeErrorDetails';

function toldBy(error: unknown): Extract<AppendReply, { kind: 'wrong revision' }> | Error {
  const { type, message, streamName, actualState, _raw } = error as ClientError;
  if (type === 'wrong-expected-version' && streamName !== undefined && actualState !== undefined)
    return {
      kind: 'wrong revision',
      stream: streamName,
      actual: actualState === 'no_stream' ? actualState : Number(actualState),
    };
  const details = _raw?.metadata?.get('grpc-status-details-bin')[0];
  if (details?.includes(NOT_LEADER)) return new CallFailed('not-leader', message);
  return error instanceof Error ? error : new Error(String(error));
}
