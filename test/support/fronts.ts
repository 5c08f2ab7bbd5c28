// Real caches between readers and a service, with the files of docs/deploy.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './redis-server.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../../docs/deploy');

export interface Front {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  stop(): Promise<void>;
}

export interface Cache {
  readonly name: string;
  readonly program: string;
  /** Starts it in front of a port; it answers when this resolves. Its files are in `folder`. */
  start(servicePort: number, folder: string): Promise<Front>;
  /** Whether an answer came from the cache. */
  isFromCache(headers: Headers): boolean;
}

const isThere = ({ program }: Cache): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Those that are installed, and the names of the others. */
export const installed = (caches: readonly Cache[]): { readonly here: Cache[]; readonly missing: string[] } => ({
  here: caches.filter(isThere),
  missing: caches.filter((cache) => !isThere(cache)).map(({ program }) => program),
});

/** One of the files, with what differs in a test, written to `folder`. */
function configured(name: string, folder: string, changes: readonly (readonly [from: string, to: string])[]): string {
  let text = readFileSync(path.join(DEPLOY, name), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    text = text.replace(from, to);
  }
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function answering(child: ChildProcess, port: number): Promise<Front> {
  const address = `http://127.0.0.1:${port}`;
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => {
    throw new Error(`it ended with ${code}`);
  });
  early.catch(() => {});
  const isUp = (): Promise<boolean> =>
    // Asked for by no test.
    fetch(`${address}/robots.txt`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await Promise.race([isUp(), early]))) await sleep(20);
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export const VARNISH: Cache = {
  name: 'Varnish',
  program: 'varnishd',
  async start(servicePort, folder) {
    const port = await freePort();
    // Health is looked at more often, so that tests need not wait.
    const vcl = configured('varnish.vcl', folder, [
      ['"8080"', `"${servicePort}"`],
      ['.interval = 2s', '.interval = 100ms'],
    ]);
    const args = ['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-f', vcl, '-s', 'malloc,32m', '-j', 'none'];
    return answering(spawn('varnishd', args, { stdio: 'ignore' }), port);
  },
  // The number of the request that fetched it stands behind its own.
  isFromCache: (headers) => (headers.get('x-varnish') ?? '').includes(' '),
};

export const NGINX: Cache = {
  name: 'nginx',
  program: 'nginx',
  async start(servicePort, folder) {
    const port = await freePort();
    const server = configured('nginx-cache.conf', folder, [
      ['127.0.0.1:8080', `127.0.0.1:${servicePort}`],
      ['127.0.0.1:8081', `127.0.0.1:${port}`],
      ['/var/cache/nginx/daybook', path.join(folder, 'cache')],
    ]);
    mkdirSync(path.join(folder, 'cache'));
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const whole = path.join(folder, 'nginx.conf');
    const http = `access_log off;\n${places.join('\n')}\ninclude ${server};`;
    // One process, of the user who runs the test: its folder is closed to others.
    writeFileSync(whole, `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}\n}\n`);
    return answering(spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', whole], { stdio: 'ignore' }), port);
  },
  isFromCache: (headers) => ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(headers.get('x-cache') ?? ''),
};
