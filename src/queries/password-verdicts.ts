// Recently verified passwords, right or wrong, so that verifying them again costs nothing.

import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { singleFlight } from '../kernel/event-loop/shared-work.ts';

type VerifyPassword = (password: string, hash: string) => Promise<boolean>;

interface VerdictOptions {
  readonly verify: VerifyPassword;
  /** A key of this process alone: the cache must neither contain passwords nor be a fast way to test one. */
  readonly key: Uint8Array;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
}

const WRONG_CACHED_FOR_MS = 60_000;
/** Longer: wrong ones of others must not block a reader with the right one. */
const RIGHT_CACHED_FOR_MS = 3_600_000;
const MAX_CACHED = 10_000;

/** A hash is salted, so another password of the same resource has another hash: cached verdicts never become wrong. */
export function openVerdicts({ verify, key, elapsed }: VerdictOptions) {
  const secret = createSecretKey(key);
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const verdicts = new LRUCache<string, boolean>({
    maxSize: MAX_CACHED,
    sizeCalculation: () => 1,
    ttl: WRONG_CACHED_FOR_MS,
    ttlResolution: 0,
    perf: { now: elapsed },
  });
  const verifying = singleFlight<boolean>();

  const digestOf = (password: string, hash: string): string =>
    createHmac('sha256', secret).update(hash).update('\0').update(password).digest('base64');

  function remember(digest: string, isRight: boolean): boolean {
    verdicts.set(digest, isRight, isRight ? { ttl: RIGHT_CACHED_FOR_MS } : {});
    return isRight;
  }

  return {
    /** Whether the password matches the hash, from the cache or by verification. */
    async verifyPassword(password: string, hash: string) {
      const digest = digestOf(password, hash);
      return verdicts.get(digest) ?? verifying(digest, async () => remember(digest, await verify(password, hash)));
    },
    /** The cached verdict; undefined if there is none. */
    recallVerdict: (password: string, hash: string) => verdicts.get(digestOf(password, hash)),
  };
}
