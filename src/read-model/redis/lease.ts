// The lease of the projector: a key that expires by Redis' clock. Whoever has it has its name in it.
import type { Lease } from '../lease.ts';
import type { Writer } from './writer.ts';

export interface RedisLeaseOptions {
  /** The key. */
  readonly key: string;
  /** Tells this process from all others. */
  readonly holder: string;
  /** Milliseconds until it expires when nobody prolongs it: the longest time that views stand still after a crash. */
  readonly expiresMs: number;
}

export function redisLease(writer: Pick<Writer, 'with'>, { key, holder, expiresMs }: RedisLeaseOptions): Lease {
  return {
    async hold() {
      return (await writer.with(key, (redis) => redis.holdLease(key, holder, expiresMs))) === 1;
    },
    async release() {
      await writer.with(key, (redis) => redis.releaseLease(key, holder));
    },
  };
}
