// The projector's side: one ioredis connection (in a cluster, see connections.ts) for scripts that write, and for reading what is to be changed.
import { Redis } from 'ioredis';
import { ReadModelUnavailable } from '../read-model.ts';
import { readModelFailure, shownAddress } from './failures.ts';
import { WRITING_SCRIPTS } from './scripts.ts';
import { reconnectDelay } from './server.ts';

export interface WriterOptions {
  readonly url: string;
  /** How long a batch may take, in milliseconds. */
  readonly deadlineMs: number;
}

export interface WrittenPart {
  /** Keys and values in turn, set before the script runs, which never has to take them into its hands. */
  readonly waiting: readonly (string | Buffer)[];
  readonly parameters: readonly (string | Buffer)[];
}

/** Rejections: `ReadModelUnavailable`. */
export interface Writer {
  /**
   * Does something with the connection to the server that has `key`. All that it touches must be of the slot of that key,
   * and it must bear being begun again: should the slot turn out to be elsewhere, that is where it is done.
   */
  with<Answer>(key: string, work: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Does something after everything that was to be done in turn before: what it reads stays true until it writes. */
  inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  /** Runs the parts of a batch for the generation at `base` one after the other, with nothing else in between. Answers what the first one says. */
  applyParts(base: string, parts: readonly WrittenPart[]): Promise<string>;
  close(): void;
}

async function inOneTransaction(redis: Redis, parts: readonly WrittenPart[]): Promise<string> {
  const transaction = redis.multi();
  for (const { waiting, parameters } of parts) {
    if (waiting.length > 0) transaction.mset(...waiting);
    transaction.applyBatch(...parameters);
  }
  const outcomes = (await transaction.exec()) ?? [];
  for (const [error] of outcomes) if (error) throw error;
  return String(outcomes.find(([, outcome]) => outcome !== 'OK')?.[1]);
}

/** A server that has forgotten the script has refused the first part, and with it all of them. */
async function applyInOneTransaction(redis: Redis, parts: readonly WrittenPart[]): Promise<string> {
  try {
    return await inOneTransaction(redis, parts);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    await redis.script('LOAD', WRITING_SCRIPTS.applyBatch.lua);
    return inOneTransaction(redis, parts);
  }
}

/** Has everything begin when what came before is over, be it done or failed. */
export function inOrder(): Writer['inTurn'] {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
}

/** Opens the connection to a single server and comes back once it stands. Nothing is ever sent twice: the outcome of a lost call is unknown. */
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
    scripts: WRITING_SCRIPTS,
    retryStrategy: (attempt) => (opened && !closed ? reconnectDelay(attempt) : null),
  });
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
    with: (_, work) => withConnection(work),
    inTurn: inOrder(),
    applyParts: (_, parts) => withConnection((connection) => applyInOneTransaction(connection, parts)),
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}
