// Servers as child processes, so that the load and what is loaded do not share an event loop.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../support/redis-server.ts';

const MAIN = 'bin/daybook.mjs';

export interface Running {
  /** `http://127.0.0.1:…` */
  readonly address: string;
  /** Resident memory in MiB. */
  memory(): number;
  /** Milliseconds of processor time of all its threads so far; those that have ended do not count. */
  worked(): number;
  stop(): Promise<void>;
}

export const temporaryFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'daybook-bench-'));

function workOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return nanoseconds / 1e6;
}

async function started(child: ChildProcess, port: number, sign: string): Promise<Running> {
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
      if (output.includes(sign)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  return {
    address: `http://127.0.0.1:${port}`,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    worked: () => workOf(child.pid ?? 0),
    async stop() {
      child.removeAllListeners('exit');
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

type Settings = { readonly [name: string]: string };

/**
 * The service on a data folder, with further settings and words of its command line. `within`: the list of the processes of
 * a group, which it joins before anything of it is loaded.
 */
export async function startDaybook(
  dataDir: string,
  settings: Settings = {},
  words: readonly string[] = [],
  within?: string,
): Promise<Running> {
  const port = await freePort();
  const own = { PORT: String(port), DAYBOOK_DATA_DIR: dataDir, DAYBOOK_LOG_LEVEL: 'error' };
  const command = [process.execPath, MAIN, 'serve', ...words];
  const [program = '', ...others] =
    within === undefined ? command : ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', within, ...command];
  const child = spawn(program, others, {
    env: { ...process.env, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return started(child, port, 'listens at');
}

/**
 * How long the event loop of a service was held: what others waited, the most processor time of a hold, and for how long
 * garbage was collected in that one; milliseconds.
 */
export interface Hold {
  readonly late: number;
  readonly busy: number;
  readonly collected: number;
}

export interface Probed extends Running {
  /** Forgets what was before. */
  begin(): Promise<void>;
  /** The longest hold since then. */
  end(): Promise<Hold>;
}

const PROBE = path.resolve(import.meta.dirname, 'loop-probe.mjs');

/** The service, with a probe in its process that tells for how long its event loop is held. */
export async function startProbedDaybook(dataDir: string, settings: Settings = {}): Promise<Probed> {
  const port = await freePort();
  const own = { PORT: String(port), DAYBOOK_DATA_DIR: dataDir, DAYBOOK_LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['--import', PROBE, MAIN, 'serve'], {
    env: { ...process.env, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const running = await started(child, port, 'listens at');
  const told = async (message: 'begin' | 'end'): Promise<Hold> => {
    child.send(message);
    const [hold] = await once(child, 'message');
    return hold as Hold; // As loop-probe.mjs tells it.
  };
  return {
    ...running,
    async begin() {
      await told('begin');
    },
    end: () => told('end'),
  };
}

/** A bare Fastify route that answers the same bytes, one text after the other. */
export async function startBareFastify(bodies: readonly string[]): Promise<Running> {
  const port = await freePort();
  const file = path.join(temporaryFolder(), 'bodies.json');
  writeFileSync(file, JSON.stringify(bodies));
  const env = { ...process.env, PORT: String(port), BODIES_FILE: file };
  const child = spawn(process.execPath, ['test/perf/bare-fastify.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return started(child, port, 'listening');
}

/** The EventStoreDB of the tests in a process of its own; its address is a connection string. */
export async function startEventStoreDbAlone(): Promise<Running> {
  const child = spawn(process.execPath, ['test/perf/eventstoredb-alone.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const told = once(child.stdout, 'data');
  const running = await started(child, 0, 'listening');
  const [text] = await told;
  return { ...running, address: /\w+:\/\/\S+/.exec(String(text))?.[0] ?? '' };
}

/** Another program that listens at PORT and says so. */
export async function startServer(file: string, settings: Settings): Promise<Running> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), ...settings };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return started(child, port, 'listening');
}

/** An administrator's credentials for a data folder, as an `Authorization` header. */
export function administrator(dataDir: string, settings: Settings = {}, login = 'bench'): string {
  const args = [MAIN, 'users', 'add', login, '--role', 'administrator', '--json'];
  const line = execFileSync(process.execPath, args, {
    env: { ...process.env, DAYBOOK_DATA_DIR: dataDir, ...settings },
  }).toString();
  const { password }: { password: string } = JSON.parse(line);
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}
