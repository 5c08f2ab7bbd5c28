// Load on one address, and what came of it.
import autocannon from 'autocannon';

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly headers?: { readonly [name: string]: string };
  /** Makes the path of each request; without it `url` is asked for as it stands. */
  readonly nextPath?: () => string;
  readonly expected?: number;
  /** Requests a second, all connections together; without it as many as are answered. */
  readonly overallRate?: number;
}

/** Rejects when an answer had another status than expected (200): a fast error is no result. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { url, seconds, connections, headers = {}, nextPath, expected = 200, overallRate } = options;
  const requests = nextPath && [{ setupRequest: (request: autocannon.Request) => ({ ...request, path: nextPath() }) }];
  const result = await autocannon({
    url,
    duration: seconds,
    connections,
    headers: { ...headers },
    ...(requests ? { requests } : {}),
    ...(overallRate === undefined ? {} : { overallRate }),
  });
  const others = Object.entries(result.statusCodeStats ?? {}).filter(([status]) => Number(status) !== expected);
  if (others.length > 0 || result.errors > 0)
    throw new Error(`${url}: ${JSON.stringify(others)}, ${result.errors} errors`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** The share of sorted durations that are at most as long as the result. */
export const percentile = (durations: readonly number[], share: number): number =>
  [...durations].sort((one, other) => one - other)[
    Math.min(durations.length - 1, Math.floor(durations.length * share))
  ] ?? 0;
