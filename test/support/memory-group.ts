// Control groups of Linux, of either version: how a container's memory is limited.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A group of processes with a limit of memory, and what it uses; needs the rights to make one. */
export interface MemoryGroup {
  /** The list of its processes: one that writes its number there is in it. */
  readonly processes: string;
  /** Bytes that cannot be given back. */
  used(): number;
  /** How often a process was killed for want of memory. */
  kills(): number;
  remove(): void;
}

let made = 0;

/** Throws where there is no right to make one. */
export function makeMemoryGroup(bytes: number): MemoryGroup {
  const isSecond = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const root = isSecond ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory';
  const folder = path.join(root, `daybook-${process.pid}-${made++}`);
  mkdirSync(folder);
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const numberIn = (name: string, key: string): number =>
    Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(read(name))?.[1] ?? 0);
  writeFileSync(path.join(folder, isSecond ? 'memory.max' : 'memory.limit_in_bytes'), String(bytes));
  return {
    processes: path.join(folder, 'cgroup.procs'),
    used: () => numberIn('memory.stat', isSecond ? 'anon' : 'total_rss'),
    kills: () => numberIn(isSecond ? 'memory.events' : 'memory.oom_control', 'oom_kill'),
    remove: () => rmdirSync(folder),
  };
}
