// A real Redis for tests: on a free port of the loopback, nothing on disk, gone afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { provideProgram, withoutFakedClock } from './program.ts';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Does something with a connection of its own. */
  with<Answer>(work: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Ends it at once. */
  stop(): Promise<void>;
  /** Starts an empty one at the same address after `stop`. */
  restart(): Promise<void>;
}

const PROGRAM = 'redis-server';

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function launch(port: number, options: readonly string[]): Promise<ChildProcess> {
  const always = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const child = spawn(PROGRAM, [...always, ...options], {
    env: withoutFakedClock(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Ready to accept connections')) resolve(child);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${PROGRAM} ended with ${code}: ${said.slice(-500)}`)));
  });
}

/** Starts a server, with further options as on its command line. */
export async function startRedisServer(...options: readonly string[]): Promise<RedisServer> {
  provideProgram(PROGRAM, 'Redis 7.0 or later');
  const port = await freePort();
  let child = await launch(port, options);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async with(work) {
      const redis = new Redis(port, '127.0.0.1');
      try {
        return await work(redis);
      } finally {
        redis.disconnect();
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await ended;
      process.off('exit', kill);
    },
    async restart() {
      child = await launch(port, options);
      process.once('exit', kill);
    },
  };
}
