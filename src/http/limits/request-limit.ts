// Limits the requests of an address: counted by @fastify/rate-limit, but only if a request is answered.
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, rateLimited } from '../errors.ts';
import { type AddressSource, clientAddress } from './client-address.ts';
import { openWindows } from './windows.ts';

/** Null: continue. Synchronous if possible, to save a turn. */
export type Refusal = ApiError | null;
export type RequestLimit = (request: FastifyRequest) => Refusal | Promise<Refusal>;

export interface RequestLimitOptions {
  /** Requests of one address in a minute; 0: no limit. */
  readonly perMinute: number;
  readonly source: AddressSource;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** Whether many clients may share this address: then it is not counted. */
  readonly isShared: (address: string) => boolean;
}

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

const NO_LIMIT: RequestLimit = () => null;

/**
 * Registers the counter with `app`, which must not be ready yet. Clients on this machine and its gateway are not
 * counted: behind a proxy that forwards no address they are all clients.
 */
export function addRequestLimit(app: FastifyInstance, options: RequestLimitOptions): RequestLimit {
  const { perMinute, source, elapsed, isShared } = options;
  if (perMinute === 0) return NO_LIMIT;
  const addressOf = ({ raw }: FastifyRequest): string => clientAddress(raw, source);
  app.register(rateLimit, { global: false, store: countingStore(elapsed) });
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  app.after(() => {
    count = app.createRateLimit({ max: perMinute, timeWindow: MINUTE_MS, keyGenerator: addressOf });
  });
  return (request) => {
    if (count === undefined || isShared(addressOf(request))) return null;
    return count(request).then(refusalIn);
  };
}

type Counted = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>;

const refusalIn = (counted: Counted): Refusal =>
  !counted.isAllowed && counted.isExceeded ? rateLimited(counted.ttl / 1000) : null;

/** The counter's own store uses the system clock, which may be set back. */
function countingStore(elapsed: () => number): FastifyRateLimitStoreCtor {
  const windows = openWindows({ elapsed, lengthMs: MINUTE_MS, mostKeys: MAX_ADDRESSES });
  return class implements FastifyRateLimitStore {
    incr(...[key, callback]: Parameters<FastifyRateLimitStore['incr']>): void {
      const window = windows.take(key);
      callback(null, { current: window.count, ttl: windows.left(window) });
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
