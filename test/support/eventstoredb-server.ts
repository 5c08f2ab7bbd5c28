// An EventStoreDB for tests: real gRPC on a free port, the client's own messages, a log in memory, and bad manners on
// request. It speaks what Daybook uses of the Streams, Gossip and ServerFeatures services.
import { setTimeout as sleep } from 'node:timers/promises';
import grpc from '@grpc/grpc-js';
import gossipServices from '#event-store-messages/gossip_grpc_pb.js';
import gossipPb from '#event-store-messages/gossip_pb.js';
import featureServices from '#event-store-messages/serverfeatures_grpc_pb.js';
import featuresPb from '#event-store-messages/serverfeatures_pb.js';
import shared from '#event-store-messages/shared_pb.js';
import streamServices from '#event-store-messages/streams_grpc_pb.js';
import { compressing } from './eventstoredb-compression.ts';
import { openJournal } from './eventstoredb-journal.ts';
import { createEventLog, type EventLog } from './eventstoredb-log.ts';
import { failure } from './eventstoredb-messages.ts';
import { type Conduct, streamsService } from './eventstoredb-streams.ts';
import { addNewerAppends, NEWER_METHODS, NEWER_SERVICE } from './kurrentdb-appends.ts';

/** What happens to one append instead of the usual. */
export type AppendFault =
  | 'none'
  | 'drop the connection before writing'
  | 'drop the connection after writing'
  | 'wrong revision after writing'
  | 'unavailable'
  | 'cancelled after writing'
  | 'never answer before writing'
  | 'never answer after writing';

export interface EventStoreDbServer {
  readonly port: number;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** For the adapter, without encryption. */
  readonly connectionString: string;
  readonly log: EventLog;
  /** The next appends, in order. */
  readonly appendFaults: AppendFault[];
  /** How many appends have arrived, on how many calls for several, how many calls were reads or subscriptions. */
  readonly counts: {
    appends: number;
    appendCalls: number;
    reads: number;
    /** Events that were sent, and messages that were compressed because the client offered to take them so. */
    events: number;
    compressed: number;
    /** Events that reads, but not subscriptions, have looked at. */
    lookedAt: number;
  };
  /** No call is answered until `resume`. */
  stall(): void;
  resume(): void;
  /** Breaks every connection and goes on listening. */
  dropConnections(): void;
  /** Breaks every connection and listens no more; the log stays. */
  stop(): Promise<void>;
  /** Listens again at the same port. */
  start(): Promise<void>;
  /** Whether any user is let in. */
  refusesUsers: boolean;
  /** How long a filtered read is silent before its first event, in milliseconds. */
  searchMs: number;
  /** Whether checkpoints of subscriptions point far beyond the log. */
  hasBadCheckpoints: boolean;
  /** Whether it tells the place of the first event of a unit instead of the last. */
  tellsFirstPosition: boolean;
  /** Set: this server is a follower, and sends those who want the leader there. */
  leader: EventStoreDbServer | null;
  /** `Basic …` headers that arrived, latest last. */
  readonly credentials: string[];
}

export interface ServerOptions {
  /** Without: no encryption. */
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
  /** Without: a free one. */
  readonly port?: number;
  /** Holds the log; without: it is in memory alone. */
  readonly file?: string;
}

const VERSION = '25.1.0';
/** Of the connection string: which client the tests use. A process that has the newer one runs under its condition, see package.json. */
export const SCHEME = process.env.DAYBOOK_TEST_CLIENT === 'kurrentdb' ? 'kurrentdb' : 'esdb';
const LOOPBACK = '127.0.0.1';

