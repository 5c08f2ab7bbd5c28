// Recently verified passwords, right or wrong, so that verifying them again costs nothing.
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';

type VerifyPassword = (password: string, hash: string) => Promise<boolean>;

interface PasswordVerdicts {
  /** Whether the password matches the hash, from the cache or by verification. */
  readonly verifyPassword: VerifyPassword;
  /** The cached verdict; undefined if there is none. */
  readonly recallVerdict: (password: string, hash: string) => boolean | undefined;
}

interface VerdictOptions {
  readonly verify: VerifyPassword;
  /** Of this process alone: the cache must neither contain passwords nor be a fast way to test one. */
  readonly key: Uint8Array;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** For wrong ones. */
  readonly cachedForMs?: number;
  /** For right ones: wrong ones of others must not block a reader with the right one. */
  readonly rightCachedForMs?: number;
  readonly maxCached?: number;
}

const CACHED_FOR_MS = 60_000;
const RIGHT_CACHED_FOR_MS = 3_600_000;
const MAX_CACHED = 10_000;

/** A hash is salted, so another password of the same resource has another hash: cached verdicts never become wrong. */
export function openVerdicts(options: VerdictOptions): PasswordVerdicts {
  const { verify, key, elapsed, cachedForMs = CACHED_FOR_MS, rightCachedForMs = RIGHT_CACHED_FOR_MS } = options;
  const { maxCached = MAX_CACHED } = options;
  const verdicts = new LRUCache<string, { readonly isRight: boolean; readonly until: number }>({ max: maxCached });
  const underWay = new Map<string, Promise<boolean>>();

  const digestOf = (password: string, hash: string): string =>
    createHmac('sha256', key).update(hash).update('\0').update(password).digest('base64');

  function recall(digest: string): boolean | undefined {
    const verdict = verdicts.get(digest);
    return verdict && verdict.until > elapsed() ? verdict.isRight : undefined;
  }

  function remember(digest: string, isRight: boolean): boolean {
    verdicts.set(digest, { isRight, until: elapsed() + (isRight ? rightCachedForMs : cachedForMs) });
    return isRight;
  }

  async function find(digest: string, password: string, hash: string): Promise<boolean> {
    const joined = underWay.get(digest);
    if (joined) return joined;
    const found = verify(password, hash)
      .then((isRight) => remember(digest, isRight))
      .finally(() => underWay.delete(digest));
    underWay.set(digest, found);
    return found;
  }

  return {
    async verifyPassword(password, hash) {
      const digest = digestOf(password, hash);
      return recall(digest) ?? find(digest, password, hash);
    },
    recallVerdict: (password, hash) => recall(digestOf(password, hash)),
  };
}
