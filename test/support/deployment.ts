// A whole deployment for tests: an event store that speaks gRPC, a real Redis, and Daybook processes between them.

import type { ChildProcess } from 'node:child_process';
import type { ServiceRole } from '../../src/service.ts';
import { type EventStoreDbServer, startEventStoreDb } from './eventstoredb-server.ts';
import { type Serving, serving } from './process.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { temporaryFolder } from './service.ts';

export interface Deployment {
  readonly events: EventStoreDbServer;
  readonly redis: RedisServer;
  /** What every process is told. */
  readonly settings: { readonly [name: string]: string };
  /** Starts a process; it is ended at the latest when the deployment is. */
  start(role: ServiceRole): Promise<Serving>;
  /** The projector that was started last and still runs. */
  leader(): Serving;
  close(): Promise<void>;
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Starts the stores; processes come and go. `more`: further settings of every process. */
export async function startDeployment(more: { readonly [name: string]: string } = {}): Promise<Deployment> {
  const [events, redis] = await Promise.all([startEventStoreDb(), startRedisServer()]);
  const { folder, remove } = temporaryFolder();
  const settings = {
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_EVENT_STORE: events.connectionString,
    DAYBOOK_READ_MODEL: redis.url,
    DAYBOOK_LOG_LEVEL: 'silent',
    ...more,
  };
  const started: { readonly role: ServiceRole; readonly process: Serving }[] = [];
  return {
    events,
    redis,
    settings,
    async start(role) {
      const process = await serving(settings, [], role);
      started.push({ role, process });
      return process;
    },
    leader() {
      const running = started.findLast(({ role, process: { child } }) => role === 'projector' && isRunning(child));
      if (!running) throw new Error('no projector runs');
      return running.process;
    },
    async close() {
      await Promise.all(started.map(({ process }) => process.kill()));
      await redis.stop();
      await events.stop();
      remove();
    },
  };
}
