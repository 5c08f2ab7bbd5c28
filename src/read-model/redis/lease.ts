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

const HOLD = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

export function redisLease(writer: Pick<Writer, 'with'>, { key, holder, expiresMs }: RedisLeaseOptions): Lease {
  return {
    async hold() {
      return (await writer.with(key, (redis) => redis.eval(HOLD, 1, key, holder, expiresMs))) === 1;
    },
    async release() {
      await writer.with(key, (redis) => redis.eval(RELEASE, 1, key, holder));
    },
  };
}
