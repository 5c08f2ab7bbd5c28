// The command line as its users start it: a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ServiceRole } from '../../src/service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** As it is called from anywhere. */
const BIN = path.join(ROOT, 'bin/daybook');

export interface Started {
  readonly child: ChildProcess;
  /** What it wrote so far. */
  out(): string;
  errors(): string;
  /** Waits until it has written this to its standard output; rejects when it ends before that. */
  wrote(text: string): Promise<void>;
  /** Resolves with the exit code once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

type Settings = { readonly [name: string]: string };

/** A command in front of another one that lets no file grow beyond so many blocks of 512 bytes: a disk that is full. */
export const onFullDisk = (blocks: number): readonly string[] => [
  'sh',
  '-c',
  `ulimit -S -f ${blocks}; exec "$@"`,
  'sh',
];

/** A clock that is faked from outside, and the zone of the machine, are those of the processes that tests start, too. */
const CLOCK = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKETIME.*|TZ)$/.test(name)),
);

/**
 * A service that is told how much heap it may have does not start itself again to be told: that is a tenth of what its start
 * costs. A test of the memory of a service has `NODE_OPTIONS` of its own.
 */
const TOLD_ITS_HEAP = { NODE_OPTIONS: '--max-old-space-size=1024' };

/** Starts `daybook` with only these settings in its environment, behind `before` if there is any. */
export function daybook(args: readonly string[], settings: Settings, before: readonly string[] = []): Started {
  const [program = BIN, ...words] = [...before, BIN, ...args];
  const child = spawn(program, words, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...CLOCK, DAYBOOK_LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written.out += text;
    child.emit('wrote');
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.errors += text;
  });
  const ended = once(child, 'close').then(([code]): number | null => code);
  return {
    child,
    ended,
    out: () => written.out,
    errors: () => written.errors,
    async wrote(text) {
      const early = ended.then((code) => {
        if (!written.out.includes(text)) throw new Error(`ended with ${code}: ${written.out}${written.errors}`);
      });
      while (!written.out.includes(text)) await Promise.race([once(child, 'wrote'), early]);
    },
  };
}

export interface Serving extends Started {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  readonly api: string;
  /** Of the administrator whom a first start adds; null at later starts. */
  readonly token: string | null;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
  /** Asks it to end, and answers its exit code. */
  stop(): Promise<number | null>;
}

/** `daybook serve` on a free port, once it answers; `role` and further words as on its command line. */
export async function serving(
  settings: Settings,
  before: readonly string[] = [],
  role: ServiceRole = 'all',
  words: readonly string[] = [],
): Promise<Serving> {
  const started = daybook(['serve', '--role', role, ...words], { PORT: '0', ...TOLD_ITS_HEAP, ...settings }, before);
  await started.wrote(role === 'projector' ? '/metrics' : 'Documentation:');
  const address = /listens at (\S+)/.exec(started.out())?.[1] ?? '';
  // All of the announcement is written at once; the token stands at its end.
  const token = /token: (\S+)/.exec(started.out())?.[1] ?? null;
  return {
    ...started,
    address,
    api: `${address}/calendar/events/v1`,
    token,
    async kill() {
      started.child.kill('SIGKILL');
      await started.ended;
    },
    stop() {
      started.child.kill('SIGTERM');
      return started.ended;
    },
  };
}
