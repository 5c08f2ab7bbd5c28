// Leases: keys that expire by the clock of Redis, with the name of their holder. One is the projector's, one is the
// right to rebuild, which is renewed for as long as the process lives.
import { setTimeout as pause } from 'node:timers/promises';
import type { Lease } from '../generations.ts';
import type { Writer } from './writer.ts';

interface RedisLeaseOptions {
  /** The key. */
  readonly key: string;
  /** Identifies this process. */
  readonly holder: string;
  /** Milliseconds until it expires unless it is renewed: the longest pause of the projector after a crash. */
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

/** The interval of renewal, as a fraction of the expiry. */
const PARTS = 5;

/**
 * Null while another process renews it. A lease that is not renewed any more, because its process has died, is waited
 * for until it expires.
 */
export async function takeRebuildLease(writer: Writer, options: RedisLeaseOptions): Promise<Lease | null> {
  const lease = redisLease(writer, options);
  const lookMs = options.expiresMs / PARTS / 2;
  let left = Number.POSITIVE_INFINITY;
  while (!(await lease.hold())) {
    const now = await writer.with(options.key, (redis) => redis.pttl(options.key));
    if (now > left) return null;
    left = now;
    await pause(lookMs);
  }
  return prolonged(lease, options.expiresMs / PARTS);
}

function prolonged(lease: Lease, everyMs: number): Lease {
  // The next important step checks whether it is still held.
  const timer = setInterval(() => void lease.hold().catch(() => {}), everyMs);
  timer.unref();
  return {
    hold: () => lease.hold(),
    async release() {
      clearInterval(timer);
      await lease.release();
    },
  };
}
