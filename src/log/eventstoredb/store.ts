// The event store in EventStoreDB 22.6 or newer, or in KurrentDB, for more than one machine. One connection per process, opened
// at startup, through one of two clients.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Position } from '../envelope.ts';
import { AppendOutcomeUnknown, type EventStoreAdapter } from '../event-store.ts';
import { BadConnectionString, type EventStoreDbAddress, readConnectionString, speaksTls } from './address.ts';
import { createWriter } from './append.ts';
import { readByStreamOver } from './by-stream.ts';
import { openCallGate } from './calls.ts';
import { toLogPlace } from './codec.ts';
import type { Connection } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { CallFailed, explainFailure, kindOfFailure, TlsExpected, toPortError } from './errors.ts';
import { createReader } from './read.ts';
import { follow } from './subscribe.ts';

interface EventStoreDbOptions {
  /**
   * `esdb://user:password@host:2113?tls=true`, several hosts with commas, or `esdb+discover://name`; `kurrentdb://` for the
   * newer client, which writes several streams at once. Encryption, credentials, keep-alive (10 s by default) and the
   * authority's certificate are all options of it.
   */
  readonly connectionString: string;
  /** Time-out of one answer, in milliseconds; default: `defaultDeadline` of the connection string, or 3,000. */
  readonly deadlineMs?: number;
  /** The source of the connection string, for messages; default `DAYBOOK_EVENT_STORE`. */
  readonly setting?: string;
  /** The prefixes of all streams that Daybook writes in this log, by which the server finds its last event; absent: of any stream. */
  readonly prefixes?: readonly string[];
  /** Called when a broken subscription is reopened. */
  readonly log?: { warn(details: object, message: string): void };
}

export interface EventStoreDb extends EventStoreAdapter {
  readonly mark: NonNullable<EventStoreAdapter['mark']>;
  /**
   * Connects and reads the last event, which warms up the connection. Rejects with `EventStoreUnavailable` whose
   * message is one sentence: the server cannot be reached, refuses the user, is not the leader, is silent.
   */
  probe(): Promise<void>;
}

/** Its events are no facts of Daybook, so no read of the log finds them. */
const MARK_STREAM = 'daybook-mark';
const MARK_TYPE = 'DaybookMark';

/** The one client of this process: the generated classes of two would share globals. */
let loaded: EventStoreDbAddress['client'] | null = null;

/** Each client is loaded only where it is named: they are half of the startup time, and one of them is optional. */
async function connect(address: EventStoreDbAddress, setting: string): Promise<Connection> {
  loaded ??= address.client;
  if (address.client !== loaded)
    throw new BadConnectionString(
      `${setting} cannot be used: one process has one client of such servers: write both addresses as esdb:// or both as kurrentdb://.`,
    );
  if (address.client === 'kurrentdb') return (await import('./kurrentdb-client.ts')).connectKurrentDb(address, setting);
  return (await import('./eventstoredb-client.ts')).connectEventStoreDb(address, setting);
}

/**
 * Opens the store without waiting for the server; see `probe`. Through `esdb://` streams of one append are written one by one,
 * so a conflict leaves those before it written; through `kurrentdb://` they are written at once. Events of other programs in
 * the same log are ignored. Rejects with `BadConnectionString`.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  const { setting = 'DAYBOOK_EVENT_STORE', log } = options;
  const address = readConnectionString(options.connectionString, setting, options.deadlineMs);
  const { deadlineMs } = address;
  const connection = await connect(address, setting);
  const ending = new AbortController();
  // Every pending call listens.
  setMaxListeners(0, ending.signal);
  const calls = openCallGate({ deadlineMs, closing: ending.signal });
  const common = { connection, deadlineMs, closing: ending.signal, calls };
  const reader = createReader({ ...common, prefixes: options.prefixes ?? [] });
  const writer = createWriter({ ...common, reader });

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      if (ending.signal.aborted) throw new CallFailed('closed', 'the store is closed');
      return await work();
    } catch (error) {
      throw error instanceof AppendOutcomeUnknown ? error : toPortError(error, address, setting);
    }
  }

  function onBreak(failure: unknown, pauseMs: number): void {
    const reason = explainFailure(failure, address, setting);
    log?.warn({ reason, pauseMs }, 'event store subscription lost; resubscribing');
  }

  return {
    append: (appends) => attempt(() => writer.append(appends)),
    ...(connection.streamsAtOnce === 'one' && {
      appendInOrder: (appends) => attempt(() => writer.appendInOrder(appends)),
    }),
    readStream: (stream, query) => attempt(() => reader.readStream(stream, query)),
    readAll: (query) => attempt(() => reader.readAll(query)),
    head: (): Promise<Position> => attempt(() => reader.head()),
    mark: {
      read: () => attempt(() => reader.lastText(MARK_STREAM)),
      async write(text) {
        const event = { id: randomUUID(), type: MARK_TYPE, data: { text }, metadata: {} };
        const unit = [{ stream: MARK_STREAM, expected: 'any', events: [event] }] as const;
        await attempt(() => withDeadline((givenUp) => connection.append(unit, givenUp), common));
      },
    },
    readByStream: (query) => readByStreamOver({ readAll: (page) => attempt(() => reader.readAll(page)) }, query),
    async probe() {
      await attempt(async () => {
        try {
          if (connection.probe) await withDeadline(() => connection.probe?.() ?? Promise.resolve(), common);
          await reader.headAtOnce();
        } catch (error) {
          const isUnclear = !address.tls && (kindOfFailure(error) === 'never sent' || kindOfFailure(error) === 'lost');
          throw isUnclear && (await speaksTls(address.hosts, deadlineMs)) ? new TlsExpected() : error;
        }
      });
    },
    async *subscribe(subscription) {
      // Checked here as well, so that a mistake shows at once and not as a broken connection.
      toLogPlace(subscription.after);
      try {
        yield* follow(subscription, { ...common, onBreak });
      } catch (error) {
        throw toPortError(error, address, setting);
      }
    },
    async close() {
      if (ending.signal.aborted) return;
      ending.abort();
      await connection.close();
    },
  };
}
