// The projector's side: one ioredis connection for scripts that write, and for reading what is to be changed.
import { Redis, type Result } from 'ioredis';
import { ReadModelUnavailable } from '../read-model.ts';
import { readModelFailure, shownAddress } from './failures.ts';
import { reconnectDelay } from './reconnecting.ts';
import { APPLY } from './scripts/apply.ts';
import { BEGIN, EMPTY, RETIRE } from './scripts/generation.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    daybookApply(...parameters: (string | Buffer)[]): Result<string, Context>;
    daybookBegin(base: string, fingerprint: string, birth: string): Result<string, Context>;
    daybookRetire(base: string): Result<number, Context>;
    daybookEmpty(base: string, extent: 'clear' | 'drop'): Result<string, Context>;
  }
}

export interface WriterOptions {
  readonly url: string;
  /** How long a batch may take, in milliseconds. */
  readonly deadlineMs: number;
}

/** Rejections: `ReadModelUnavailable`. */
export interface Writer {
  /** Does something with the connection. */
  with<Answer>(work: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Runs the parts of a batch one after the other, with nobody else in between. Answers what the first one says. */
  applyParts(parts: readonly (readonly (string | Buffer)[])[]): Promise<string>;
  close(): void;
}

async function inOneTransaction(redis: Redis, parts: readonly (readonly (string | Buffer)[])[]): Promise<string> {
  const transaction = redis.multi();
  for (const part of parts) transaction.daybookApply(...part);
  const outcomes = (await transaction.exec()) ?? [];
  for (const [error] of outcomes) if (error) throw error;
  return String(outcomes[0]?.[1]);
}

/** A server that has forgotten the script has refused the first part, and with it all of them. */
async function applyInOneTransaction(redis: Redis, parts: Parameters<typeof inOneTransaction>[1]): Promise<string> {
  try {
    return await inOneTransaction(redis, parts);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    await redis.script('LOAD', APPLY);
    return inOneTransaction(redis, parts);
  }
}

/** Opens the connection and comes back once it stands. Nothing is ever sent twice: the outcome of a lost call is unknown. */
export async function openWriter({ url, deadlineMs }: WriterOptions): Promise<Writer> {
  const address = shownAddress(url);
  let opened = false;
  let closed = false;
  let lastError: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: deadlineMs,
    retryStrategy: (attempt) => (opened && !closed ? reconnectDelay(attempt) : null),
  });
  const scripts = { daybookApply: APPLY, daybookBegin: BEGIN, daybookRetire: RETIRE, daybookEmpty: EMPTY };
  for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(name, { numberOfKeys: 1, lua });
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  try {
    await redis.connect();
    opened = true;
  } catch (error) {
    redis.disconnect();
    throw readModelFailure(address, lastError ?? error);
  }

  const withConnection = async <Answer>(work: (redis: Redis) => Promise<Answer>): Promise<Answer> => {
    if (closed) throw new ReadModelUnavailable(`The read model ${address} is closed: the service is shutting down.`);
    try {
      return await work(redis);
    } catch (error) {
      throw readModelFailure(address, error);
    }
  };

  return {
    with: withConnection,
    applyParts: (parts) =>
      withConnection((connection) => {
        const [only, another] = parts;
        return only && !another ? connection.daybookApply(...only) : applyInOneTransaction(connection, parts);
      }),
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}
