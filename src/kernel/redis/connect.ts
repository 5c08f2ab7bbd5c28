// The connections of `ioredis`: nothing waits for a server that is down, and nothing is sent twice, because the outcome of a
// lost command is unknown.
import { Redis, type RedisOptions } from 'ioredis';
import { reconnectDelay } from './reconnect-delay.ts';

interface ConnectionOptions {
  /** `redis://` or, encrypted, `rediss://`: user, password, host, port, database. */
  readonly url: string;
  /** Time-out of a command, in milliseconds. */
  readonly deadlineMs: number;
  /** Time-out of connecting, in milliseconds; absent: that of the client, which is longer. */
  readonly connectWithinMs?: number;
  /** Lua scripts that become methods of the connection. */
  readonly scripts?: RedisOptions['scripts'];
}

/** Returns once it is connected, and makes a connection that is lost later again. Rejects with what server or network said, and then leaves nothing open. */
export async function connectRedis(options: ConnectionOptions): Promise<Redis> {
  const { url, deadlineMs, connectWithinMs, scripts } = options;
  let wasConnected = false;
  let lastError: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: deadlineMs,
    ...(connectWithinMs !== undefined && { connectTimeout: connectWithinMs }),
    ...(scripts && { scripts }),
    retryStrategy: (attempt) => (wasConnected ? reconnectDelay(attempt) : null),
  });
  // Without a listener the errors of a connection would end the process.
  redis.on('error', (error: unknown) => {
    lastError = error;
  });
  try {
    await redis.connect();
    wasConnected = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    throw lastError ?? error;
  }
}
