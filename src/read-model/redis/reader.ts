// The query side: one node-redis connection (in a cluster, see connections.ts) for commands that read, and for cached values.

import { createClient, RESP_TYPES } from 'redis';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { reconnectDelay } from '../../kernel/redis/reconnect-delay.ts';
import { ReadModelUnavailable } from '../read-model.ts';
import { readModelFailure, shownAddress } from './failures.ts';
import type { Entry, TrackedCache } from './tracked-cache.ts';

export interface ReaderOptions {
  readonly url: string;
  /** Time-out of an answer, in milliseconds. */
  readonly deadlineMs: number;
  /** The cache of values. */
  readonly cache: TrackedCache;
}

/** Rejections: `ReadModelUnavailable`. */
export interface Reader {
  readonly cache: TrackedCache;
  /** Sends one command; the first of its parameters is a key, which selects the node. */
  send(...command: string[]): Promise<unknown>;
  /** Sends a command whose reply has bytes instead of texts. */
  sendForBytes(...command: string[]): Promise<unknown>;
  /** Values of keys as of one moment: from the cache, or in one round trip (two if one changes meanwhile). */
  values(keys: readonly string[]): Promise<readonly Entry[]>;
  close(): void;
}

/** Opens the connection to a single server and resolves once it is connected. */
export async function openReader({ url, deadlineMs, cache }: ReaderOptions): Promise<Reader> {
  const address = shownAddress(url);
  let opened = false;
  let closed = false;
  let lastError: unknown;
  const client = createClient({
    url,
    RESP: 3,
    clientSideCache: cache,
    disableOfflineQueue: true,
    commandOptions: { timeout: deadlineMs },
    socket: {
      connectTimeout: deadlineMs,
      reconnectStrategy: (attempt) => (opened && !closed ? reconnectDelay(attempt) : false),
    },
  });
  client.on('error', (error: unknown) => {
    lastError = error;
  });

  const late = () => new ReadModelUnavailable(`The read model ${address} has not answered in ${deadlineMs} ms.`);

  /** The client's time-out covers only commands that were not sent; sent ones need this. */
  function inTime<Reply>(reply: Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      // A process that was busy itself handles what has arrived before it gives up.
      const timer = setTimeout(() => setImmediate(() => reject(late())), deadlineMs);
      reply.then(
        (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(readModelFailure(address, error));
        },
      );
    });
  }

  function whileOpen<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    if (!closed) return inTime(ask());
    return Promise.reject(
      new ReadModelUnavailable(`The read model ${address} is closed: the service is shutting down.`),
    );
  }

  const FOR_BYTES = { timeout: deadlineMs, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

  const send = <Reply>(command: readonly string[]): Promise<Reply> =>
    whileOpen(() => client.sendCommand<Reply>(command));

  /** One command, so that all values are of one moment, which the server then tracks. */
  function track(keys: readonly string[]): Promise<(string | null)[]> {
    const optIn = send(['CLIENT', 'CACHING', 'YES']);
    const replies = send<(string | null)[]>(['MGET', ...keys]);
    return Promise.all([replies, optIn]).then(([texts]) => texts);
  }

  async function load(keys: readonly string[]): Promise<Entry[]> {
    const places = keys.map((key) => cache.expect(key));
    try {
      const entries = (await track(keys)).map((text): Entry => ({ text }));
      const turn = openTurns();
      for (const [at, entry] of entries.entries()) {
        await turn();
        const place = places[at];
        if (place) cache.fill(place, entry);
      }
      return entries;
    } catch (error) {
      for (const place of places) cache.abandon(place);
      throw error;
    }
  }

  const isOutdated = (key: string, entry: Entry | undefined) => entry !== undefined && !cache.keeps(key, entry);

  try {
    await client.connect();
    opened = true;
  } catch (error) {
    closed = true;
    client.destroy();
    throw readModelFailure(address, lastError ?? error);
  }

  return {
    cache,
    send: (...command) => send(command),
    sendForBytes: (...command) => whileOpen(() => client.sendCommand(command, FOR_BYTES)),
    async values(keys) {
      const cached = keys.map((key) => cache.find(key));
      const missing = keys.filter((_, at) => cached[at] === undefined);
      if (missing.length === 0) return cached as Entry[];
      const loaded = await load(missing);
      // Cached values that have changed meanwhile do not match the loaded ones.
      if (keys.some((key, at) => isOutdated(key, cached[at]))) return load(keys);
      const loadedByKey = new Map(missing.map((key, at) => [key, loaded[at]]));
      return keys.map((key, at) => cached[at] ?? loadedByKey.get(key) ?? { text: null });
    },
    close() {
      if (closed) return;
      closed = true;
      client.destroy();
    },
  };
}