/** Starts the server. Its log begins with events of the system, as every EventStoreDB's does. */
export async function startEventStoreDb({
  tls,
  port: wanted = 0,
  file,
}: ServerOptions = {}): Promise<EventStoreDbServer> {
  const log = createEventLog(file === undefined ? null : openJournal(file));
  let listening: grpc.Server | null = null;
  let gate: { readonly passed: Promise<void>; open(): void } | null = null;

  const conduct: Conduct = {
    async admit(headers) {
      server.counts.reads += 1;
      await gate?.passed;
      check(headers);
    },
    searches: () => sleep(server.searchMs),
    sends() {
      server.counts.events += 1;
    },
    looksAt(events) {
      server.counts.lookedAt += events;
    },
    beginAppends() {
      server.counts.appendCalls += 1;
    },
    append: (headers, write) =>
      misbehaving(headers, write, (written) => ({
        kind: 'wrong revision',
        current: written.kind === 'wrong revision' ? -1n : written.revision,
      })),
    appendAll: (headers, write) =>
      misbehaving(
        headers,
        () => {
          const from = log.events.length;
          const written = write();
          if (!server.tellsFirstPosition || written.kind !== 'written') return written;
          return { ...written, position: log.events[from]?.position ?? 0n };
        },
        (written) => {
          const { stream = '', revision: current = -1n } = log.events.at(-1) ?? {};
          return written.kind === 'wrong revision'
            ? written
            : { kind: 'wrong revision', stream, expected: -1n, current };
        },
      ),
    isFollower: () => server.leader !== null,
    hasBadCheckpoints: () => server.hasBadCheckpoints,
  };

  /** An append, with the next fault; `lie` makes a wrong revision of what was written. */
  async function misbehaving<Decided>(
    headers: grpc.Metadata,
    write: () => Decided,
    lie: (written: Decided) => Decided,
  ): Promise<Decided> {
    server.counts.appends += 1;
    await gate?.passed;
    check(headers);
    switch (server.appendFaults.shift()) {
      case 'drop the connection before writing':
        server.dropConnections();
        return new Promise(() => undefined);
      case 'drop the connection after writing':
        write();
        server.dropConnections();
        return new Promise(() => undefined);
      case 'wrong revision after writing':
        return lie(write());
      case 'unavailable':
        throw failure(grpc.status.UNAVAILABLE, 'Server Is Too Busy');
      case 'cancelled after writing':
        write();
        throw failure(grpc.status.CANCELLED, 'Server is shutting down');
      case 'never answer before writing':
        return new Promise(() => undefined);
      case 'never answer after writing':
        write();
        return new Promise(() => undefined);
      default:
        return write();
    }
  }

  function check(headers: grpc.Metadata): void {
    const given = headers.get('authorization')[0];
    if (given !== undefined) server.credentials.push(String(given));
    if (server.refusesUsers) throw failure(grpc.status.UNAUTHENTICATED, 'Unauthenticated');
    if (server.leader === null || headers.get('requires-leader')[0] !== 'true') return;
    throw failure(grpc.status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': LOOPBACK,
      'leader-endpoint-port': String(server.leader.port),
    });
  }

  const listen = async (wantedPort: number): Promise<number> => {
    const next = new grpc.Server({ interceptors: [compressing(() => (server.counts.compressed += 1))] });
    next.addService(streamServices.StreamsService, streamsService(log, conduct));
    next.addService(featureServices.ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, answer: grpc.sendUnaryData<unknown>) => answer(null, supportedMethods()),
    });
    await addNewerAppends(next, log, conduct);
    next.addService(gossipServices.GossipService, {
      read: (_call: unknown, answer: grpc.sendUnaryData<unknown>) => answer(null, membersAround(server)),
    });
    const bound = await new Promise<number>((resolve, reject) => {
      next.bindAsync(`${LOOPBACK}:${wantedPort}`, credentialsOf(tls), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    listening = next;
    return bound;
  };

  const server: EventStoreDbServer = {
    port: 0,
    host: '',
    connectionString: '',
    log,
    appendFaults: [],
    counts: { appends: 0, appendCalls: 0, reads: 0, events: 0, compressed: 0, lookedAt: 0 },
    refusesUsers: false,
    searchMs: 0,
    hasBadCheckpoints: false,
    tellsFirstPosition: false,
    leader: null,
    credentials: [],
    stall() {
      let open = (): void => undefined;
      const passed = new Promise<void>((resolve) => {
        open = resolve;
      });
      gate = { passed, open };
    },
    resume() {
      gate?.open();
      gate = null;
    },
    dropConnections() {
      listening?.drain(server.host, 0);
    },
    async stop() {
      listening?.forceShutdown();
      listening = null;
      server.resume();
    },
    async start() {
      await listen(server.port);
    },
  };
  const port = await listen(wanted);
  const host = `${LOOPBACK}:${port}`;
  Object.assign(server, { port, host, connectionString: `${SCHEME}://${host}?tls=false` });
  if (log.events.length === 0) writeSystemEvents(log, 3);
  return server;
}

/** Statistics, as a server writes them every now and then. */
export function writeSystemEvents(log: EventLog, count: number): void {
  const [data, metadata] = [Buffer.from('{}'), Buffer.from('{}')];
  for (let index = 0; index < count; index += 1) {
    const event = { type: '$statsCollected', contentType: 'application/json', data, metadata };
    log.append('$stats-127.0.0.1:2113', 'any', [{ ...event, id: crypto.randomUUID() }]);
  }
}

function credentialsOf(tls: ServerOptions['tls']): grpc.ServerCredentials {
  if (!tls) return grpc.ServerCredentials.createInsecure();
  return grpc.ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }], false);
}

function supportedMethods(): featuresPb.SupportedMethods {
  const methods = new featuresPb.SupportedMethods().setEventStoreServerVersion(VERSION);
  for (const name of ['read', 'append', 'batchappend']) {
    const method = new featuresPb.SupportedMethod().setServiceName('event_store.client.streams.streams');
    methods.addMethods(method.setMethodName(name));
  }
  for (const name of NEWER_METHODS) {
    const method = new featuresPb.SupportedMethod().setServiceName(NEWER_SERVICE);
    methods.addMethods(method.setMethodName(name));
  }
  return methods;
}

function membersAround(server: EventStoreDbServer): gossipPb.ClusterInfo {
  const { LEADER, FOLLOWER } = gossipPb.MemberInfo.VNodeState;
  const members = server.leader ? [server, server.leader] : [server];
  const info = new gossipPb.ClusterInfo();
  for (const [index, member] of members.entries()) {
    const isLeader = index === members.length - 1;
    const endPoint = new gossipPb.EndPoint().setAddress(LOOPBACK).setPort(member.port);
    const id = new shared.UUID().setString(crypto.randomUUID());
    info.addMembers(
      new gossipPb.MemberInfo()
        .setInstanceId(id)
        .setTimeStamp('0')
        .setState(isLeader ? LEADER : FOLLOWER)
        .setIsAlive(true)
        .setHttpEndPoint(endPoint),
    );
  }
  return info;
}
