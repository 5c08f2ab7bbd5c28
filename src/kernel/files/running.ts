// Which services run over a data folder, and where they listen: each notes its address there, so that `daybook doctor` finds it
// at any port.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'running';

/**
 * Notes that this process listens at an address, until the answer is called. A folder that is missing or cannot be written is
 * no reason not to serve.
 */
export function noteRunning(dataDir: string, address: string): () => void {
  if (!(statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? false)) return () => {};
  const folder = path.join(dataDir, FOLDER);
  const own = path.join(folder, String(process.pid));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of namesIn(folder)) if (!isRunning(name)) rmSync(path.join(folder, name), { force: true });
    writeFileSync(own, `${address}\n`, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    rmSync(own, { force: true });
    if (namesIn(folder).length === 0) rmSync(folder, { recursive: true, force: true });
  };
}

/** Addresses of services that still run, as far as this machine, or this container, can tell. */
export function runningAddresses(dataDir: string): string[] {
  const folder = path.join(dataDir, FOLDER);
  const addresses = namesIn(folder)
    .filter(isRunning)
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  return [...new Set(addresses)];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    // It runs, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
