// A PostgreSQL of its own for the peer, in a folder that is removed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../test/support/redis-server.ts';

export interface Postgres {
  /** Of an empty database. */
  readonly url: string;
  readonly version: string;
  /** Milliseconds of processor time of all its processes that still run. */
  worked(): number;
  stop(): Promise<void>;
}

/** For a machine whose memory holds all of the calendar; the rest is as it comes. */
const SETTINGS = ['shared_buffers=512MB', 'random_page_cost=1.1', 'max_connections=50'];

/** It refuses to run as root, which then lends it another user. */
function lentUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Debian keeps them in a folder of their version. */
function programsFolder(): string {
  const places = [...(process.env.PATH ?? '').split(':'), ...debianFolders()];
  const found = places.find((place) => place !== '' && filesIn(place).includes('initdb'));
  if (found === undefined) throw new Error('PostgreSQL is missing; on Debian: apt-get install postgresql');
  return found;
}

const debianFolders = (): string[] =>
  filesIn('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`);

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Starts one, once it answers. */
export async function startPostgres(): Promise<Postgres> {
  const programs = programsFolder();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'daybook-postgres-'));
  const user = lentUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const as = { cwd: folder, ...(user ?? {}) };
  execFileSync(path.join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'bench', '--no-sync'], {
    ...as,
    stdio: 'pipe',
  });
  const port = await freePort();
  const own = ['-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  const server = spawn(path.join(programs, 'postgres'), [...own, ...SETTINGS.flatMap((one) => ['-c', one])], {
    ...as,
    stdio: 'ignore',
  });
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  const version = await answered(server, url);
  return {
    url,
    version,
    worked: () => processesOf(server.pid ?? 0).reduce((sum, pid) => sum + workOf(pid), 0),
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its version, once it takes connections. */
async function answered(server: ChildProcess, url: string): Promise<string> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query('SHOW server_version');
      return String(rows[0].server_version);
    } catch {
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** The one that was started, and those that it has started. */
const processesOf = (parent: number): number[] => [
  parent,
  ...filesIn('/proc').flatMap((name) => (/^\d+$/.test(name) && parentOf(name) === parent ? [Number(name)] : [])),
];

function parentOf(pid: string): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function workOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
