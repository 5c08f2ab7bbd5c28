// Load by wrk, which takes a tenth of the processor time that autocannon does.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult } from './load.ts';
import { type Running, temporaryFolder } from './processes.ts';

export interface WrkOptions {
  readonly server: Pick<Running, 'address' | 'worked'>;
  /** Asked for in turn by all connections. */
  readonly paths: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second, all connections together; absent: as many as there are answers. */
  readonly rate?: number;
  readonly headers?: { readonly [name: string]: string };
}

export interface WrkResult extends LoadResult {
  /** Microseconds of processor time of all threads of the server, for each request. */
  readonly work: number;
}

const run = promisify(execFile);

/** Milliseconds, as wrk writes them. */
function millisecondsIn(text: string | undefined): number {
  const [, number, unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text ?? '') ?? [];
  const factor = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }[unit];
  if (number === undefined || factor === undefined) throw new Error(`wrk wrote ${text}`);
  return Number(number) * factor;
}

/** Rejects where an answer is an error: a fast one is no result. */
export async function wrk({ server, paths, seconds, connections, rate, headers = {} }: WrkOptions): Promise<WrkResult> {
  const file = path.join(temporaryFolder(), 'paths');
  writeFileSync(file, paths.join('\n'));
  const pause = rate === undefined ? 0 : Math.round((1_000 * connections) / rate);
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = path.join(import.meta.dirname, 'paths.lua');
  const own = ['-t1', '--timeout', '10s', `-c${connections}`, `-d${seconds}s`, '--latency', ...sent, '-s', script];
  const before = server.worked();
  const { stdout } = await run('wrk', [...own, server.address, '--', file, String(pause)]);
  const work = 1_000 * (server.worked() - before);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${server.address}${paths[0]}: ${stdout}`);
  const found = (pattern: RegExp): string | undefined => pattern.exec(stdout)?.[1];
  return {
    perSecond: Number(found(/Requests\/sec:\s+([\d.]+)/)),
    p50: millisecondsIn(found(/^\s+50%\s+(\S+)/m)),
    p99: millisecondsIn(found(/^\s+99%\s+(\S+)/m)),
    work: work / Number(found(/(\d+) requests in/)),
  };
}
