// Load on one address, and what came of it.
import http from 'node:http';
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
}

/** Rejects when an answer had another status than expected (200): a fast error is no result. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { url, seconds, connections, headers = {}, nextPath, expected = 200 } = options;
  const requests = nextPath && [{ setupRequest: (request: autocannon.Request) => ({ ...request, path: nextPath() }) }];
  const result = await autocannon({
    url,
    duration: seconds,
    connections,
    headers: { ...headers },
    ...(requests ? { requests } : {}),
  });
  const others = Object.entries(result.statusCodeStats ?? {}).filter(([status]) => Number(status) !== expected);
  if (others.length > 0 || result.errors > 0)
    throw new Error(`${url}: ${JSON.stringify(others)}, ${result.errors} errors`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

export interface PacedResult extends LoadResult {
  /** Answers that said when to come back, because there was too much to do. They have no part in the times. */
  readonly refused: number;
}

/**
 * Load as readers make it: each connection asks at its own even pace, so that they do not all come at once. Rejects when
 * an answer is neither 200 nor, where `refusals` are counted, a 503 that says when to come back.
 */
export async function pacedLoad(options: {
  readonly address: string;
  readonly nextPath: () => string;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second, all connections together. */
  readonly rate: number;
  readonly refusals?: 'an error' | 'counted';
}): Promise<PacedResult> {
  const { address, nextPath, seconds, connections, rate, refusals = 'an error' } = options;
  let refused = 0;
  const interval = (1000 * connections) / rate;
  const durations: number[] = [];
  const started = performance.now();
  const connection = async (index: number): Promise<void> => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; ; turn++) {
      const due = started + interval * (turn + index / connections);
      if (due > started + seconds * 1000) break;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const asked = performance.now();
      const url = `${address}${nextPath()}`;
      const { status, isTemporary } = await answered(url, agent);
      if (status === 200) durations.push(performance.now() - asked);
      else if (isTemporary && refusals === 'counted') refused += 1;
      else throw new Error(`${url}: ${status}`);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => connection(index)));
  return {
    perSecond: durations.length / seconds,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    refused,
  };
}

const answered = (url: string, agent: http.Agent): Promise<{ status: number | undefined; isTemporary: boolean }> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (response) => {
      const { statusCode: status, headers } = response;
      response.resume();
      response.on('end', () =>
        resolve({ status, isTemporary: status === 503 && headers['retry-after'] !== undefined }),
      );
    });
    request.on('error', reject);
  });

/** The share of sorted durations that are at most as long as the result. */
export const percentile = (durations: readonly number[], share: number): number =>
  [...durations].sort((one, other) => one - other)[
    Math.min(durations.length - 1, Math.floor(durations.length * share))
  ] ?? 0;
