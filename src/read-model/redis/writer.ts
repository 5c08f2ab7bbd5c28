// The projector's side: one ioredis connection (in a cluster, see connections.ts) for scripts that write, and for
// reading what they change.

import type { Redis } from 'ioredis';
import { openQueue, type Queue } from '../../kernel/event-loop/shared-work.ts';
import { connectRedis } from '../../kernel/redis/connect.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { readModelFailure, shownAddress } from './failures.ts';
import { WRITING_SCRIPTS } from './scripts.ts';

export interface WriterOptions {
  readonly url: string;
  /** Time-out of a batch, in milliseconds. */
  readonly deadlineMs: number;
}

export interface WrittenPart {
  /** Keys and values in turn, set before the script runs, which then never has to copy them. */
  readonly waiting: readonly (string | Buffer)[];
  readonly parameters: readonly (string | Buffer)[];
}

/** Rejections: `ReadModelUnavailable`. */
export interface Writer {
  /**
   * Runs a task with the connection to the server that has `key`. All keys of the task must be in the slot of that key,
   * and it must be repeatable: if the slot has moved, it is run again there.
   */
  with<Answer>(key: string, work: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Runs a task after all earlier ones: what it reads stays valid until it writes. */
  readonly inTurn: Queue;
  /**
   * Runs the parts of a batch for the generation at `base` one after the other, with nothing in between. Returns the
   * result of the first one.
   */
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

/** A server that has lost the script has refused the first part, and with it all of them. */
async function applyInOneTransaction(redis: Redis, parts: readonly WrittenPart[]): Promise<string> {
  try {
    return await inOneTransaction(redis, parts);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    await redis.script('LOAD', WRITING_SCRIPTS.applyBatch.lua);
    return inOneTransaction(redis, parts);
  }
}

/** Opens the connection to a single server and returns once it is connected. */
export async function openWriter({ url, deadlineMs }: WriterOptions): Promise<Writer> {
  const address = shownAddress(url);
  let closed = false;
  const redis = await connectRedis({ url, deadlineMs, scripts: WRITING_SCRIPTS }).catch((error: unknown) => {
    throw readModelFailure(address, error);
  });

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
    inTurn: openQueue(),
    applyParts: (_, parts) => withConnection((connection) => applyInOneTransaction(connection, parts)),
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}
