// A start on a disk that is full or read-only. SQLite could not even read there, because it needs a file beside each of its
// own: so the service reads copies in the temporary folder, and refuses writes.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Config, ConfigError, hasLog, storeFiles } from '../config.ts';
import type { SqliteAddress } from '../kernel/settings/addresses.ts';
import { errorText } from '../kernel/text/error-text.ts';

/** Bytes that the working files of three stores take. With less, no append would be accepted either. */
const SOME_ROOM = 128 * 1024;

type Lack = 'full' | 'read-only';

const LACKS: ReadonlyMap<unknown, Lack> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
  ['EROFS', 'read-only'],
]);

/** What keeps files in a folder from growing. Null for nothing, and for what opening them tells. */
function lackOf(folder: string): Lack | null {
  const attempt = path.join(folder, `room-${process.pid}`);
  try {
    writeFileSync(attempt, Buffer.alloc(SOME_ROOM), { mode: 0o600 });
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? (LACKS.get(error.code) ?? null) : null;
  } finally {
    if (statSync(attempt, { throwIfNoEntry: false })) rmSync(attempt, { force: true });
  }
}

interface ReadingOnly {
  /** With the copies in the place of the files, and the reason for refusing writes. */
  readonly config: Config;
  readonly why: string;
  /** Removes the copies. */
  remove(): void;
}

/**
 * Copies of the stores in files, if the disk of one of them is full or read-only; null if all can be written, and if there is
 * no log to read. `lack` says what a folder lacks. Throws `ConfigError` if there is no room for copies.
 */
export function readingOnly(config: Config, lack: (folder: string) => Lack | null = lackOf): ReadingOnly | null {
  const files = storeFiles(config).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (config.eventStore.engine !== 'sqlite' || files.length === 0 || !hasLog(config)) return null;
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    const reason = lack(folder);
    if (reason !== null) return copied(config, files, folder, reason);
  }
  return null;
}

function copied(config: Config, files: readonly string[], folder: string, lack: Lack): ReadingOnly {
  const to = mkdtempSync(path.join(tmpdir(), 'daybook-reading-'));
  const remove = (): void => rmSync(to, { recursive: true, force: true });
  const remedy = lack === 'full' ? 'Free some space' : 'Make it writable';
  try {
    for (const [index, file] of files.entries()) copyWhole(file, path.join(to, String(index)));
  } catch (error) {
    remove();
    const reason = errorText(error);
    throw new ConfigError(
      `The disk of ${folder} is ${lack}, and the stores cannot be copied to ${tmpdir()} to be read from there (${reason}). ` +
        `${remedy}, or let TMPDIR name a folder with room.`,
    );
  }
  const at = <Address extends { readonly engine: string }>(address: Address): Address | SqliteAddress => {
    const index = 'file' in address ? files.indexOf(String(address.file)) : -1;
    return index < 0
      ? address
      : { engine: 'sqlite', file: path.join(to, String(index), path.basename(files[index] ?? '')) };
  };
  const { eventStore, keys, readModel } = config;
  return {
    config: { ...config, eventStore: at(eventStore), keys: at(keys), readModel: at(readModel) },
    why: `The disk of ${folder} is ${lack}, so nothing is written: reads are answered from a copy. ${remedy}, then start the service again.`,
    remove,
  };
}

/** With what belongs to it, such as a journal or another generation. Throws if another process writes to it meanwhile. */
function copyWhole(file: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  const folder = path.dirname(file);
  const names = readdirSync(folder).filter((name) => isPart(path.basename(file), name));
  const state = stateOf(folder, names);
  for (const name of names) cpSync(path.join(folder, name), path.join(to, name));
  if (stateOf(folder, names) !== state) throw new Error(`another process writes to ${file}`);
}

/** Not the memory that processes share: the next one makes it anew. */
const isPart = (file: string, name: string): boolean =>
  (name === file || name.startsWith(`${file}-`) || name.startsWith(`${file}.`)) && !name.endsWith('-shm');

const stateOf = (folder: string, names: readonly string[]): string =>
  names
    .map((name) => statSync(path.join(folder, name), { bigint: true }))
    .map(({ size, mtimeNs }) => `${size} ${mtimeNs}`)
    .join();
