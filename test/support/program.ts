// Programs that tests need beside Node: found on the PATH, or installed where that is allowed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A library that fakes the clock of tests is not loaded into Redis: its allocator asks for the time before that is ready. */
export function withoutFakedClock(): NodeJS.ProcessEnv {
  const { LD_PRELOAD: _, ...environment } = process.env;
  return environment;
}

const isInstalled = (program: string): boolean =>
  !spawnSync(program, ['--version'], { env: withoutFakedClock() }).error;

const provided = new Set<string>();

/** Finds a program, which is a package of Debian's of the same name. Throws a sentence that says what to do. */
export function provideProgram(program: string, needed: string): void {
  if (provided.has(program)) return;
  if (!isInstalled(program)) install(program, needed);
  provided.add(program);
}

function install(program: string, needed: string): void {
  const toDo = `${needed} is needed: put ${program} on the PATH (Debian: apt-get install -y ${program}).`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(toDo);
  const patiently = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  try {
    execFileSync('apt-get', ['update', ...patiently], { stdio: 'ignore', env });
    execFileSync('apt-get', ['install', ...patiently, '--no-install-recommends', program], { stdio: 'ignore', env });
  } catch (error) {
    // Another process that runs tests may be installing it.
    if (!isInstalledSoon(program)) throw new Error(toDo, { cause: error });
  }
  if (!isInstalled(program)) throw new Error(toDo);
}

const LOOKS = 60;
const PAUSE_MS = 2_000;

function isInstalledSoon(program: string): boolean {
  for (let look = 1; look <= LOOKS; look++) {
    if (isInstalled(program)) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return false;
}
